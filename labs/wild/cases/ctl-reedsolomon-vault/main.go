// Deeds of a notary: a deed is cut into shards that are kept in different places, with some more shards from which lost
// ones are made again. Deeds come in, and are put together even if shards are missing.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/reedsolomon"

	"wild/service"
)

// A deed is in ten shards, and four more are made of them.
const (
	data   = 10
	parity = 4
)

// deed is one as it is kept.
type deed struct {
	shards [][]byte
	size   int
	sum    string
}

// vault keeps deeds. The encoder is made once, and is safe for all.
type vault struct {
	encoder reedsolomon.Encoder
	mu      sync.RWMutex
	deeds   map[int]deed
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// put keeps a deed.
func (v *vault) put(id int, text []byte) (deed, error) {
	shards, err := v.encoder.Split(bytes.Clone(text))
	if err != nil {
		return deed{}, err
	}
	if err := v.encoder.Encode(shards); err != nil {
		return deed{}, err
	}
	d := deed{shards, len(text), sum(text)}
	v.mu.Lock()
	v.deeds[id] = d
	v.mu.Unlock()
	return d, nil
}

var errDeed = errors.New("no such deed")

// get puts a deed together without some of its shards.
func (v *vault) get(id int, lost []int) ([]byte, error) {
	v.mu.RLock()
	d, ok := v.deeds[id]
	v.mu.RUnlock()
	if !ok {
		return nil, errDeed
	}
	shards := append([][]byte(nil), d.shards...)
	for _, i := range lost {
		shards[i] = nil
	}
	if err := v.encoder.ReconstructData(shards); err != nil {
		return nil, fmt.Errorf("deed %d: %w", id, err)
	}
	var out bytes.Buffer
	out.Grow(d.size)
	if err := v.encoder.Join(&out, shards, d.size); err != nil {
		return nil, err
	}
	if sum(out.Bytes()) != d.sum {
		return nil, fmt.Errorf("deed %d is not what it was", id)
	}
	return out.Bytes(), nil
}

func main() {
	encoder, err := reedsolomon.New(data, parity, reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		log.Fatal(err)
	}
	v := &vault{encoder: encoder, deeds: map[int]deed{}}
	random := rand.NewChaCha8([32]byte{1})
	for id := range 64 {
		text := make([]byte, 96<<10+id*2048)
		random.Read(text)
		if _, err := v.put(id, text); err != nil {
			log.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /deeds/{id}/check", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.PathValue("id"))
		var lost []int
		for _, s := range r.URL.Query()["lost"] {
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 || n >= data+parity {
				http.Error(w, "lost is the number of a shard", http.StatusBadRequest)
				return
			}
			lost = append(lost, n)
		}
		text, err := v.get(id, lost)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"deed": id, "bytes": len(text), "lost": len(lost), "whole": true})
	})
	mux.HandleFunc("PUT /deeds/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id < 0 || id > 1000 {
			http.Error(w, "id is a number", http.StatusBadRequest)
			return
		}
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
		if err != nil || len(text) == 0 {
			http.Error(w, "a deed has a text", http.StatusBadRequest)
			return
		}
		d, err := v.put(id, text)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"deed": id, "sum": d.sum})
	})
	service.Run(mux)
}
