// Previews of notes over HTTP/2 in the clear: Markdown by goldmark, cleaned by a policy of
// bluemonday. Both are made when the service starts, and buffers are kept.
package main

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"wild/service"
)

const largest = 64 << 10

func main() {
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM))
	policy := bluemonday.UGCPolicy()
	buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /preview", func(w http.ResponseWriter, r *http.Request) {
		source, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		b := buffers.Get().(*bytes.Buffer)
		b.Reset()
		defer buffers.Put(b)
		if err := markdown.Convert(source, b); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if err := policy.SanitizeReaderToWriter(b, w); err != nil {
			log.Println(err)
		}
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
