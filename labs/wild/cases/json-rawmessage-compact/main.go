// A store of documents that are kept as JSON, checked when they were written: a request
// gets one of them, with its number and revision around it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"

	"wild/service"
)

type envelope struct {
	ID       int             `json:"id"`
	Revision int             `json:"revision"`
	Document json.RawMessage `json:"document"`
}

func main() {
	documents := make([]json.RawMessage, 64)
	for i := range documents {
		d, err := json.Marshal(document(i))
		if err != nil {
			log.Fatal(err)
		}
		documents[i] = d
	}
	answer := func(w http.ResponseWriter, id int) error {
		return json.NewEncoder(w).Encode(envelope{ID: id, Revision: 7, Document: documents[id]})
	}
	if service.After() {
		answer = func(w http.ResponseWriter, id int) error {
			fmt.Fprintf(w, `{"id":%d,"revision":%d,"document":`, id, 7)
			w.Write(documents[id])
			_, err := w.Write([]byte("}\n"))
			return err
		}
	}
	http.HandleFunc("GET /documents/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id < 0 || id >= len(documents) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := answer(w, id); err != nil {
			log.Println(err)
		}
	})
	service.Run(http.DefaultServeMux)
}

type section struct {
	Title  string            `json:"title"`
	Text   string            `json:"text"`
	Labels map[string]string `json:"labels"`
	Counts []int             `json:"counts"`
}

func document(id int) []section {
	s := make([]section, 90)
	for i := range s {
		s[i] = section{
			Title:  fmt.Sprintf("Section %d of document %d", i, id),
			Text:   "What was agreed is written here, and who agreed to it; it holds until it is changed by both sides.",
			Labels: map[string]string{"owner": "legal", "state": "agreed", "language": "en"},
			Counts: []int{i, i * 3, i * 17, id},
		}
	}
	return s
}
