// Webhooks of a payment provider: what it posts is signed, each is held against its signature, read, and added to
// the books of its shop. Parsers and MACs are kept, and shops have a lock each.
package main

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"log"
	"sync"

	"github.com/valyala/fasthttp"

	"wild/service"
)

// event is what the provider posts.
type event struct {
	ID    string `json:"id"`
	Shop  int    `json:"shop"`
	Kind  string `json:"kind"`
	Lines []struct {
		SKU   string `json:"sku"`
		Cents int64  `json:"cents"`
	} `json:"lines"`
}

// book is of a shop.
type book struct {
	mu     sync.Mutex
	cents  int64
	events int
}

// desk takes webhooks.
type desk struct {
	macs  sync.Pool
	books [64]book
}

func newDesk(key string) *desk {
	return &desk{macs: sync.Pool{New: func() any { return hmac.New(sha512.New, []byte(key)) }}}
}

// signed is the signature of a body, in the four rounds that the provider's scheme has.
func (d *desk) signed(body []byte) []byte {
	mac := d.macs.Get().(hash.Hash)
	defer d.macs.Put(mac)
	var sum [sha512.Size]byte
	for round := range 4 {
		mac.Reset()
		mac.Write([]byte{byte(round)})
		mac.Write(sum[:])
		mac.Write(body)
		mac.Sum(sum[:0])
	}
	return sum[:]
}

func (b *book) add(e event) (int64, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	sign := int64(1)
	if e.Kind == "refund" {
		sign = -1
	}
	for _, l := range e.Lines {
		b.cents += sign * l.Cents
	}
	b.events++
	return b.cents, b.events
}

func (d *desk) take(ctx *fasthttp.RequestCtx) {
	if !ctx.IsPost() || string(ctx.Path()) != "/webhook" {
		ctx.Error("not found", fasthttp.StatusNotFound)
		return
	}
	body := ctx.PostBody()
	sum := d.signed(body)
	if sent := ctx.Request.Header.Peek("X-Signature"); len(sent) > 0 {
		want, err := hex.DecodeString(string(sent))
		if err != nil || !hmac.Equal(want, sum) {
			ctx.Error("the signature is another", fasthttp.StatusUnauthorized)
			return
		}
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		ctx.Error(err.Error(), fasthttp.StatusBadRequest)
		return
	}
	if e.Shop < 0 || e.Shop >= len(d.books) {
		ctx.Error(fmt.Sprintf("no shop %d", e.Shop), fasthttp.StatusUnprocessableEntity)
		return
	}
	cents, n := d.books[e.Shop].add(e)
	ctx.SetContentType("application/json")
	fmt.Fprintf(ctx, `{"id":%q,"events":%d,"cents":%d,"receipt":"%x"}`, e.ID, n, cents, sum[:16])
}

func main() {
	d := newDesk("whsec_0123456789")
	srv := &fasthttp.Server{Handler: d.take, Name: "books"}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
