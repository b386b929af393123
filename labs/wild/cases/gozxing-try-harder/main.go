// Labels of a parcel shop: the shop's camera takes a picture of each label, and what stands in its code is what the parcel is booked
// under. Pictures wait in memory until a clerk opens them.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"log"
	"math/rand/v2"
	"net/http"
	"strconv"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"

	"wild/service"
)

const wide, high = 360, 200

// label is what a label says.
type label struct {
	Parcel string `json:"parcel"`
	Format string `json:"format"`
	Route  string `json:"route"`
}

// desk has pictures, and how they are read.
type desk struct {
	pictures []*image.Gray
	hints    map[gozxing.DecodeHintType]any
}

var errPicture = errors.New("no such picture")

// picture is what the camera sees: a code somewhere on a grey label that has print on it, or a label with none on it.
func picture(n int) (*image.Gray, error) {
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	out := image.NewGray(image.Rect(0, 0, wide, high))
	for i := range out.Pix {
		out.Pix[i] = uint8(205 + rng.UintN(40))
	}
	for y := 4; y < high; y += 9 { // lines of print
		for x := 6; x < wide-6; x++ {
			if rng.UintN(5) < 2 {
				for k := range 4 {
					out.Pix[(y+k)%high*wide+x] = uint8(30 + rng.UintN(40))
				}
			}
		}
	}
	if n%3 == 1 {
		return out, nil // the code is on the other side
	}
	code, err := oned.NewCode128Writer().Encode(fmt.Sprintf("JD%08d", 10_000_000+n*7919), gozxing.BarcodeFormat_CODE_128, 300, 60, nil)
	if err != nil {
		return nil, err
	}
	top := 70 + n%40
	for y := range 60 {
		for x := range code.GetWidth() {
			c := uint8(225)
			if code.Get(x, y) {
				c = 25
			}
			out.Pix[(top+y)*wide+20+x] = c
		}
	}
	return out, nil
}

func open() (*desk, error) {
	d := &desk{hints: map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true}}
	if service.After() {
		d.hints = map[gozxing.DecodeHintType]any{}
	}
	for n := range 90 {
		p, err := picture(n)
		if err != nil {
			return nil, err
		}
		d.pictures = append(d.pictures, p)
	}
	return d, nil
}

// read finds the code of a picture.
func (d *desk) read(id string) (*label, error) {
	n, err := strconv.Atoi(id)
	if err != nil || n < 0 || n >= len(d.pictures) {
		return nil, errPicture
	}
	bits, err := gozxing.NewBinaryBitmapFromImage(d.pictures[n])
	if err != nil {
		return nil, err
	}
	found, err := oned.NewCode128Reader().Decode(bits, d.hints)
	var none gozxing.NotFoundException
	if errors.As(err, &none) {
		return &label{Format: "none", Route: "by hand"}, nil
	}
	if err != nil {
		return nil, err
	}
	text := found.GetText()
	return &label{text, found.GetBarcodeFormat().String(), "belt " + text[len(text)-1:]}, nil
}

func (d *desk) serve(w http.ResponseWriter, r *http.Request) {
	out, err := d.read(r.PathValue("picture"))
	switch {
	case errors.Is(err, errPicture):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	d, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pictures/{picture}/label", d.serve)
	service.Run(mux)
}
