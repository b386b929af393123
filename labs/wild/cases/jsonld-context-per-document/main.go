// A catalogue of museums: museums send what they own as JSON-LD, which names the vocabulary that it is written in by an
// address. Documents are put into the catalogue's own words, and told back so.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/piprate/json-gold/ld"

	"wild/service"
)

// vocabulary is the one that museums write in.
const vocabulary = "http://vocabulary.example/heritage.jsonld"

// own are the catalogue's words.
var own = map[string]any{"@context": map[string]any{
	"titel": "http://vocabulary.example/title", "von": "http://vocabulary.example/creator", "jahr": "http://vocabulary.example/year",
	"aus": "http://vocabulary.example/material", "in": "http://vocabulary.example/keeper", "name": "http://vocabulary.example/name",
}}

// catalogue translates.
type catalogue struct {
	processor *ld.JsonLdProcessor
	loader    ld.DocumentLoader
	taken     atomic.Int64
}

// open has a catalogue whose vocabularies are served at an address.
func open(address string) (*catalogue, error) {
	dialer := &net.Dialer{Timeout: time.Second}
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		MaxIdleConnsPerHost: 64,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, address)
		},
	}}
	c := &catalogue{processor: ld.NewJsonLdProcessor(), loader: ld.NewDefaultDocumentLoader(client)}
	if service.After() {
		kept := ld.NewCachingDocumentLoader(c.loader)
		if err := kept.PreloadWithMapping(map[string]string{vocabulary: vocabulary}); err != nil {
			return nil, err
		}
		c.loader = kept
	}
	return c, nil
}

var errDocument = errors.New("not a document of ours")

// take reads a document and tells it in the catalogue's words.
func (c *catalogue) take(document map[string]any) (map[string]any, error) {
	if document["@context"] != vocabulary {
		return nil, fmt.Errorf("%w: vocabulary %v", errDocument, document["@context"])
	}
	options := ld.NewJsonLdOptions("")
	options.DocumentLoader = c.loader
	expanded, err := c.processor.Expand(document, options)
	if err != nil {
		return nil, err
	}
	if len(expanded) == 0 {
		return nil, fmt.Errorf("%w: it says nothing", errDocument)
	}
	out, err := c.processor.Compact(expanded, own, options)
	if err != nil {
		return nil, err
	}
	delete(out, "@context")
	out["nr"] = c.taken.Add(1)
	return out, nil
}

func main() {
	if os.Getenv("ROLE") == "vocabulary" {
		serveVocabulary()
		return
	}
	c, err := open(service.Beside("vocabulary"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /objects", func(w http.ResponseWriter, r *http.Request) {
		var document map[string]any
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&document); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		out, err := c.take(document)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// serveVocabulary is where the vocabulary is published, 6 ms away.
func serveVocabulary() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(`{"@context": {"@vocab": "http://vocabulary.example/"`)
	for _, word := range []string{"title", "creator", "year", "material", "keeper", "name", "place", "found", "height", "width", "weight", "note"} {
		fmt.Fprintf(&b, `, %q: "http://vocabulary.example/%s"`, word, word)
	}
	b.WriteString(`}}`)
	http.HandleFunc("GET /heritage.jsonld", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(6 * time.Millisecond)
		w.Header().Set("Content-Type", "application/ld+json")
		w.Header().Set("Cache-Control", "public, max-age=86400")
		io.WriteString(w, b.String())
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
