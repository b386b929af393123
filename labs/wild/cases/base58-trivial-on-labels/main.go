// Labels of a library's books: each copy has a number of 32 bytes, and a shelf's labels are printed with those numbers in letters that no
// reader mistakes for each other.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"log"
	"strconv"

	"github.com/mr-tron/base58"
	"github.com/valyala/fasthttp"

	"wild/service"
)

// perShelf is how many books stand on one.
const perShelf = 120

// library has shelves of numbered books.
type library struct{ shelves [][][sha256.Size]byte }

func open() *library {
	l := &library{}
	for shelf := range 64 {
		var books [][sha256.Size]byte
		for place := range perShelf {
			books = append(books, sha256.Sum256([]byte(strconv.Itoa(shelf)+"/"+strconv.Itoa(place))))
		}
		l.shelves = append(l.shelves, books)
	}
	return l
}

// labels of a shelf, in the order of its books.
func (l *library) labels(shelf int) []string {
	out := make([]string, 0, perShelf)
	for _, number := range l.shelves[shelf] {
		if service.After() {
			out = append(out, base58.FastBase58Encoding(number[:]))
		} else {
			out = append(out, base58.TrivialBase58Encoding(number[:]))
		}
	}
	return out
}

func (l *library) serve(ctx *fasthttp.RequestCtx) {
	shelf, err := strconv.Atoi(string(ctx.QueryArgs().Peek("shelf")))
	if err != nil || shelf < 0 || shelf >= len(l.shelves) {
		ctx.Error("no such shelf", fasthttp.StatusNotFound)
		return
	}
	ctx.SetContentType("application/json")
	if err := json.NewEncoder(ctx).Encode(l.labels(shelf)); err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
	}
}

func main() {
	srv := &fasthttp.Server{Handler: open().serve}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Shutdown()
}
