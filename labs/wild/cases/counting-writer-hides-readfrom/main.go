// Firmware for meters: they ask which version is the newest, and fetch it. What is fetched is counted by model, in bytes,
// for the bill.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/felixge/httpsnoop"

	"wild/service"
)

// bill is what was sent of a model.
type bill struct {
	mu      sync.Mutex
	sent    map[string]int64
	refused map[string]int
}

func (b *bill) add(model string, code int, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent[model] += bytes
	if code >= http.StatusBadRequest {
		b.refused[model]++
	}
}

// counted is an answer that knows how long it is.
type counted struct {
	http.ResponseWriter
	code  int
	bytes int64
}

func (c *counted) WriteHeader(code int) {
	c.code = code
	c.ResponseWriter.WriteHeader(code)
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}

// billed counts what h sends.
func (b *bill) billed(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if service.After() {
			m := httpsnoop.CaptureMetrics(h, w, r)
			b.add(r.PathValue("model"), m.Code, m.Written)
			return
		}
		c := &counted{ResponseWriter: w, code: http.StatusOK}
		h(c, r)
		b.add(r.PathValue("model"), c.code, c.bytes)
	}
}

// depot has a file for each version of a model.
type depot struct {
	dir string
}

const versions = 3

func (d *depot) path(model, version string) string {
	return filepath.Join(d.dir, filepath.Base(model)+"-"+filepath.Base(version)+".bin")
}

func (d *depot) fetch(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeFile(w, r, d.path(r.PathValue("model"), r.PathValue("version")))
}

func (d *depot) newest(w http.ResponseWriter, r *http.Request) {
	for v := versions; v > 0; v-- {
		info, err := os.Stat(d.path(r.PathValue("model"), fmt.Sprint(v)))
		if err != nil {
			continue
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"model": r.PathValue("model"), "version": v, "size": info.Size()})
		return
	}
	http.NotFound(w, r)
}

func main() {
	dir, err := os.MkdirTemp("", "firmware")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	d := &depot{dir}
	if err := d.fill(); err != nil {
		log.Fatal(err)
	}
	b := &bill{sent: map[string]int64{}, refused: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /firmware/{model}/{version}", b.billed(d.fetch))
	mux.HandleFunc("GET /firmware/{model}", b.billed(d.newest))
	mux.HandleFunc("GET /bill", func(w http.ResponseWriter, _ *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		json.NewEncoder(w).Encode(b.sent)
	})
	service.Run(mux)
}

// fill makes versions of some megabytes.
func (d *depot) fill() error {
	from := rand.New(rand.NewSource(7))
	for m, model := range []string{"gas", "heat", "power", "water"} {
		for v := 1; v <= versions; v++ {
			image := make([]byte, (2+m+v)<<19)
			from.Read(image)
			if err := os.WriteFile(d.path(model, fmt.Sprint(v)), image, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
