// A search over notes: they come in twenty at a time, and go into an index of bleve on disk.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2"

	"wild/service"
)

type note struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

func main() {
	dir, err := os.MkdirTemp("", "notes-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	index, err := bleve.New(filepath.Join(dir, "notes.bleve"), bleve.NewIndexMapping())
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	add := oneByOne
	if service.After() {
		add = batch
	}
	var seq atomic.Int64
	http.HandleFunc("POST /notes", func(w http.ResponseWriter, r *http.Request) {
		var notes []note
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&notes); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		n := seq.Add(int64(len(notes))) % 4000 // later ones are newer versions of the first
		if err := add(index, n, notes); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, len(notes), "notes")
	})
	service.Run(http.DefaultServeMux)
}

func oneByOne(index bleve.Index, from int64, notes []note) error {
	for i, n := range notes {
		if err := index.Index(fmt.Sprint(from+int64(i)), n); err != nil {
			return err
		}
	}
	return nil
}

func batch(index bleve.Index, from int64, notes []note) error {
	b := index.NewBatch()
	for i, n := range notes {
		if err := b.Index(fmt.Sprint(from+int64(i)), n); err != nil {
			return err
		}
	}
	return index.Batch(b)
}
