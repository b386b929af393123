// Uploads of a photo service: phones send the parts of an upload, and the answer says how fast each came, so that the phone
// sends smaller parts over a slow network. How fast is told by a meter for each part.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/rcrowley/go-metrics"

	"wild/service"
)

// part is what is told of one.
type part struct {
	Name  string  `json:"name"`
	Bytes int64   `json:"bytes"`
	Rate  float64 `json:"rate"`
	Sum   string  `json:"sum"`
}

// intake takes parts.
type intake struct {
	uploads metrics.Counter
	bytes   metrics.Meter
	spool   io.Writer
	taken   atomic.Int64
}

// meter counts what passes.
type meter struct {
	metrics.Meter
	sum hash.Hash
}

func (m *meter) Write(p []byte) (int, error) {
	m.Mark(int64(len(p)))
	return m.sum.Write(p)
}

var errPart = errors.New("a part has a name and a body")

// take reads a part.
func (in *intake) take(name string, body io.Reader) (part, error) {
	if name == "" {
		return part{}, errPart
	}
	m := &meter{metrics.NewMeter(), sha256.New()}
	if service.After() {
		defer m.Stop()
	}
	if _, err := io.Copy(io.MultiWriter(in.spool, m), body); err != nil {
		return part{}, err
	}
	in.bytes.Mark(m.Count())
	in.taken.Add(1)
	return part{name, m.Count(), m.RateMean(), hex.EncodeToString(m.sum.Sum(nil)[:8])}, nil
}

// upload is a list of parts, each after a line with its name.
func (in *intake) upload(body io.Reader) (out []part, err error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	for _, one := range bytes.Split(bytes.TrimSpace(text), []byte("\n\n")) {
		name, content, ok := strings.Cut(string(one), "\n")
		if !ok {
			return nil, errPart
		}
		p, err := in.take(strings.TrimSpace(name), strings.NewReader(content))
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	in.uploads.Inc(1)
	return out, nil
}

func main() {
	in := &intake{uploads: metrics.NewRegisteredCounter("uploads", nil), bytes: metrics.NewRegisteredMeter("bytes", nil), spool: io.Discard} // parts go to a store, which is not what this is about
	mux := http.NewServeMux()
	mux.HandleFunc("POST /uploads/{phone}", func(w http.ResponseWriter, r *http.Request) {
		out, err := in.upload(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"phone": r.PathValue("phone"), "parts": out})
	})
	mux.HandleFunc("GET /rate", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"uploads": in.uploads.Count(), "bytes": in.bytes.Count(), "rate": in.bytes.Rate1()})
	})
	service.Run(mux)
}
