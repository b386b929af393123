// News of a town on one page: the feeds of its clubs are read when a reader asks for them. The feeds come from a process of their own,
// which takes 5 ms. The parser is shared, and was once not safe for that.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mmcdole/gofeed"

	"wild/service"
)

// town reads feeds.
type town struct {
	feeds string

	mu     sync.Mutex // of the parser, which one reader uses at a time
	parser *gofeed.Parser
}

func open(feeds string) *town {
	t := &town{feeds: "http://" + feeds, parser: gofeed.NewParser()}
	t.parser.Client = &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	t.parser.UserAgent = "town/1.0"
	return t
}

// read has the feed of a club.
func (t *town) read(ctx context.Context, club string) (*gofeed.Feed, error) {
	if !service.After() {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	return t.parser.ParseURLWithContext(t.feeds+"/clubs/"+club+".xml", ctx)
}

// story is a line of the page.
type story struct {
	Club  string    `json:"club"`
	Title string    `json:"title"`
	Link  string    `json:"link"`
	At    time.Time `json:"at"`
}

func (t *town) page(w http.ResponseWriter, r *http.Request) {
	var all []story
	for _, club := range strings.SplitN(r.FormValue("clubs"), ",", 5) {
		feed, err := t.read(r.Context(), club)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		for _, item := range feed.Items {
			if item.PublishedParsed != nil {
				all = append(all, story{feed.Title, item.Title, item.Link, *item.PublishedParsed})
			}
		}
	}
	slices.SortFunc(all, func(a, b story) int { return cmp.Compare(b.At.Unix(), a.At.Unix()) })
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(all[:min(len(all), 8)])
}

func main() {
	if os.Getenv("ROLE") == "clubs" {
		clubs()
		return
	}
	t := open(service.Beside("clubs"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /news", t.page)
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "news of all clubs of the town") })
	service.Run(mux)
}

// clubs have feeds.
func clubs() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /clubs/{club}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		club := strings.TrimSuffix(r.PathValue("club"), ".xml")
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprintf(w, `<?xml version="1.0"?><rss version="2.0"><channel><title>%s</title><link>http://%s.example/</link><description>News</description>`, club, club)
		for i := range 6 {
			fmt.Fprintf(w, `<item><title>Match %d of %s</title><link>http://%s.example/%d</link><pubDate>Mon, %02d Jun 2026 18:00:00 GMT</pubDate></item>`, i, club, club, i, 1+i*3)
		}
		io.WriteString(w, `</channel></rss>`)
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
