package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
)

// compute hashes a document of 512 kB, about a millisecond; the first half is the
// same in all documents. Fixed, it goes on from the hash of that half.
func compute(_ context.Context, s setup) (http.Handler, error) {
	const half = 256 << 10
	text := noise(3 * half)
	common := text[:half]
	begun, ok := sha256.New().(hash.Cloner)
	if !ok {
		return nil, errors.New("this Go cannot copy the state of a hash")
	}
	if s.fixed {
		_, _ = begun.Write(common) // a hash takes anything
		common = nil
	}
	var requests atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		own := text[half+int(requests.Add(1)%half):][:half]
		sum, err := digest(begun, common, own)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, "%x\n", sum)
	}), nil
}

// digest goes on from a hash, which stays as it is.
func digest(begun hash.Cloner, parts ...[]byte) ([]byte, error) {
	h, err := begun.Clone()
	if err != nil {
		return nil, fmt.Errorf("copy the state of the hash: %w", err)
	}
	for _, p := range parts {
		_, _ = h.Write(p) // a hash takes anything
	}
	return h.Sum(nil), nil
}

// noise is the same in every process.
func noise(n int) []byte {
	out := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(out) // it never fails
	return out
}

// allocate makes and drops a megabyte in pieces of 4 kB. Fixed, it uses them again.
func allocate(_ context.Context, s setup) (http.Handler, error) {
	used := sync.Pool{New: func() any { p := pieces(256, 4<<10); return &p }}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !s.fixed {
			fmt.Fprintln(w, len(pieces(256, 4<<10)))
			return
		}
		p, _ := used.Get().(*[][]byte)
		defer used.Put(p)
		mark(*p)
		fmt.Fprintln(w, len(*p))
	}), nil
}

func pieces(n, size int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = make([]byte, size)
	}
	mark(out)
	return out
}

// mark writes to each piece.
func mark(pieces [][]byte) {
	for i := range pieces {
		pieces[i][0] = byte(i)
	}
}

// recompute draws and encodes pictures that never change, one for each path. Fixed, it
// keeps them.
func recompute(_ context.Context, s setup) (http.Handler, error) {
	var kept sync.Map // of path: func() ([]byte, error)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		draw := func() ([]byte, error) { return render(r.URL.Path, 128) }
		if s.fixed {
			once, ok := kept.Load(r.URL.Path)
			if !ok {
				once, _ = kept.LoadOrStore(r.URL.Path, sync.OnceValues(draw))
			}
			draw = once.(func() ([]byte, error))
		}
		picture, err := draw()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture)
	}), nil
}

func render(name string, size int) ([]byte, error) {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	shade := uint8(len(name))
	if len(name) > 0 {
		shade = name[len(name)-1]
	}
	for y := range size {
		for x := range size {
			img.Set(x, y, color.NRGBA{R: uint8(x * y), G: uint8(x), B: uint8(y) + shade, A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return b.Bytes(), nil
}
