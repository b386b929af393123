// The colours of a shop's pictures, by which they can be searched: a detail of a picture
// is asked for, and the colours that are most frequent in it are answered, with its mean
// brightness. The pictures are decoded when the service starts.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"math"
	"net/http"
	"slices"
	"sync/atomic"

	"wild/service"
)

const (
	pictures = 12
	side     = 600
	detail   = 160
)

type answer struct {
	Picture    int      `json:"picture"`
	Detail     string   `json:"detail"`
	Brightness uint32   `json:"brightness"`
	Colours    []string `json:"colours"`
}

func main() {
	var shelf []image.Image
	for i := range pictures {
		m, err := decoded(i)
		if err != nil {
			log.Fatal(err)
		}
		shelf = append(shelf, m)
	}
	count := byColour
	if service.After() {
		count = byValue
	}
	var seq atomic.Int64
	http.HandleFunc("/colours", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1))
		x, y := n*37%(side-detail), n*91%(side-detail)
		part := image.Rect(x, y, x+detail, y+detail)
		var seen [512]uint32
		sum := count(shelf[n%pictures], part, &seen)
		a := answer{Picture: n % pictures, Detail: part.String(), Brightness: uint32(sum / (detail * detail)), Colours: frequent(&seen)}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(a)
	})
	service.Run(http.DefaultServeMux)
}

// byColour counts the colours of a part, eight steps of each channel, and adds up how
// bright its pixels are.
func byColour(m image.Image, part image.Rectangle, seen *[512]uint32) (sum uint64) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			seen[r>>13<<6|g>>13<<3|b>>13]++
			sum += uint64(299*r+587*g+114*b) / 257000
		}
	}
	return sum
}

func byValue(m image.Image, part image.Rectangle, seen *[512]uint32) (sum uint64) {
	values, ok := m.(image.RGBA64Image)
	if !ok {
		return byColour(m, part, seen)
	}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			c := values.RGBA64At(x, y)
			seen[c.R>>13<<6|c.G>>13<<3|c.B>>13]++
			sum += (299*uint64(c.R) + 587*uint64(c.G) + 114*uint64(c.B)) / 257000
		}
	}
	return sum
}

// frequent names the five colours that come up most.
func frequent(seen *[512]uint32) []string {
	var order []int
	for i, n := range seen {
		if n > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(seen[b], seen[a]), a-b) })
	out := []string{}
	for _, i := range order[:min(5, len(order))] {
		out = append(out, fmt.Sprintf("#%x%x%x", i>>6*2, i>>3&7*2, i&7*2))
	}
	return out
}

// decoded is a picture as it comes from a camera.
func decoded(n int) (image.Image, error) {
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			wave := func(k float64) uint8 {
				return uint8(128 + 120*math.Sin(float64(x)/k+float64(y*n%97)/k/3))
			}
			m.SetRGBA(x, y, color.RGBA{R: wave(31), G: wave(47), B: wave(83), A: 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		return nil, err
	}
	return jpeg.Decode(&b)
}
