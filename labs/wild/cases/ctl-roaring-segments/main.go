// How many of the users are in all of some segments: a bitmap for each segment, which is made at night
// and only read by day, and counted without making another. It is served by fasthttp.
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/valyala/fasthttp"

	"wild/service"
)

const users = 400_000

type segments map[string]*roaring.Bitmap

func (s segments) find(names string) ([]*roaring.Bitmap, error) {
	var all []*roaring.Bitmap
	for name := range strings.SplitSeq(names, ",") {
		b, ok := s[name]
		if !ok {
			return nil, fmt.Errorf("no segment %q", name)
		}
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b *roaring.Bitmap) int { return int(a.GetCardinality()) - int(b.GetCardinality()) })
	return all, nil
}

// overlap is for each pair how many are in both.
func overlap(all []*roaring.Bitmap) (pairs []uint64) {
	for i, a := range all {
		for _, b := range all[i+1:] {
			pairs = append(pairs, a.AndCardinality(b))
		}
	}
	return pairs
}

func main() {
	s := segments{}
	rng := rand.New(rand.NewPCG(5, 6))
	for i, name := range []string{"cyclists", "parents", "students", "night", "premium", "coast"} {
		b := roaring.New()
		for u := range uint32(users) {
			if rng.IntN(20) < 2+i {
				b.Add(u)
			}
		}
		b.RunOptimize()
		s[name] = b
	}
	srv := &fasthttp.Server{
		Name: "segments",
		Handler: func(ctx *fasthttp.RequestCtx) {
			all, err := s.find(string(ctx.QueryArgs().Peek("in")))
			if err != nil {
				ctx.Error(err.Error(), fasthttp.StatusBadRequest)
				return
			}
			ctx.SetContentType("application/json")
			fmt.Fprintf(ctx, `{"smallest":%d,"pairs":[`, all[0].GetCardinality())
			for i, n := range overlap(all) {
				if i > 0 {
					ctx.WriteString(",")
				}
				fmt.Fprintf(ctx, "%d", n)
			}
			ctx.WriteString("]}")
		},
	}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Shutdown()
}
