// Accounts of a bank for its app: most ask what an account has, some for all that went in and out in a year. Answers
// that are worth it are compressed on their way.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"

	"wild/service"
)

// posting is money that went in or out.
type posting struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	Cents   int64     `json:"cents"`
	Balance int64     `json:"balance"`
	Text    string    `json:"text"`
	Partner string    `json:"partner"`
}

// account has what was posted, newest last.
type account struct {
	Owner    string
	postings []posting
}

func newAccount(n int) *account {
	a := &account{Owner: fmt.Sprint("Customer ", n)}
	at, balance := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC), int64(120_000)
	for i := range 400 + n*20 {
		cents := int64((i*7919+n*31)%9000) - 4400
		balance += cents
		at = at.Add(time.Duration(3+i%11) * time.Hour)
		a.postings = append(a.postings, posting{fmt.Sprintf("p-%d-%05d", n, i*17%99991), at, cents, balance, fmt.Sprint("Card payment ", i*613%1000), fmt.Sprint("Shop ", i*31%97)})
	}
	return a
}

// small is what is not worth compressing, in bytes.
const small = 1024

var level = func() int {
	if service.After() {
		return 4
	}
	return brotli.BestCompression
}()

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// answer writes v as JSON, compressed when it is large and that is understood.
func answer(w http.ResponseWriter, r *http.Request, v any) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if b.Len() < small || !strings.Contains(r.Header.Get("Accept-Encoding"), "br") {
		io.Copy(w, b)
		return
	}
	w.Header().Set("Content-Encoding", "br")
	w.Header().Add("Vary", "Accept-Encoding")
	out := brotli.NewWriterLevel(w, level)
	io.Copy(out, b)
	out.Close()
}

func main() {
	accounts := make([]*account, 20)
	for i := range accounts {
		accounts[i] = newAccount(i)
	}
	of := func(w http.ResponseWriter, r *http.Request) *account {
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || n < 0 || n >= len(accounts) {
			http.NotFound(w, r)
			return nil
		}
		return accounts[n]
	}
	http.HandleFunc("GET /accounts/{n}", func(w http.ResponseWriter, r *http.Request) {
		if a := of(w, r); a != nil {
			last := a.postings[len(a.postings)-3:]
			answer(w, r, map[string]any{"owner": a.Owner, "balance": last[2].Balance, "last": last})
		}
	})
	http.HandleFunc("GET /accounts/{n}/year", func(w http.ResponseWriter, r *http.Request) {
		if a := of(w, r); a != nil {
			answer(w, r, map[string]any{"owner": a.Owner, "postings": a.postings})
		}
	})
	service.Run(http.DefaultServeMux)
}
