// Pictures for users who have none: a pattern of blocks that follows from the name, as a
// small PNG.
package main

import (
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"log"
	"net/http"
	"sync"

	"wild/service"
)

const (
	blocks = 5
	size   = 8
)

type buffers struct{ pool sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	e, _ := b.pool.Get().(*png.EncoderBuffer)
	return e
}

func (b *buffers) Put(e *png.EncoderBuffer) { b.pool.Put(e) }

func main() {
	var encoder png.Encoder
	if service.After() {
		encoder.BufferPool = new(buffers)
	}
	http.HandleFunc("GET /avatar/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		if err := encoder.Encode(w, draw(r.PathValue("name"))); err != nil {
			log.Println(err)
		}
	})
	service.Run(http.DefaultServeMux)
}

// draw fills the blocks that the hash of a name says, the right half as the left one.
func draw(name string) image.Image {
	h := fnv.New32a()
	h.Write([]byte(name))
	sum := h.Sum32()
	ink := color.RGBA{uint8(sum >> 8), uint8(sum >> 16), uint8(sum >> 24), 255}
	img := image.NewPaletted(image.Rect(0, 0, blocks*size, blocks*size), color.Palette{color.White, ink})
	for y := range blocks * size {
		for x := range blocks * size {
			column := min(x/size, blocks-1-x/size)
			if sum>>(column*blocks+y/size)&1 == 1 {
				img.Pix[y*img.Stride+x] = 1
			}
		}
	}
	return img
}
