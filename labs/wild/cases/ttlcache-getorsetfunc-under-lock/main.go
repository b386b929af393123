// Stock of a bookshop: how many copies of a book its shops have is asked of the warehouse, a service that takes 6 ms, and kept for
// two seconds.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"wild/service"
)

const kept = 2 * time.Second

// stock is what the warehouse says of a book.
type stock struct {
	Book   string `json:"book"`
	Shelf  string `json:"shelf"`
	Copies []int  `json:"copies"` // by shop
}

// shop asks for stock.
type shop struct {
	warehouse string
	client    *http.Client
	cache     *ttlcache.Cache[string, stock]
	asked     atomic.Int64
}

func open(warehouse string) *shop {
	s := &shop{warehouse: "http://" + warehouse, client: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	opts := []ttlcache.Option[string, stock]{ttlcache.WithTTL[string, stock](kept), ttlcache.WithDisableTouchOnHit[string, stock]()}
	if service.After() {
		load := ttlcache.LoaderFunc[string, stock](func(c *ttlcache.Cache[string, stock], book string) *ttlcache.Item[string, stock] {
			return c.Set(book, s.ask(book), ttlcache.DefaultTTL)
		})
		opts = append(opts, ttlcache.WithLoader(ttlcache.NewSuppressedLoader(load, nil)))
	}
	s.cache = ttlcache.New(opts...)
	go s.cache.Start()
	return s
}

// ask asks the warehouse. A book that it does not have has no copies.
func (s *shop) ask(book string) stock {
	s.asked.Add(1)
	out := stock{Book: book}
	resp, err := s.client.Get(s.warehouse + "/books/" + book)
	if err != nil {
		return out
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		log.Println(book, err)
	}
	return out
}

// find is the stock of a book.
func (s *shop) find(book string) stock {
	if service.After() {
		return s.cache.Get(book).Value()
	}
	item, _ := s.cache.GetOrSetFunc(book, func() stock { return s.ask(book) })
	return item.Value()
}

func (s *shop) serve(w http.ResponseWriter, r *http.Request) {
	books := strings.Split(r.FormValue("books"), ",")
	if len(books) > 20 {
		http.Error(w, "too many books", http.StatusBadRequest)
		return
	}
	all, out := []stock{}, 0
	for _, book := range books {
		found := s.find(book)
		have := 0
		for _, n := range found.Copies {
			have += n
		}
		if have == 0 {
			out++
		}
		all = append(all, found)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"books": all, "sold_out": out})
}

func main() {
	if os.Getenv("ROLE") == "warehouse" {
		warehouse()
		return
	}
	s := open(service.Beside("warehouse"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stock", s.serve)
	mux.HandleFunc("GET /statistics", func(w http.ResponseWriter, _ *http.Request) {
		m := s.cache.Metrics()
		fmt.Fprintln(w, "asked", s.asked.Load(), "hits", m.Hits, "kept", s.cache.Len())
	})
	service.Run(mux)
}

// warehouse has books.
func warehouse() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /books/{book}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(6 * time.Millisecond)
		book := r.PathValue("book")
		n := 0
		for _, c := range book {
			n = n*31 + int(c)
		}
		n &= 0xfff
		json.NewEncoder(w).Encode(stock{book, fmt.Sprintf("%c%d", 'A'+n%20, n%48), []int{n % 3, n % 2, n % 5}})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
