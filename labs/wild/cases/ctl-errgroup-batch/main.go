// Thumbnails of a batch of pictures: each request scales eight of them with
// golang.org/x/image, spread over an errgroup. It is work for the processor and nothing else.
package main

import (
	"fmt"
	"hash/crc32"
	"image"
	"net/http"
	"runtime"
	"sync/atomic"

	"golang.org/x/image/draw"
	"golang.org/x/sync/errgroup"

	"wild/service"
)

const batch = 8

func main() {
	pictures := make([]*image.RGBA, 32)
	for i := range pictures {
		p := image.NewRGBA(image.Rect(0, 0, 320, 240))
		for j := range p.Pix {
			p.Pix[j] = byte(j*7 + i*13)
		}
		pictures[i] = p
	}
	var seq atomic.Int64
	http.HandleFunc("/thumbnails", func(w http.ResponseWriter, r *http.Request) {
		first := int(seq.Add(1)) * batch
		var sums [batch]uint32
		g, ctx := errgroup.WithContext(r.Context())
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i := range sums {
			g.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				small := image.NewRGBA(image.Rect(0, 0, 80, 60))
				src := pictures[(first+i)%len(pictures)]
				draw.ApproxBiLinear.Scale(small, small.Bounds(), src, src.Bounds(), draw.Src, nil)
				sums[i] = crc32.ChecksumIEEE(small.Pix)
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, sums)
	})
	service.Run(http.DefaultServeMux)
}
