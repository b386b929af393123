// A catalogue on fasthttp that answers compressed. fasthttp keeps its brotli writers and resets them.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"

	"github.com/valyala/fasthttp"

	"wild/service"
)

type product struct {
	SKU   string   `json:"sku"`
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

func main() {
	page := catalogue(40)
	compressed := fasthttp.CompressHandlerBrotliLevel(func(ctx *fasthttp.RequestCtx) {
		ctx.SetContentType("application/json")
		ctx.Write(page)
	}, fasthttp.CompressBrotliDefaultCompression, fasthttp.CompressDefaultCompression)
	handler := func(ctx *fasthttp.RequestCtx) {
		ctx.Request.Header.Set("Accept-Encoding", "br") // the edge in front always takes brotli
		compressed(ctx)
	}

	ln := service.Listen()
	go func() { log.Println(fasthttp.Serve(ln, handler)) }()
	service.Wait()
}

func catalogue(n int) []byte {
	var products []product
	for i := range n {
		products = append(products, product{
			SKU:   fmt.Sprintf("sku-%05d", i*37),
			Name:  fmt.Sprintf("A thing of the kind %d", i%7),
			Price: float64(i) * 1.25,
			Tags:  []string{"new", "blue", "large"},
		})
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(products); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}
