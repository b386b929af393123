// A catalogue's pages: a template that was parsed once, into a buffer from a pool, compressed
// by a middleware that keeps its writers.
package main

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzhttp"

	"wild/service"
)

var page = template.Must(template.New("page").Parse(`<!doctype html><html><head><title>{{ .Title }}</title></head><body>
<h1>{{ .Title }}</h1><table>
{{ range .Items }}<tr><td><a href="/item/{{ .ID }}">{{ .Name }}</a></td><td>{{ .Price }}</td></tr>
{{ end }}</table></body></html>`))

type item struct {
	ID          int
	Name, Price string
}

type shelf struct {
	Title string
	Items []item
}

func main() {
	shelves := make([]shelf, 40)
	for i := range shelves {
		shelves[i].Title = fmt.Sprintf("Shelf %d", i)
		for j := range 25 {
			shelves[i].Items = append(shelves[i].Items, item{ID: i*100 + j, Name: fmt.Sprintf("Thing %d & co", j), Price: fmt.Sprintf("%d.%02d", i+j, j)})
		}
	}
	buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	shelfPage := gzhttp.GzipHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || n < 0 || n >= len(shelves) {
			http.NotFound(w, r)
			return
		}
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b)
		b.Reset()
		if err := page.Execute(b, shelves[n]); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(b.Bytes())
	}))
	http.HandleFunc("/shelf/{n}", func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Accept-Encoding", "gzip") // as each browser does
		shelfPage.ServeHTTP(w, r)
	})
	service.Run(http.DefaultServeMux)
}
