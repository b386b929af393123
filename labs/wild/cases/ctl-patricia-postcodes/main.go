// Postcodes over HTTP/2 in the clear: for what was typed of one, the first few that begin so and are delivered to; depots say which no longer
// are, or are again, and each such change has an identifier.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync"

	"github.com/rs/xid"
	"github.com/tchap/go-patricia/v2/patricia"

	"wild/service"
)

const most = 8 // postcodes that are shown

var errEnough = errors.New("enough")

// post knows postcodes, and the depots that deliver to them.
type post struct {
	mu    sync.RWMutex
	codes *patricia.Trie
}

func open() *post {
	p := &post{codes: patricia.NewTrie()}
	for i := range 20000 {
		code := fmt.Sprintf("%c%c%d %d%c%c", 'A'+i%19, 'B'+i/19%23, 1+i%97, i%10, 'C'+i%20, 'D'+i/7%22)
		p.codes.Insert(patricia.Prefix(code), i%40)
	}
	return p
}

// begin are the first postcodes that begin so.
func (p *post) begin(typed string) []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out := []string{}
	p.codes.VisitSubtree(patricia.Prefix(typed), func(code patricia.Prefix, _ patricia.Item) error {
		out = append(out, string(code))
		if len(out) == most {
			return errEnough
		}
		return nil
	})
	return out
}

func (p *post) serveBegin(w http.ResponseWriter, r *http.Request) {
	typed := strings.ToUpper(r.URL.Query().Get("typed"))
	if typed == "" {
		http.Error(w, "what was typed?", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(p.begin(typed))
}

// serveChange has a postcode delivered to by a depot.
func (p *post) serveChange(w http.ResponseWriter, r *http.Request) {
	code := strings.ToUpper(r.PathValue("code"))
	p.mu.Lock()
	p.codes.Set(patricia.Prefix(code), len(code))
	p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"change": xid.New().String(), "code": code})
}

func main() {
	p := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /postcodes", p.serveBegin)
	mux.HandleFunc("PUT /postcodes/{code}", p.serveChange)
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	srv := &http.Server{Handler: mux, Protocols: &protocols}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
