// Words for a crossword: a setter's program asks which words fit a pattern, and gets a page of them. What is sent is compressed,
// and each request is put into the log.
package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/handlers"

	"wild/service"
)

// words are those of the language, by their length.
type words struct{ of map[int][]string }

func open() *words {
	w := &words{map[int][]string{}}
	parts := []string{"ba", "ron", "lu", "mes", "ti", "ka", "der", "no", "vis", "pel", "or", "an", "gri", "so", "tem", "hal"}
	for n := range 40_000 {
		word := parts[n%16] + parts[n/16%16] + parts[n/256%16]
		if n%3 == 0 {
			word += parts[n/7%16]
		}
		w.of[len(word)] = append(w.of[len(word)], word)
	}
	return w
}

// fits says whether a word has the letters of a pattern, in which a dot is any letter.
func fits(word, pattern string) bool {
	for i := range len(pattern) {
		if pattern[i] != '.' && pattern[i] != word[i] {
			return false
		}
	}
	return true
}

func (ws *words) find(w http.ResponseWriter, r *http.Request) {
	pattern := strings.ToLower(r.PathValue("pattern"))
	if len(pattern) > 16 {
		http.Error(w, "there is no such long word", http.StatusBadRequest)
		return
	}
	type hit struct {
		Word  string `json:"word"`
		Score int    `json:"score"`
	}
	hits := []hit{}
	for i, word := range ws.of[len(pattern)] {
		if fits(word, pattern) {
			hits = append(hits, hit{word, (i*31 + 7) % 100})
		}
		if len(hits) == 40 {
			break
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"pattern": pattern, "hits": hits})
}

// packed is an answer that goes through a writer of the pool.
type packed struct {
	http.ResponseWriter
	to *gzip.Writer
}

func (p packed) Write(b []byte) (int, error) { return p.to.Write(b) }

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// compress is what the handler of the module does, with writers that are used again.
func compress(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.ServeHTTP(w, r)
			return
		}
		to := writers.Get().(*gzip.Writer)
		defer writers.Put(to)
		to.Reset(w)
		defer to.Close()
		w.Header().Set("Content-Encoding", "gzip")
		h.ServeHTTP(packed{w, to}, r)
	})
}

func main() {
	ws := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /words/{pattern}", ws.find)
	mux.HandleFunc("GET /lengths", func(w http.ResponseWriter, _ *http.Request) {
		for n, all := range ws.of {
			fmt.Fprintln(w, n, len(all))
		}
	})
	var h http.Handler = mux
	if service.After() {
		h = compress(h)
	} else {
		h = handlers.CompressHandler(h)
	}
	service.Run(handlers.CombinedLoggingHandler(io.Discard, handlers.RecoveryHandler()(h)))
}
