package main

import (
	"context"
	"image"
	"slices"
	"sync"
	"sync/atomic"
)

// canvas is the picture after so many changes. It does not change itself: who has
// one reads it without a lock.
type canvas struct {
	version uint64
	image   *image.RGBA
}

// board is the canvas in memory in front of a store.
type board struct {
	size  size
	store *store
	// paints keeps the order of changes the same in the store and in memory.
	paints sync.Mutex
	now    atomic.Pointer[canvas]
}

// newBoard reads the canvas from a store.
func newBoard(ctx context.Context, s size, from *store) (*board, error) {
	img, err := s.drawn(ctx, from)
	if err != nil {
		return nil, err
	}
	b := &board{size: s, store: from}
	b.now.Store(&canvas{version: 1, image: img})
	return b, nil
}

// canvas returns the latest picture.
func (b *board) canvas() *canvas { return b.now.Load() }

// paint sets a pixel of the canvas. Every canvas that is asked for after it
// returned shows the pixel.
func (b *board) paint(ctx context.Context, p pixel) error {
	b.paints.Lock()
	defer b.paints.Unlock()
	if err := b.store.set(ctx, p); err != nil {
		return err
	}
	last := b.now.Load()
	img := &image.RGBA{Pix: slices.Clone(last.image.Pix), Stride: last.image.Stride, Rect: last.image.Rect}
	img.SetRGBA(p.X, p.Y, p.Color)
	b.now.Store(&canvas{version: last.version + 1, image: img})
	return nil
}
