// Cards for link previews: a name and a figure on a coloured ground, drawn with gg and
// answered as PNG.
package main

import (
	"image/png"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"

	"wild/service"
)

const (
	width, height = 240, 80
	points        = 22
)

// faces puts the font of a size into a drawing, and takes it back.
type faces func(dc *gg.Context) (done func(), err error)

func main() {
	dir, err := os.MkdirTemp("", "fonts-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "regular.ttf")
	if err := os.WriteFile(path, goregular.TTF, 0o600); err != nil {
		log.Fatal(err)
	}
	face := faces(func(dc *gg.Context) (func(), error) { return func() {}, dc.LoadFontFace(path, points) })
	if service.After() {
		face = pooled()
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: new(buffers)}
	http.HandleFunc("/card", func(w http.ResponseWriter, r *http.Request) {
		stars, err := strconv.Atoi(r.URL.Query().Get("stars"))
		if err != nil {
			http.Error(w, "stars is a number", http.StatusBadRequest)
			return
		}
		dc := gg.NewContext(width, height)
		done, err := face(dc)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer done()
		draw(dc, r.URL.Query().Get("name"), stars)
		w.Header().Set("Content-Type", "image/png")
		if err := encoder.Encode(w, dc.Image()); err != nil {
			log.Println(err)
		}
	})
	service.Run(http.DefaultServeMux)
}

func draw(dc *gg.Context, name string, stars int) {
	dc.SetRGB255(24, 40, 72)
	dc.Clear()
	dc.SetRGB255(240, 240, 240)
	dc.DrawStringAnchored(name, width/2, height/3, 0.5, 0.5)
	dc.SetRGB255(250, 200, 60)
	dc.DrawStringAnchored(strconv.Itoa(stars), width/2, 2*height/3, 0.5, 0.5)
}

// pooled reads the font once and keeps faces for as many drawings as are under way: a face
// is for one at a time.
func pooled() faces {
	f, err := truetype.Parse(goregular.TTF)
	if err != nil {
		log.Fatal(err)
	}
	pool := sync.Pool{New: func() any { return truetype.NewFace(f, &truetype.Options{Size: points}) }}
	return func(dc *gg.Context) (func(), error) {
		face := pool.Get().(font.Face)
		dc.SetFontFace(face)
		return func() { pool.Put(face) }, nil
	}
}

type buffers struct{ sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	e, _ := b.Pool.Get().(*png.EncoderBuffer)
	return e
}

func (b *buffers) Put(e *png.EncoderBuffer) { b.Pool.Put(e) }
