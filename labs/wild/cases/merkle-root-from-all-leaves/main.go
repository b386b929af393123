// A register of deeds: each deed is added to its town's book, and the answer has the book's root, by which anyone can see later that
// nothing was changed. A book that is full is closed, and the next one begins with the deeds that are carried over.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"sync"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/rfc6962"

	"wild/service"
)

const (
	carried = 500  // deeds that a new book begins with
	full    = 1000 // and those that it ends with
)

var trees = compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}

// book has the deeds of a town.
type book struct {
	mu     sync.Mutex
	leaves [][]byte
	kept   *compact.Range // grows with each deed, if it does
}

// begin makes a new book.
func (b *book) begin(town int) error {
	b.leaves = nil
	b.kept = trees.NewEmptyRange(0)
	for i := range carried {
		leaf := rfc6962.DefaultHasher.HashLeaf(fmt.Appendf(nil, "town %d, deed %d", town, i))
		b.leaves = append(b.leaves, leaf)
		if err := b.kept.Append(leaf, nil); err != nil {
			return err
		}
	}
	return nil
}

// root is what a book's leaves come to.
func root(leaves [][]byte) ([]byte, error) {
	tree := trees.NewEmptyRange(0)
	for _, leaf := range leaves {
		if err := tree.Append(leaf, nil); err != nil {
			return nil, err
		}
	}
	return tree.GetRootHash(nil)
}

// register has the books of all towns.
type register struct{ books []*book }

// add writes a deed, and says which it is and what the root is now.
func (g *register) add(town int, deed []byte) (int, []byte, error) {
	leaf := rfc6962.DefaultHasher.HashLeaf(deed)
	b := g.books[town]
	b.mu.Lock()
	if len(b.leaves) >= full {
		if err := b.begin(town); err != nil {
			b.mu.Unlock()
			return 0, nil, err
		}
	}
	b.leaves = append(b.leaves, leaf)
	if service.After() {
		defer b.mu.Unlock()
		if err := b.kept.Append(leaf, nil); err != nil {
			return 0, nil, err
		}
		sum, err := b.kept.GetRootHash(nil)
		return len(b.leaves), sum, err
	}
	leaves := b.leaves // only ever added to
	b.mu.Unlock()
	sum, err := root(leaves)
	return len(leaves), sum, err
}

func (g *register) serve(w http.ResponseWriter, r *http.Request) {
	town, err := strconv.Atoi(r.PathValue("town"))
	if err != nil || town < 0 || town >= len(g.books) {
		http.Error(w, "which town?", http.StatusNotFound)
		return
	}
	deed, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<12))
	if err != nil || len(deed) == 0 {
		http.Error(w, "what is sold?", http.StatusBadRequest)
		return
	}
	n, sum, err := g.add(town, deed)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"deed": n, "root": hex.EncodeToString(sum)})
}

func main() {
	g := &register{}
	for town := range 32 {
		b := &book{}
		if err := b.begin(town); err != nil {
			log.Fatal(err)
		}
		g.books = append(g.books, b)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /towns/{town}/deeds", g.serve)
	service.Run(mux)
}
