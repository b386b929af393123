// Baskets of a shop that are kept in memory, the one that was used longest ago first: each use
// puts a basket at the end of the line, and one that is new pushes out the first.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"sync"
	"time"

	"github.com/emirpasic/gods/maps/linkedhashmap"
	orderedmap "github.com/wk8/go-ordered-map/v2"

	"wild/service"
)

const kept = 12_000

type basket struct {
	Customer string    `json:"customer"`
	Articles []string  `json:"articles"`
	Used     time.Time `json:"used"`
}

// line is a map that remembers in which order its keys were put.
type line interface {
	get(key string) (*basket, bool)
	put(key string, b *basket)
	remove(key string)
	first() string
	size() int
}

type baskets struct {
	mu   sync.Mutex
	line line
}

// add puts an article into a basket and says what is in it then.
func (s *baskets) add(customer, article string) basket {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.line.get(customer)
	if ok {
		s.line.remove(customer)
	} else {
		if s.line.size() >= kept {
			s.line.remove(s.line.first())
		}
		b = &basket{Customer: customer}
	}
	articles := append(append([]string(nil), b.Articles...), article)
	if len(articles) > 5 {
		articles = articles[1:]
	}
	b = &basket{Customer: customer, Articles: articles, Used: time.Now()}
	s.line.put(customer, b)
	return *b
}

func main() {
	s := &baskets{line: linked{linkedhashmap.New()}}
	if service.After() {
		s.line = ordered{orderedmap.New[string, *basket]()}
	}
	for i := range kept {
		s.line.put(fmt.Sprint("c-", i), &basket{Customer: fmt.Sprint("c-", i)})
	}
	var seq sequence
	http.HandleFunc("/add", func(w http.ResponseWriter, r *http.Request) {
		article := r.URL.Query().Get("article")
		b := s.add(fmt.Sprint("c-", seq.next(article)%(kept+kept/10)), article)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(b)
	})
	service.Run(http.DefaultServeMux)
}

// sequence spreads requests over customers.
type sequence struct {
	mu sync.Mutex
	n  uint32
}

func (s *sequence) next(salt string) uint32 {
	s.mu.Lock()
	s.n++
	n := s.n
	s.mu.Unlock()
	h := fnv.New32a()
	fmt.Fprint(h, salt, n)
	return h.Sum32()
}

type linked struct{ m *linkedhashmap.Map }

func (l linked) get(key string) (*basket, bool) {
	v, ok := l.m.Get(key)
	if !ok {
		return nil, false
	}
	return v.(*basket), true
}

func (l linked) put(key string, b *basket) { l.m.Put(key, b) }
func (l linked) remove(key string)         { l.m.Remove(key) }
func (l linked) size() int                 { return l.m.Size() }

func (l linked) first() string {
	it := l.m.Iterator()
	it.First()
	return it.Key().(string)
}

type ordered struct {
	m *orderedmap.OrderedMap[string, *basket]
}

func (o ordered) get(key string) (*basket, bool) { return o.m.Get(key) }
func (o ordered) put(key string, b *basket)      { o.m.Set(key, b) }
func (o ordered) remove(key string)              { o.m.Delete(key) }
func (o ordered) first() string                  { return o.m.Oldest().Key }
func (o ordered) size() int                      { return o.m.Len() }
