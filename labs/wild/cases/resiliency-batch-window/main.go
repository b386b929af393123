// Stock of articles. The warehouse, a process of its own, takes 2 ms for a question, however many
// articles it is about, so those of requests that come together are gathered by the batcher of
// go-resiliency and asked for at once.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/eapache/go-resiliency/batcher"

	"wild/service"
)

const idle = 32

// question is about one article; its answer is put into it.
type question struct {
	article string
	mu      sync.Mutex
	count   int
}

type warehouse struct {
	url    string
	client *http.Client
}

func (h warehouse) ask(together []any) error {
	articles := make([]string, len(together))
	for i, q := range together {
		articles[i] = q.(*question).article
	}
	resp, err := h.client.Get(h.url + "/stock?articles=" + url.QueryEscape(strings.Join(articles, ",")))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var counts []int
	if err := json.NewDecoder(resp.Body).Decode(&counts); err != nil {
		return err
	}
	if len(counts) != len(together) {
		return fmt.Errorf("%d answers to %d questions", len(counts), len(together))
	}
	for i, q := range together {
		q := q.(*question)
		q.mu.Lock()
		q.count = counts[i]
		q.mu.Unlock()
	}
	return nil
}

func main() {
	if os.Getenv("ROLE") == "warehouse" {
		serve()
		return
	}
	window := 25 * time.Millisecond
	if service.After() {
		window = time.Millisecond
	}
	h := warehouse{
		url:    "http://" + service.Beside("warehouse"),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: idle}, Timeout: 5 * time.Second},
	}
	questions := batcher.New(window, h.ask)
	http.HandleFunc("/stock", func(w http.ResponseWriter, r *http.Request) {
		q := &question{article: r.FormValue("article")}
		if err := questions.Run(q); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"article":%q,"count":%d}`+"\n", q.article, q.count)
	})
	service.Run(http.DefaultServeMux)
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/stock", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		var counts []int
		for article := range strings.SplitSeq(r.FormValue("articles"), ",") {
			counts = append(counts, len(article)*7%40)
		}
		json.NewEncoder(w).Encode(counts)
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
