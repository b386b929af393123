// A poll of a newspaper: each address may vote so often for a question, and which address that is depends on the proxies in front, of
// which a list says whom to believe.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"sync"

	"github.com/realclientip/realclientip-go"
	"github.com/realclientip/realclientip-go/ranges"

	"wild/service"
)

// proxies are those of the house, and those of the network that it is delivered by.
func proxies() []string {
	list := append([]string{"10.0.0.0/8", "127.0.0.0/8", "::1/128"}, ranges.Cloudflare...)
	for i := range 180 {
		list = append(list, fmt.Sprintf("203.0.%d.0/28", i))
	}
	return list
}

func believe(list []string) (realclientip.Strategy, error) {
	nets, err := realclientip.AddressesAndRangesToIPNets(list...)
	if err != nil {
		return nil, err
	}
	return realclientip.NewRightmostTrustedRangeStrategy("X-Forwarded-For", nets)
}

// poll counts votes.
type poll struct {
	proxies  []string
	strategy realclientip.Strategy // kept, if it is

	mu    sync.Mutex
	votes map[string]int
	from  map[string]int
}

func open() (*poll, error) {
	p := &poll{proxies: proxies(), votes: make(map[string]int), from: make(map[string]int)}
	var err error
	if service.After() {
		p.strategy, err = believe(p.proxies)
	}
	return p, err
}

// address is where a vote comes from.
func (p *poll) address(r *http.Request) (string, error) {
	strategy := p.strategy
	if strategy == nil {
		var err error
		if strategy, err = believe(p.proxies); err != nil {
			return "", err
		}
	}
	return strategy.ClientIP(r.Header, r.RemoteAddr), nil
}

func (p *poll) serve(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Forwarded-For") == "" { // straight from the load balancer, which says it in the query
		r.Header.Set("X-Forwarded-For", r.URL.Query().Get("for"))
	}
	from, err := p.address(r)
	if err != nil || from == "" {
		http.Error(w, "who are you?", http.StatusBadRequest)
		return
	}
	answer := r.PathValue("answer")
	p.mu.Lock()
	p.votes[answer]++
	p.from[from]++
	count, times := p.votes[answer], p.from[from]
	p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"answer": answer, "votes": count, "from": from, "times": times})
}

func main() {
	p, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /poll/{answer}", p.serve)
	service.Run(mux)
}
