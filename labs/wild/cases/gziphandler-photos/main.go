// Photos of houses that are for sale: lists of houses, what is said of one, and its photos in two sizes. Browsers ask for
// all of them with Accept-Encoding: gzip.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"log"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"github.com/NYTimes/gziphandler"

	"wild/service"
)

// house is one that is for sale.
type house struct {
	Number int      `json:"number"`
	Town   string   `json:"town"`
	Rooms  int      `json:"rooms"`
	Price  int      `json:"price"`
	Text   string   `json:"text"`
	Photos []string `json:"photos"`
}

// office sells houses.
type office struct {
	houses []house
	photos map[string][]byte
}

// picture stands for a photo: it has the noise that photos have.
func picture(width, seed int) ([]byte, error) {
	dice := rand.New(rand.NewPCG(uint64(seed), 7))
	height := width * 3 / 4
	img := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	for i := range img.Y {
		img.Y[i] = uint8(60 + (i%width)*120/width + dice.IntN(40))
	}
	for i := range img.Cb {
		img.Cb[i], img.Cr[i] = uint8(110+dice.IntN(20)), uint8(120+dice.IntN(20))
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 80})
	return b.Bytes(), err
}

func open() (*office, error) {
	o := &office{photos: map[string][]byte{}}
	towns := []string{"Lund", "Aarhus", "Turku", "Tartu", "Bergen"}
	for n := range 60 {
		h := house{
			Number: n, Town: towns[n%len(towns)], Rooms: 2 + n%6, Price: 190_000 + n*7_300,
			Text: strings.Repeat("Quiet, with a garden to the south and a view over the roofs. ", 4+n%5),
		}
		for p := range 3 {
			h.Photos = append(h.Photos, fmt.Sprintf("/houses/%d/photos/%d/large.jpg", n, p))
		}
		o.houses = append(o.houses, h)
	}
	for p := range 8 {
		for size, width := range map[string]int{"small.jpg": 160, "large.jpg": 480} {
			photo, err := picture(width, p)
			if err != nil {
				return nil, err
			}
			o.photos[strconv.Itoa(p)+size] = photo
		}
	}
	o.photos["logo"] = bytes.Repeat([]byte(`<path d="M12 4 L20 12 L12 20 Z"/>`), 30)
	return o, nil
}

func (o *office) list(w http.ResponseWriter, r *http.Request) {
	var out []house
	for _, h := range o.houses {
		if town := r.FormValue("town"); town == "" || town == h.Town {
			out = append(out, h)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func (o *office) photo(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.PathValue("house"))
	p, _ := strconv.Atoi(r.PathValue("photo"))
	photo, ok := o.photos[strconv.Itoa((n*3+p)%8)+r.PathValue("size")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Cache-Control", "max-age=86400")
	w.Write(photo)
}

// compressed is how answers go out.
func compressed() (func(http.Handler) http.Handler, error) {
	if service.After() {
		return gziphandler.GzipHandlerWithOpts(gziphandler.ContentTypes([]string{"application/json", "image/svg+xml", "text/html"}))
	}
	return gziphandler.GzipHandler, nil
}

func main() {
	o, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /houses", o.list)
	mux.HandleFunc("GET /houses/{house}/photos/{photo}/{size}", o.photo)
	mux.HandleFunc("GET /logo.svg", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Write(o.photos["logo"])
	})
	wrap, err := compressed()
	if err != nil {
		log.Fatal(err)
	}
	service.Run(wrap(mux))
}
