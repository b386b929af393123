// Traces of requests are kept compressed with zstd, each as one block; a question reads one
// and answers with how long each part of it took.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"strconv"

	"github.com/klauspost/compress/zstd"

	"wild/service"
)

const (
	traces = 32
	spans  = 4000
)

func main() {
	stored := store()
	concurrency := 1
	if service.After() {
		concurrency = 0 // as many as there are processors
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(concurrency))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/trace", func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.URL.Query().Get("id"))
		if err != nil || i < 0 || i >= traces {
			http.Error(w, "no such trace", http.StatusNotFound)
			return
		}
		data, err := decoder.DecodeAll(stored[i], nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(slowest(data))
	})
	service.Run(http.DefaultServeMux)
}

// slowest is the span that took longest, and how many there are.
func slowest(data []byte) map[string]any {
	n, most, name := 0, 0, ""
	head := data[:min(len(data), 8<<10)] // they are kept with the slowest first
	lines := bufio.NewScanner(bytes.NewReader(head))
	for lines.Scan() {
		n++
		at := bytes.LastIndexByte(lines.Bytes(), ' ')
		if took, err := strconv.Atoi(string(lines.Bytes()[at+1:])); err == nil && took > most {
			most, name = took, string(lines.Bytes()[:max(at, 0)])
		}
	}
	return map[string]any{"bytes": len(data), "looked": n, "slowest": name, "micros": most}
}

func store() [][]byte {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		log.Fatal(err)
	}
	out := make([][]byte, traces)
	for i := range out {
		rnd := rand.New(rand.NewPCG(uint64(i), 1))
		var b bytes.Buffer
		for range spans {
			fmt.Fprintf(&b, "span=%016x parent=%08x op=%s.%s host=app-%d %d\n", rnd.Uint64(), rnd.Uint32(),
				[]string{"db", "cache", "http", "queue"}[rnd.IntN(4)], []string{"get", "put", "list"}[rnd.IntN(3)], rnd.IntN(40), rnd.IntN(90000))
		}
		out[i] = encoder.EncodeAll(b.Bytes(), nil)
	}
	return out
}
