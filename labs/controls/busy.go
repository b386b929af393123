package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
)

// compute hashes 512 kB, about a millisecond.
func compute(context.Context, string) (http.Handler, error) {
	data := make([]byte, 512<<10)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%x\n", digest(data))
	}), nil
}

func digest(data []byte) [sha256.Size]byte { return sha256.Sum256(data) }

// allocate makes and drops a megabyte in pieces of 4 kB.
func allocate(context.Context, string) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, len(pieces(256, 4<<10)))
	}), nil
}

func pieces(n, size int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = make([]byte, size)
		out[i][0] = byte(i)
	}
	return out
}

// recompute draws and encodes a picture that never changes.
func recompute(context.Context, string) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		picture, err := render(128)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture)
	}), nil
}

func render(size int) ([]byte, error) {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			img.Set(x, y, color.NRGBA{R: uint8(x * y), G: uint8(x), B: uint8(y), A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return b.Bytes(), nil
}
