// Notices of a pharmacy to the practices around it: what was handed out, what is out of stock, what two practices prescribed
// that does not go together. A practice fetches its notices, each sealed for it alone.
package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/nacl/box"

	"wild/service"
)

// notice is what a practice is told.
type notice struct {
	Number  int       `json:"number"`
	Patient string    `json:"patient"`
	Kind    string    `json:"kind"`
	Remedy  string    `json:"remedy"`
	Text    string    `json:"text"`
	At      time.Time `json:"at"`
}

// sealed is a notice as it travels.
type sealed struct {
	Number int    `json:"number"`
	Box    string `json:"box"`
}

// practice is a practice, its key, and what waits for it.
type practice struct {
	name    string
	public  [32]byte
	shared  *[32]byte // of both keys
	notices []notice
}

// pharmacy has a key of its own, which changes with the year.
type pharmacy struct {
	private   *[32]byte
	public    *[32]byte
	practices []*practice
	sent      atomic.Uint64
	start     [16]byte
}

var errPractice = errors.New("no such practice")

func open() (*pharmacy, error) {
	p := &pharmacy{}
	var err error
	if p.public, p.private, err = box.GenerateKey(rand.Reader); err != nil {
		return nil, err
	}
	rand.Read(p.start[:])
	kinds := []string{"handed out", "out of stock", "interaction", "question of dose"}
	remedies := []string{"Metoprolol 47.5 mg", "Pantoprazole 20 mg", "Amlodipine 5 mg", "Ramipril 2.5 mg", "Levothyroxine 75 µg"}
	begin := time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)
	for i := range 48 {
		public, _, err := box.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		one := &practice{name: fmt.Sprintf("practice-%d", i), public: *public}
		for n := range 60 {
			one.notices = append(one.notices, notice{
				Number: n + 1, Patient: fmt.Sprintf("P%05d", (i*977+n*131)%100000), Kind: kinds[(i+n)%len(kinds)],
				Remedy: remedies[(i*3+n)%len(remedies)], Text: "Please call us back before the next prescription is written.",
				At: begin.Add(time.Duration(n*7+i) * time.Minute),
			})
		}
		if service.After() {
			one.shared = new([32]byte)
			box.Precompute(one.shared, &one.public, p.private)
		}
		p.practices = append(p.practices, one)
	}
	return p, nil
}

// nonce is one that was not used before with any key.
func (p *pharmacy) nonce() *[24]byte {
	var n [24]byte
	copy(n[:], p.start[:])
	binary.BigEndian.PutUint64(n[16:], p.sent.Add(1))
	return &n
}

// seal closes a notice, so that only the practice opens it.
func (p *pharmacy) seal(to *practice, n notice) (sealed, error) {
	text, err := json.Marshal(n)
	if err != nil {
		return sealed{}, err
	}
	nonce := p.nonce()
	out := make([]byte, 24, 24+len(text)+box.Overhead)
	copy(out, nonce[:])
	if to.shared != nil {
		out = box.SealAfterPrecomputation(out, text, nonce, to.shared)
	} else {
		out = box.Seal(out, text, nonce, &to.public, p.private)
	}
	return sealed{n.Number, base64.StdEncoding.EncodeToString(out)}, nil
}

// since are the notices of a practice from a number on, at most twenty.
func (p *pharmacy) since(id string, number int) ([]sealed, error) {
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(p.practices) {
		return nil, errPractice
	}
	to := p.practices[i]
	out := []sealed{}
	for _, n := range to.notices {
		if n.Number <= number {
			continue
		}
		one, err := p.seal(to, n)
		if err != nil {
			return nil, err
		}
		if out = append(out, one); len(out) == 20 {
			break
		}
	}
	return out, nil
}

func (p *pharmacy) serve(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.FormValue("after"))
	if err != nil {
		http.Error(w, "after is the number of a notice", http.StatusBadRequest)
		return
	}
	out, err := p.since(r.PathValue("practice"), number)
	switch {
	case errors.Is(err, errPractice):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	p, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /practices/{practice}/notices", p.serve)
	mux.HandleFunc("GET /key", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, base64.StdEncoding.EncodeToString(p.public[:]))
	})
	service.Run(mux)
}
