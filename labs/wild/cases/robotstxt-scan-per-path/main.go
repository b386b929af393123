// The frontier of a crawler: pages of a host that were found and not visited yet, of which its robots.txt says which may be. The first
// that may, and that were not asked for lately, are what a worker gets.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/temoto/robotstxt"

	"wild/service"
)

const us = "ExampleSearch"

// page is one that was found.
type page struct {
	path  string
	score int
}

// host has pages, and says what crawlers may.
type host struct {
	name   string
	robots *robotstxt.RobotsData
	found  []page
}

// frontier are the hosts.
type frontier struct{ hosts []host }

// rules is the robots.txt of a publisher that lists the crawlers of the world, one by one.
func rules(n int) string {
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, "User-agent: Bot-%d-of-%d\nDisallow: /\n\n", i, n)
	}
	b.WriteString("User-agent: ExampleSearch\nCrawl-delay: 1\n")
	for _, path := range []string{"/cart", "/account", "/search", "/print/", "/ads/", "/internal/", "/section-7/", "/section-3/item-1"} {
		fmt.Fprintf(&b, "Disallow: %s\n", path)
	}
	b.WriteString("Allow: /section-7/overview\n\nUser-agent: *\nDisallow: /\n")
	return b.String()
}

func open() (*frontier, error) {
	f := &frontier{}
	for n := range 20 {
		robots, err := robotstxt.FromString(rules(n))
		if err != nil {
			return nil, err
		}
		h := host{name: fmt.Sprintf("news-%d.example", n), robots: robots}
		for i := range 240 {
			path := fmt.Sprintf("/section-%d/item-%d", i%9, i)
			if i%6 == 0 {
				path = fmt.Sprintf("/print/item-%d", i)
			}
			h.found = append(h.found, page{path, 1000 - (i*37)%1000})
		}
		f.hosts = append(f.hosts, h)
	}
	return f, nil
}

// next are pages of a host that may be visited, best first as they were found.
func (h *host) next(score int) (pages []string, refused int) {
	may := func(path string) bool { return h.robots.TestAgent(path, us) }
	if service.After() {
		may = h.robots.FindGroup(us).Test
	}
	for _, p := range h.found {
		if !may(p.path) {
			refused++
			continue
		}
		if p.score >= score {
			pages = append(pages, p.path)
		}
	}
	return pages, refused
}

func (f *frontier) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("host"))
	if err != nil || n < 0 || n >= len(f.hosts) {
		http.Error(w, "there is no such host", http.StatusNotFound)
		return
	}
	score, _ := strconv.Atoi(r.URL.Query().Get("score"))
	h := &f.hosts[n]
	pages, refused := h.next(score)
	if len(pages) > 40 {
		pages = pages[:40]
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"host": h.name, "pages": pages, "refused": refused, "delay": h.robots.FindGroup(us).CrawlDelay.Seconds(),
	})
}

func main() {
	f, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hosts/{host}/next", f.serve)
	service.Run(mux)
}
