// Badges: most are in the cache, which holds all that are asked for often; the others are
// drawn by a pool of as many workers as there are processors.
package main

import (
	"context"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"log"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/alitto/pond/v2"
	"github.com/maypok86/otter/v2"

	"wild/service"
)

const often = 5000

func main() {
	cache := otter.Must(&otter.Options[string, []byte]{MaximumSize: 2 * often})
	pool := pond.NewResultPool[[]byte](runtime.NumCPU())
	load := otter.LoaderFunc[string, []byte](func(ctx context.Context, name string) ([]byte, error) {
		return pool.SubmitErr(func() ([]byte, error) { return draw(name) }).Wait()
	})
	for i := range often {
		b, err := draw("user" + strconv.Itoa(i))
		if err != nil {
			log.Fatal(err)
		}
		cache.Set("user"+strconv.Itoa(i), b)
	}
	var seq atomic.Int64
	http.HandleFunc("/badge", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		name := "user" + strconv.FormatInt(n*37%often, 10)
		if n%100 == 0 {
			name = fmt.Sprint("guest", n)
		}
		b, err := cache.Get(r.Context(), name, load)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		w.Write(b)
	})
	service.Run(http.DefaultServeMux)
}

// draw makes a small picture of a name.
func draw(name string) ([]byte, error) {
	h := crc32.ChecksumIEEE([]byte(name))
	m := image.NewPaletted(image.Rect(0, 0, 32, 32), color.Palette{color.White, color.RGBA{byte(h), byte(h >> 8), byte(h >> 16), 255}})
	for i := range m.Pix {
		m.Pix[i] = byte(h >> (i / 8 % 32) & 1)
	}
	var b strings.Builder
	if err := png.Encode(&b, m); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}
