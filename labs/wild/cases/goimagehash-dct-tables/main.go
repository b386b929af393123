// Finds out whether an avatar was uploaded before: thumbnails are hashed by how they look, and
// compared with the hashes of those that were blocked. The thumbnails are kept as JPEG.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"math"
	"net/http"
	"sort"
	"strconv"

	"github.com/corona10/goimagehash"

	"wild/service"
)

const (
	side    = 64
	photos  = 64
	blocked = 3000
	near    = 10 // bits that may differ
)

// match is a blocked picture that looks like the one asked for.
type match struct {
	ID       int `json:"id"`
	Distance int `json:"distance"`
}

// album keeps thumbnails and the hashes of blocked ones.
type album struct {
	thumbs  [][]byte
	blocked []*goimagehash.ImageHash
}

func newAlbum() (*album, error) {
	a := &album{}
	for n := range photos {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, paint(n), &jpeg.Options{Quality: 80}); err != nil {
			return nil, err
		}
		a.thumbs = append(a.thumbs, b.Bytes())
	}
	for n := range blocked {
		h := uint64(n+1) * 0x9e3779b97f4a7c15
		a.blocked = append(a.blocked, goimagehash.NewImageHash(h^h>>29, goimagehash.PHash))
	}
	return a, nil
}

// paint draws a picture of a few waves.
func paint(n int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			v := math.Sin(float64(x*(n%7+1))/19) + math.Cos(float64(y*(n%5+2))/23)
			img.Set(x, y, color.RGBA{uint8(128 + 60*v), uint8(x + n), uint8(y * 2), 255})
		}
	}
	return img
}

// hash says how a thumbnail looks.
func (a *album) hash(n int) (*goimagehash.ImageHash, error) {
	img, err := jpeg.Decode(bytes.NewReader(a.thumbs[n]))
	if err != nil {
		return nil, fmt.Errorf("thumbnail %d: %w", n, err)
	}
	return goimagehash.PerceptionHash(img)
}

// like returns the blocked pictures that are nearest.
func (a *album) like(h *goimagehash.ImageHash) ([]match, error) {
	var out []match
	for id, b := range a.blocked {
		d, err := h.Distance(b)
		if err != nil {
			return nil, err
		}
		if d <= near {
			out = append(out, match{id, d})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Distance < out[j].Distance })
	return out, nil
}

func main() {
	a, err := newAlbum()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/blocked", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("photo"))
		if err != nil || n < 0 || n >= photos {
			http.Error(w, "no such photo", http.StatusNotFound)
			return
		}
		h, err := a.hash(n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		matches, err := a.like(h)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"hash": h.ToString(), "matches": matches})
	})
	service.Run(http.DefaultServeMux)
}
