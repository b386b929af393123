// Photographs of a museum: a visitor's browser asks whether the one that it has is still right, by a tag that is a hash of the picture, and is
// told so, or is sent the picture.
package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"

	"github.com/zeebo/xxh3"

	"wild/service"
)

// museum has pictures, and what identifies each.
type museum struct {
	pictures [][]byte
	tags     []string
}

func open() *museum {
	m := &museum{}
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range 64 {
		picture := make([]byte, 4096+i*32)
		for j := range picture {
			picture[j] = byte(chance.Uint32())
		}
		m.pictures = append(m.pictures, picture)
		m.tags = append(m.tags, tag(picture))
	}
	return m
}

// tag identifies a picture.
func tag(picture []byte) string { return fmt.Sprintf(`"%016x"`, xxh3.Hash(picture)) }

func (m *museum) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("picture"))
	if err != nil || n < 0 || n >= len(m.pictures) {
		http.Error(w, "no such picture", http.StatusNotFound)
		return
	}
	w.Header().Set("ETag", m.tags[n])
	if r.Header.Get("If-None-Match") == m.tags[n] {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	w.Write(m.pictures[n])
}

func main() {
	m := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pictures/{picture}", m.serve)
	service.Run(mux)
}
