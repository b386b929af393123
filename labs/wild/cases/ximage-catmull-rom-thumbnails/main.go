// Thumbnails of photos, made when they are asked for: a photo is taken from the store, decoded, scaled to the
// width that is wanted, and answered as a JPEG.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"math"
	"net/http"
	"slices"
	"strconv"

	"golang.org/x/image/draw"

	"wild/service"
)

var widths = []int{96, 160, 240}

// photos are JPEG files by name.
type photos map[string][]byte

func newPhotos() (photos, error) {
	p := photos{}
	for n := range 4 {
		m := image.NewRGBA(image.Rect(0, 0, 900, 600))
		for y := range 600 {
			for x := range 900 {
				v := math.Sin(float64(x*(n+1))/90) * math.Cos(float64(y)/70)
				m.SetRGBA(x, y, color.RGBA{uint8(128 + 100*v), uint8(x * 255 / 900), uint8(y * 255 / 600), 255})
			}
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 80}); err != nil {
			return nil, err
		}
		p[fmt.Sprintf("p-%d", n)] = b.Bytes()
	}
	return p, nil
}

var errUnknown = errors.New("no such photo")

func (p photos) open(name string) (image.Image, error) {
	data, ok := p[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, errUnknown)
	}
	return jpeg.Decode(bytes.NewReader(data))
}

// scale makes a picture of a width, with the ratio of the photo.
func scale(m image.Image, width int) *image.RGBA {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, width, width*b.Dy()/b.Dx()))
	var s draw.Scaler = draw.CatmullRom
	if service.After() {
		s = draw.ApproxBiLinear
	}
	s.Scale(out, out.Bounds(), m, b, draw.Src, nil)
	return out
}

// frame draws a border of one pixel.
func frame(m *image.RGBA) {
	grey, b := color.RGBA{200, 200, 200, 255}, m.Bounds()
	for x := b.Min.X; x < b.Max.X; x++ {
		m.SetRGBA(x, b.Min.Y, grey)
		m.SetRGBA(x, b.Max.Y-1, grey)
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		m.SetRGBA(b.Min.X, y, grey)
		m.SetRGBA(b.Max.X-1, y, grey)
	}
}

func (p photos) thumbnail(w http.ResponseWriter, r *http.Request) {
	width, err := strconv.Atoi(r.URL.Query().Get("width"))
	if err != nil || !slices.Contains(widths, width) {
		http.Error(w, fmt.Sprint("width is one of ", widths), http.StatusBadRequest)
		return
	}
	m, err := p.open(r.PathValue("name"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	small := scale(m, width)
	frame(small)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, small, &jpeg.Options{Quality: 75}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.Write(b.Bytes())
}

func main() {
	p, err := newPhotos()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /photos/{name}/thumbnail", p.thumbnail)
	service.Run(http.DefaultServeMux)
}
