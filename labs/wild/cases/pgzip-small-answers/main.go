// A list of articles as JSON, some 20 KiB, compressed as it goes out.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/pgzip"

	"wild/service"
)

type article struct {
	ID    int      `json:"id"`
	Title string   `json:"title"`
	Text  string   `json:"text"`
	Tags  []string `json:"tags"`
}

type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

func main() {
	writers := sync.Pool{New: func() any { return pgzip.NewWriter(io.Discard) }}
	if service.After() {
		writers.New = func() any { return gzip.NewWriter(io.Discard) }
	}
	articles := make([]article, 400)
	for i := range articles {
		articles[i] = article{ID: i, Title: fmt.Sprintf("Article %d", i), Tags: []string{"news", fmt.Sprintf("tag%d", i%17)},
			Text: fmt.Sprintf("What was said on day %d of the year, by %d people in %d places, of which %d were far away.", i%365, i*31, i*7%97, i%13)}
	}
	var seq atomic.Int64
	http.HandleFunc("/articles", func(w http.ResponseWriter, r *http.Request) {
		from := int(seq.Add(1) % 300)
		body, err := json.Marshal(articles[from : from+100])
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := writers.Get().(compressor)
		defer writers.Put(z)
		z.Reset(w)
		z.Write(body)
		z.Close()
	})
	service.Run(http.DefaultServeMux)
}
