// Prices of a thing in several shops: what a customer looks for is collected from the pages of the shops, which take 10 ms, read out
// of their HTML, and put in order. Shops are to be treated kindly.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gocolly/colly/v2"

	"wild/service"
)

// offer is what a shop wants for a thing.
type offer struct {
	Shop  string `json:"shop"`
	Title string `json:"title"`
	Cents int    `json:"cents"`
}

// guide collects offers.
type guide struct {
	shops     []string
	collector *colly.Collector
}

func open(address string) (*guide, error) {
	g := &guide{collector: colly.NewCollector(colly.AllowURLRevisit(), colly.Async(true), colly.UserAgent("price guide"))}
	for _, shop := range []string{"north", "harbour", "corner"} {
		g.shops = append(g.shops, "http://"+address+"/"+shop)
	}
	g.collector.WithTransport(&http.Transport{MaxIdleConnsPerHost: 128})
	atOnce := 2
	if service.After() {
		atOnce = 64
	}
	return g, g.collector.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: atOnce})
}

// find collects what the shops want for a thing.
func (g *guide) find(thing string) ([]offer, error) {
	var (
		mu     sync.Mutex
		all    []offer
		failed error
	)
	c := g.collector.Clone()
	c.OnHTML("li.offer", func(e *colly.HTMLElement) {
		cents, err := strconv.Atoi(strings.ReplaceAll(strings.TrimPrefix(e.ChildText("b.price"), "€ "), ".", ""))
		if err != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, offer{e.Attr("data-shop"), e.ChildText("a"), cents})
	})
	c.OnError(func(_ *colly.Response, err error) {
		mu.Lock()
		defer mu.Unlock()
		failed = err
	})
	for _, shop := range g.shops {
		if err := c.Visit(shop + "/search?thing=" + thing); err != nil {
			return nil, err
		}
	}
	c.Wait()
	slices.SortFunc(all, func(a, b offer) int { return a.Cents - b.Cents })
	return all, failed
}

func (g *guide) serve(w http.ResponseWriter, r *http.Request) {
	all, err := g.find(r.PathValue("thing"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"offers": all})
}

func main() {
	if os.Getenv("ROLE") == "shops" {
		shops()
		return
	}
	g, err := open(service.Beside("shops"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /things/{thing}", g.serve)
	service.Run(mux)
}

// shops have things.
func shops() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{shop}/search", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(10 * time.Millisecond)
		shop, thing := r.PathValue("shop"), r.FormValue("thing")
		fmt.Fprintf(w, "<html><head><title>%s</title></head><body><h1>%s</h1><ul>", shop, thing)
		for i := range 4 {
			fmt.Fprintf(w, `<li class="offer" data-shop="%s"><a href="/%s/%d">%s, size %d</a> <b class="price">€ %d.%02d</b></li>`, shop, shop, i, thing, i, 10+len(shop)+i*3, i*25)
		}
		io.WriteString(w, "</ul></body></html>")
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
