// Letters to a council: each is split into sentences, of which those that ask something go to the office that answers.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/neurosnap/sentences"
	"github.com/neurosnap/sentences/english"

	"wild/service"
)

// letter is what is made of one.
type letter struct {
	Sentences int      `json:"sentences"`
	Words     int      `json:"words"`
	Questions []string `json:"questions"`
}

// office reads letters.
type office struct {
	tokenizer *sentences.DefaultSentenceTokenizer // kept, if it is
}

func open() (*office, error) {
	if !service.After() {
		return &office{}, nil
	}
	t, err := english.NewSentenceTokenizer(nil)
	return &office{tokenizer: t}, err
}

func (o *office) read(text string) (letter, error) {
	t := o.tokenizer
	if t == nil {
		var err error
		if t, err = english.NewSentenceTokenizer(nil); err != nil {
			return letter{}, err
		}
	}
	var out letter
	for _, s := range t.Tokenize(text) {
		out.Sentences++
		out.Words += len(strings.Fields(s.Text))
		if sentence := strings.TrimSpace(s.Text); strings.HasSuffix(sentence, "?") {
			out.Questions = append(out.Questions, sentence)
		}
	}
	return out, nil
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil || len(text) == 0 {
		http.Error(w, "where is the letter?", http.StatusBadRequest)
		return
	}
	out, err := o.read(string(text))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	o, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /letters", o.serve)
	service.Run(mux)
}
