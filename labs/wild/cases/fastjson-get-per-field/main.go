// An intake of events: a dozen fields of each posted document are looked at.
package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/valyala/fastjson"

	"wild/service"
)

var fields = [][]string{
	{"id"}, {"kind"}, {"user", "id"}, {"user", "name"}, {"user", "address", "city"}, {"source"}, {"session"},
	{"items", "0", "sku"}, {"items", "1", "sku"}, {"items", "2", "sku"}, {"trace", "parent"}, {"trace", "span"},
}

// oneByOne asks the document for one field after the other.
func oneByOne(doc []byte) (n int) {
	for _, f := range fields {
		n += len(fastjson.GetString(doc, f...))
	}
	return n
}

var parsers fastjson.ParserPool

func atOnce(doc []byte) (n int) {
	p := parsers.Get()
	defer parsers.Put(p)
	v, err := p.ParseBytes(doc)
	if err != nil {
		return 0
	}
	for _, f := range fields {
		n += len(v.GetStringBytes(f...))
	}
	return n
}

func main() {
	read := oneByOne
	if service.After() {
		read = atOnce
	}
	docs := make([][]byte, 64)
	for i := range docs {
		docs[i] = document(i)
	}
	var seq atomic.Int64
	http.HandleFunc("/event", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		// The document stands for a posted one.
		fmt.Fprintln(w, read(docs[seq.Add(1)%int64(len(docs))]))
	})
	service.Run(http.DefaultServeMux)
}

func document(i int) []byte {
	id := strconv.Itoa(i)
	var b strings.Builder
	b.WriteString(`{"id":"e` + id + `","kind":"order","source":"shop","session":"s` + id + `","user":{"id":"u` + id +
		`","name":"Ann","address":{"city":"Bern","zip":"3000"}},"trace":{"parent":"p` + id + `","span":"x` + id + `"},"items":[`)
	for j := range 120 {
		if j > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"sku":"sku-%d-%d","count":%d,"price":%d.5,"tags":["new","sale"]}`, i, j, j%5, j)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}
