// Scans of forms: pages come from scanners as TIFF and are kept as they were sent; who looks
// through them is shown how much ink a page has and a small grid of it, to find blank pages.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"log"
	"math/rand/v2"
	"net/http"

	"golang.org/x/image/tiff"

	"wild/service"
)

const (
	pages = 12
	grid  = 8
	ink   = 128 // darker than this is ink
)

type page struct {
	ID     string      `json:"id"`
	Width  int         `json:"width"`
	Height int         `json:"height"`
	Ink    float64     `json:"ink"`
	Grid   [grid]uint8 `json:"grid"`
	Blank  bool        `json:"blank"`
}

// inbox is the pages as they were sent.
type inbox map[string][]byte

func (b inbox) look(id string) (page, error) {
	m, err := tiff.Decode(bytes.NewReader(b[id]))
	if err != nil {
		return page{}, fmt.Errorf("%s: %w", id, err)
	}
	return judge(id, m), nil
}

// judge counts the ink of a page.
func judge(id string, m image.Image) page {
	size := m.Bounds().Size()
	p := page{ID: id, Width: size.X, Height: size.Y, Blank: true}
	gray, ok := m.(*image.Gray)
	if !ok || size.X*size.Y == 0 {
		return p
	}
	dark := 0
	for y := range size.Y {
		row := gray.Pix[y*gray.Stride : y*gray.Stride+size.X]
		for x, v := range row {
			if v < ink {
				dark++
				p.Grid[y*grid/size.Y] |= 1 << (x * grid / size.X)
			}
		}
	}
	p.Ink = float64(dark) / float64(size.X*size.Y)
	p.Blank = p.Ink < 0.002
	return p
}

func main() {
	b := inbox{"front-desk": tiled(1<<29, 0)}
	for n := range pages {
		b[fmt.Sprint("page-", n)] = scan(n)
	}
	http.HandleFunc("GET /pages/{id}", func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		if b[id] == nil {
			http.Error(w, "no such page", http.StatusNotFound)
			return
		}
		p, err := b.look(id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p)
	})
	service.Run(http.DefaultServeMux)
}

// scan is a page as a scanner sends it.
func scan(n int) []byte {
	rnd := rand.New(rand.NewPCG(uint64(n), 9))
	m := image.NewGray(image.Rect(0, 0, 124, 176))
	for i := range m.Pix {
		m.Pix[i] = uint8(225 + rnd.IntN(30))
	}
	for line := 12; line < 160 && n%4 != 0; line += 9 {
		for x := 10; x < 60+rnd.IntN(50); x++ {
			if rnd.IntN(3) > 0 {
				m.SetGray(x, line+rnd.IntN(3), color.Gray{Y: uint8(rnd.IntN(60))})
			}
		}
	}
	var out bytes.Buffer
	if err := tiff.Encode(&out, m, &tiff.Options{Compression: tiff.Deflate}); err != nil {
		log.Fatal(err)
	}
	return out.Bytes()
}

// tiled is the header of a page in tiles, as the scanner at the front desk sends one when its
// feeder is empty.
func tiled(width, height uint32) []byte {
	const short, long = 3, 4
	entries := []struct {
		tag, kind uint16
		value     uint32
	}{
		{256, long, width}, {257, long, height}, {258, short, 8}, {259, short, 1}, {262, short, 1},
		{277, short, 1}, {322, short, 16}, {323, short, 16}, {324, long, 8}, {325, long, 256},
	}
	out := []byte("II*\x00\x08\x00\x00\x00")
	out = binary.LittleEndian.AppendUint16(out, uint16(len(entries)))
	for _, e := range entries {
		out = binary.LittleEndian.AppendUint16(out, e.tag)
		out = binary.LittleEndian.AppendUint16(out, e.kind)
		out = binary.LittleEndian.AppendUint32(out, 1)
		out = binary.LittleEndian.AppendUint32(out, e.value)
	}
	return binary.LittleEndian.AppendUint32(out, 0)
}
