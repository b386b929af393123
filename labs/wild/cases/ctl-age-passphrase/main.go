// A safe for small notes: each is a file of age, locked with a passphrase, and is opened for who
// has that. To try a passphrase takes long and much memory, on purpose.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"filippo.io/age"

	"wild/service"
)

const work = 14 // as a power of two

// note is what is kept.
type note struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

// safe keeps notes by their names.
type safe struct{ notes map[string][]byte }

func (s *safe) lock(name, passphrase string, n note) error {
	to, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return err
	}
	to.SetWorkFactor(work)
	var b bytes.Buffer
	w, err := age.Encrypt(&b, to)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(w).Encode(n); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	s.notes[name] = b.Bytes()
	return nil
}

var errWrong = errors.New("no such note, or another passphrase")

func (s *safe) open(name, passphrase string) (*note, error) {
	b, ok := s.notes[name]
	if !ok {
		return nil, errWrong
	}
	by, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, err
	}
	by.SetMaxWorkFactor(work)
	r, err := age.Decrypt(bytes.NewReader(b), by)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errWrong, err)
	}
	var n note
	return &n, json.NewDecoder(io.LimitReader(r, 1<<20)).Decode(&n)
}

func main() {
	s := &safe{map[string][]byte{}}
	for _, name := range []string{"wifi", "alarm", "cellar"} {
		n := note{Title: "The " + name, Lines: []string{"kept by the office", strings.Repeat(name+" ", 20)}}
		if err := s.lock(name, "correct horse "+name, n); err != nil {
			log.Fatal(err)
		}
	}
	http.HandleFunc("POST /notes/{name}", func(w http.ResponseWriter, r *http.Request) {
		passphrase, err := io.ReadAll(io.LimitReader(r.Body, 1024))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		n, err := s.open(r.PathValue("name"), string(passphrase))
		if errors.Is(err, errWrong) {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(n)
	})
	service.Run(http.DefaultServeMux)
}
