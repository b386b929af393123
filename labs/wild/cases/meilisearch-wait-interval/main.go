// Articles of a knowledge base: what an editor saves is put into Meilisearch, and the editor goes on when it is found
// there. Meilisearch is a process of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/meilisearch/meilisearch-go"

	"wild/service"
)

type article struct {
	ID     int      `json:"id"`
	Title  string   `json:"title"`
	Text   string   `json:"text"`
	Labels []string `json:"labels"`
}

// base has the articles.
type base struct {
	index meilisearch.IndexManager
	often time.Duration // how often it is asked whether an article is there
}

func open(host string) *base {
	client := meilisearch.New("http://"+host, meilisearch.WithCustomClient(&http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second,
	}))
	b := &base{index: client.Index("articles")}
	if service.After() {
		b.often = 4 * time.Millisecond
	}
	return b
}

var errRefused = errors.New("the article was refused")

// save returns when an article is found.
func (b *base) save(ctx context.Context, a article) (meilisearch.Task, error) {
	put, err := b.index.AddDocumentsWithContext(ctx, []article{a}, nil)
	if err != nil {
		return meilisearch.Task{}, err
	}
	done, err := b.index.WaitForTaskWithContext(ctx, put.TaskUID, b.often)
	if err != nil {
		return meilisearch.Task{}, err
	}
	if done.Status != meilisearch.TaskStatusSucceeded {
		return *done, fmt.Errorf("%w: %s", errRefused, done.Status)
	}
	return *done, nil
}

func read(r *http.Request) (a article, err error) {
	if a.ID, err = strconv.Atoi(r.PathValue("id")); err != nil {
		return a, err
	}
	id := a.ID
	if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&a); err != nil {
		return a, err
	}
	a.ID = id
	if a.Title == "" || a.Text == "" || len(a.Labels) > 10 {
		return a, errors.New("an article has a title, a text, and up to ten labels")
	}
	return a, nil
}

func main() {
	if os.Getenv("ROLE") == "meilisearch" {
		serveSearch()
		return
	}
	b := open(service.Beside("meilisearch"))
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /articles/{id}", func(w http.ResponseWriter, r *http.Request) {
		a, err := read(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		task, err := b.save(r.Context(), a)
		switch {
		case errors.Is(err, errRefused):
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"id": a.ID, "task": task.UID, "status": task.Status})
	})
	mux.HandleFunc("GET /articles", func(w http.ResponseWriter, r *http.Request) {
		found, err := b.index.SearchWithContext(r.Context(), r.FormValue("q"), &meilisearch.SearchRequest{Limit: 10})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"hits": found.Hits, "total": found.EstimatedTotalHits})
	})
	service.Run(mux)
}

// serveSearch stands for Meilisearch: an article is found 5 ms after it was put.
func serveSearch() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var mu sync.Mutex
	put := map[int64]time.Time{}
	http.HandleFunc("POST /indexes/{index}/documents", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		mu.Lock()
		id := int64(len(put) + 1)
		put[id] = time.Now()
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(w, `{"taskUid":%d,"indexUid":"articles","status":"enqueued","type":"documentAdditionOrUpdate","enqueuedAt":"2026-11-02T10:00:00Z"}`, id)
	})
	http.HandleFunc("GET /tasks/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
		mu.Lock()
		at := put[id]
		mu.Unlock()
		status := "succeeded"
		if time.Since(at) < 5*time.Millisecond {
			status = "processing"
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"uid":%d,"indexUid":"articles","status":%q,"type":"documentAdditionOrUpdate","enqueuedAt":"2026-11-02T10:00:00Z"}`, id, status)
	})
	http.HandleFunc("POST /indexes/{index}/search", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"hits":[{"id":7,"title":"How to change a bulb"},{"id":12,"title":"When a lamp hums"}],"query":"","processingTimeMs":1,"limit":10,"offset":0,"estimatedTotalHits":2}`)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
