// Photos of flats: a page of the list has for each picture a thumbnail and, to show until it
// is there, its blurhash. Photos are kept decoded for as long as the flat is being edited.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"net/http"
	"strconv"

	"github.com/bbrks/go-blurhash"
	"golang.org/x/image/draw"

	"wild/service"
)

const (
	photos = 12
	wide   = 150
	high   = 100
	thumb  = 64
)

type card struct {
	Photo int    `json:"photo"`
	Hash  string `json:"hash"`
	Thumb string `json:"thumb"`
}

// gallery is what there is to show.
type gallery struct{ photos []*image.RGBA }

func (g *gallery) card(n int) (card, error) {
	photo := g.photos[n]
	small := shrink(photo, thumb)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, small, &jpeg.Options{Quality: 70}); err != nil {
		return card{}, err
	}
	of := image.Image(photo)
	if service.After() {
		of = shrink(small, 32)
	}
	hash, err := blurhash.Encode(4, 3, of)
	if err != nil {
		return card{}, err
	}
	return card{n, hash, "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(b.Bytes())}, nil
}

// shrink is a picture at a width.
func shrink(from *image.RGBA, width int) *image.RGBA {
	size := from.Bounds().Size()
	to := image.NewRGBA(image.Rect(0, 0, width, size.Y*width/size.X))
	draw.ApproxBiLinear.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
	return to
}

func main() {
	g := &gallery{}
	for n := range photos {
		g.photos = append(g.photos, paint(n))
	}
	http.HandleFunc("GET /card", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("photo"))
		if err != nil || n < 0 || n >= len(g.photos) {
			http.Error(w, "no such photo", http.StatusNotFound)
			return
		}
		c, err := g.card(n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(c)
	})
	service.Run(http.DefaultServeMux)
}

func paint(n int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, wide, high))
	for y := range high {
		for x := range wide {
			v := math.Sin(float64(x*(n+2))/180) + math.Cos(float64(y*(n+1))/140)
			m.SetRGBA(x, y, color.RGBA{uint8(128 + 60*v), uint8(x * 255 / wide), uint8(y * 255 / high), 255})
		}
	}
	return m
}
