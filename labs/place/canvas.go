package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
)

// size is that of the canvas in pixels.
type size struct{ width, height int }

func (s size) holds(p pixel) bool { return p.X >= 0 && p.Y >= 0 && p.X < s.width && p.Y < s.height }

// blank returns a white canvas.
func (s size) blank() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	return img
}

// drawn reads every pixel of a store onto a blank canvas.
func (s size) drawn(ctx context.Context, from *store) (*image.RGBA, error) {
	img := s.blank()
	err := from.each(ctx, func(p pixel) { img.SetRGBA(p.X, p.Y, p.Color) })
	if err != nil {
		return nil, fmt.Errorf("draw the canvas: %w", err)
	}
	return img, nil
}

// encode returns a canvas as PNG.
func encode(img *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode the canvas: %w", err)
	}
	return b.Bytes(), nil
}

// painted returns a picture of n pixels, the same one each time: rows from the
// top in patches of one colour with some pixels gone astray, as on a canvas that
// many people paint.
func painted(s size, n int) []pixel {
	palette := []uint32{
		0xe4e4e4, 0x888888, 0x222222, 0xffa7d1, 0xe50000, 0xe59500, 0xa06a42, 0xe5d900,
		0x94e044, 0x02be01, 0x00d3dd, 0x0083c7, 0x0000ea, 0xcf6ee4, 0x820080, 0xff4500,
	}
	const patch = 8    // pixels in each direction
	const astray = 0.2 // share of pixels
	r := rand.New(rand.NewPCG(7, 7))
	patches := map[image.Point]color.RGBA{}
	out := make([]pixel, 0, n)
	for i := range n {
		at := image.Pt(i%s.width, i/s.width)
		of := at.Div(patch)
		if _, ok := patches[of]; !ok {
			patches[of] = unpacked(palette[r.IntN(len(palette))])
		}
		p := pixel{X: at.X, Y: at.Y, Color: patches[of]}
		if r.Float64() < astray {
			p.Color = unpacked(palette[r.IntN(len(palette))])
		}
		out = append(out, p)
	}
	return out
}
