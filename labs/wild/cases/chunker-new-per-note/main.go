// Notes of a team: a note is cut where its content says so, and of its parts only those are kept that are not there yet.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/restic/chunker"

	"wild/service"
)

const (
	shortest = 2 << 10
	longest  = 16 << 10
	pol      = chunker.Pol(0x3DA3358B4DC173)
)

// shelf has parts, by their hash.
type shelf struct {
	mu    sync.Mutex
	parts map[[32]byte][]byte

	cutters sync.Pool
}

func open() *shelf {
	s := &shelf{parts: map[[32]byte][]byte{}}
	s.cutters.New = func() any { return cutter(nil) }
	return s
}

func cutter(rd io.Reader) *chunker.Chunker {
	c := chunker.NewWithBoundaries(rd, pol, shortest, longest)
	c.SetAverageBits(12)
	return c
}

// keep keeps a part that is not there, and says whether it was.
func (s *shelf) keep(part []byte) ([32]byte, bool) {
	sum := sha256.Sum256(part)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.parts[sum]; ok {
		return sum, true
	}
	if len(s.parts) > 4096 {
		clear(s.parts)
	}
	s.parts[sum] = bytes.Clone(part)
	return sum, false
}

// put cuts a note and keeps its parts.
func (s *shelf) put(note io.Reader) (parts []string, again int, err error) {
	var cut *chunker.Chunker
	if service.After() {
		cut = s.cutters.Get().(*chunker.Chunker)
		defer s.cutters.Put(cut)
		cut.ResetWithBoundaries(note, pol, shortest, longest)
		cut.SetAverageBits(12)
	} else {
		cut = cutter(note)
	}
	part := make([]byte, 0, longest)
	for {
		c, err := cut.Next(part)
		if errors.Is(err, io.EOF) {
			return parts, again, nil
		}
		if err != nil {
			return nil, 0, err
		}
		sum, had := s.keep(c.Data)
		if had {
			again++
		}
		parts = append(parts, fmt.Sprintf("%x", sum[:8]))
	}
}

func (s *shelf) serve(w http.ResponseWriter, r *http.Request) {
	parts, again, err := s.put(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"note": r.PathValue("note"), "parts": parts, "again": again})
}

func main() {
	s := open()
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /notes/{note}", s.serve)
	service.Run(mux)
}
