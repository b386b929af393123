// Offers of a shop: each request shows ten articles. Articles are kept compressed; those that
// were read are held ready by a Ristretto cache that has room for all 3000 of them.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/ristretto/v2"

	"wild/service"
)

const (
	articles = 3000
	shown    = 10
)

type article struct {
	Number int               `json:"number"`
	Title  string            `json:"title"`
	Text   string            `json:"text"`
	Attrs  map[string]string `json:"attrs"`
}

type card struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Lead   string `json:"lead"`
	Colour string `json:"colour"`
}

type shelf struct {
	packed [][]byte
	ready  *ristretto.Cache[int, *article]
	zips   sync.Pool // of *gzip.Reader
}

func (s *shelf) article(n int) (*article, error) {
	if a, ok := s.ready.Get(n); ok {
		return a, nil
	}
	a, err := s.unpack(n)
	if err != nil {
		return nil, err
	}
	s.ready.Set(n, a, 1)
	return a, nil
}

func (s *shelf) unpack(n int) (*article, error) {
	z, ok := s.zips.Get().(*gzip.Reader)
	if !ok {
		z = new(gzip.Reader)
	}
	defer s.zips.Put(z)
	if err := z.Reset(bytes.NewReader(s.packed[n])); err != nil {
		return nil, err
	}
	a := new(article)
	return a, json.NewDecoder(z).Decode(a)
}

func main() {
	config := &ristretto.Config[int, *article]{NumCounters: 10 * articles, MaxCost: articles, BufferItems: 64}
	if service.After() {
		config.IgnoreInternalCost = true
	}
	cache, err := ristretto.NewCache(config)
	if err != nil {
		log.Fatal(err)
	}
	s := &shelf{packed: pack(), ready: cache}
	var seq atomic.Uint64
	http.HandleFunc("/offers", func(w http.ResponseWriter, r *http.Request) {
		rnd := rand.New(rand.NewPCG(seq.Add(1), 5))
		cards := make([]card, shown)
		for i := range cards {
			a, err := s.article(rnd.IntN(articles))
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			cards[i] = card{a.Number, a.Title, a.Text[:60], a.Attrs["colour"]}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(cards)
	})
	service.Run(http.DefaultServeMux)
}

func pack() [][]byte {
	words := strings.Fields("oak steel round light small for the kitchen garden and with two drawers made in a town by the sea")
	rnd := rand.New(rand.NewPCG(1, 2))
	out := make([][]byte, articles)
	z := gzip.NewWriter(nil)
	for i := range out {
		a := article{Number: i, Title: fmt.Sprint("Article ", i)}
		a.Attrs = map[string]string{"colour": words[i%5], "weight": fmt.Sprint(i % 17)}
		for range 150 {
			a.Text += words[rnd.IntN(len(words))] + " "
		}
		var b bytes.Buffer
		z.Reset(&b)
		json.NewEncoder(z).Encode(a)
		z.Close()
		out[i] = b.Bytes()
	}
	return out
}
