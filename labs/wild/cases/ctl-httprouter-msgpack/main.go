// A catalogue that answers in MessagePack: httprouter, msgpack with encoders that are
// used again, and a map that is replaced as a whole when the catalogue changes.
package main

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/julienschmidt/httprouter"
	"github.com/vmihailenco/msgpack/v5"

	"wild/service"
)

type article struct {
	ID     int            `msgpack:"id"`
	Name   string         `msgpack:"name"`
	Cents  int64          `msgpack:"cents"`
	Tags   []string       `msgpack:"tags"`
	Stores map[string]int `msgpack:"stores"`
}

func main() {
	var catalogue atomic.Pointer[map[int]*article]
	articles := make(map[int]*article)
	for i := range 5000 {
		articles[i] = &article{
			ID: i, Name: "article " + strconv.Itoa(i), Cents: int64(i) * 7, Tags: []string{"steel", "outdoor"},
			Stores: map[string]int{"north": i % 9, "south": i % 13},
		}
	}
	catalogue.Store(&articles)
	buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }}

	r := httprouter.New()
	r.GET("/articles/:id", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
		id, err := strconv.Atoi(p.ByName("id"))
		if err != nil {
			http.Error(w, "no number", http.StatusBadRequest)
			return
		}
		a, ok := (*catalogue.Load())[id]
		if !ok {
			http.NotFound(w, r)
			return
		}
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b)
		b.Reset()
		enc := msgpack.GetEncoder()
		enc.Reset(b)
		err = enc.Encode(a)
		msgpack.PutEncoder(enc)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/msgpack")
		w.Write(b.Bytes())
	})
	service.Run(r)
}
