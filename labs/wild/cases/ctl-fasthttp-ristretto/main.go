// Lookups in a ristretto cache, served by fasthttp. Everything fits.
package main

import (
	"log"
	"strconv"
	"sync/atomic"

	"github.com/dgraph-io/ristretto"
	"github.com/valyala/fasthttp"

	"wild/service"
)

const entries = 10_000

func main() {
	cache, err := ristretto.NewCache(&ristretto.Config{NumCounters: 10 * entries, MaxCost: 2 * entries, BufferItems: 64, IgnoreInternalCost: true})
	if err != nil {
		log.Fatal(err)
	}
	keys := make([]string, entries)
	for i := range keys {
		keys[i] = "entry:" + strconv.Itoa(i)
		cache.Set(keys[i], []byte(`{"id":`+strconv.Itoa(i)+`,"name":"entry","left":7}`), 1)
	}
	cache.Wait()
	var seq atomic.Int64
	srv := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		v, ok := cache.Get(keys[seq.Add(1)%entries])
		ctx.SetContentType("application/json")
		if !ok {
			ctx.SetBodyString("{}")
			return
		}
		ctx.SetBody(v.([]byte))
	}}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
