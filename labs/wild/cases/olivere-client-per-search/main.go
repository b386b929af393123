// The search of a library: titles are found in Elasticsearch, which is a process of its own, and shown with where
// they stand.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/olivere/elastic/v7"

	"wild/service"
)

// title is a document.
type title struct {
	Name   string   `json:"name"`
	Author string   `json:"author"`
	Year   int      `json:"year"`
	Places []string `json:"places"`
}

// hit is one that is shown.
type hit struct {
	title
	Shelf string  `json:"shelf"`
	Score float64 `json:"score"`
}

// library finds titles.
type library struct {
	url    string
	client *elastic.Client // kept, where it is
	shelf  map[string]string
}

func (l *library) connect() (*elastic.Client, error) {
	return elastic.NewClient(elastic.SetURL(l.url), elastic.SetSniff(false))
}

func newLibrary(url string) (*library, error) {
	l := &library{url: url, shelf: map[string]string{}}
	for i := range 60 {
		l.shelf[fmt.Sprint("hall-", i%6)] = fmt.Sprintf("floor %d, row %d", i%6, i%11)
	}
	var err error
	if service.After() {
		l.client, err = l.connect()
	}
	return l, err
}

func (l *library) search(ctx context.Context, words string, year int) ([]hit, error) {
	client := l.client
	if client == nil {
		var err error
		if client, err = l.connect(); err != nil {
			return nil, fmt.Errorf("connect: %w", err)
		}
		defer client.Stop()
	}
	query := elastic.NewBoolQuery().
		Must(elastic.NewMultiMatchQuery(words, "name^3", "author").Type("best_fields")).
		Filter(elastic.NewRangeQuery("year").Gte(year))
	found, err := client.Search("titles").Query(query).Size(12).Do(ctx)
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", words, err)
	}
	out := make([]hit, 0, len(found.Hits.Hits))
	for _, h := range found.Hits.Hits {
		var t title
		if err := json.Unmarshal(h.Source, &t); err != nil {
			return nil, fmt.Errorf("title %s: %w", h.Id, err)
		}
		shown := hit{title: t, Score: *h.Score}
		if len(t.Places) > 0 {
			shown.Shelf = l.shelf[t.Places[0]]
		}
		out = append(out, shown)
	}
	return out, nil
}

func main() {
	if os.Getenv("ROLE") == "elasticsearch" {
		elasticsearch()
		return
	}
	l, err := newLibrary("http://" + service.Beside("elasticsearch"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /titles", func(w http.ResponseWriter, r *http.Request) {
		words := strings.TrimSpace(r.FormValue("q"))
		if words == "" {
			http.Error(w, "q is what to look for", http.StatusBadRequest)
			return
		}
		hits, err := l.search(r.Context(), words, 1900)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"hits": hits})
	})
	service.Run(http.DefaultServeMux)
}

// elasticsearch answers health checks and searches, the latter in 3 ms.
func elasticsearch() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var hits []string
	for i := range 12 {
		source, _ := json.Marshal(title{fmt.Sprint("Title ", i), fmt.Sprint("Author ", i%5), 1950 + i*6, []string{fmt.Sprint("hall-", i%6)}})
		hits = append(hits, fmt.Sprintf(`{"_index":"titles","_id":"%d","_score":%d.5,"_source":%s}`, i, 12-i, source))
	}
	answer := `{"took":2,"timed_out":false,"hits":{"total":{"value":12,"relation":"eq"},"max_score":12.5,"hits":[` + strings.Join(hits, ",") + `]}}`
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if !strings.HasSuffix(r.URL.Path, "_search") {
			time.Sleep(time.Millisecond)
			io.WriteString(w, `{"name":"node-1","version":{"number":"7.17.9"}}`)
			return
		}
		io.Copy(io.Discard, r.Body)
		time.Sleep(3 * time.Millisecond)
		io.WriteString(w, answer)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
