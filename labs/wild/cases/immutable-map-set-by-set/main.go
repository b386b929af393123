// Stock lists of shops over h2c: a till sends all that its shop has, every minute, as lines of text. The list is kept as a map that
// never changes, so that reports can read one while the next is made.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/benbjohnson/immutable"

	"wild/service"
)

// list is what a shop has, by article.
type list = *immutable.Map[string, int]

// chain has the lists of its shops.
type chain struct {
	mu    sync.RWMutex // of lists
	lists map[string]list
}

// index makes a list of lines.
func index(lines *bufio.Scanner) (list, error) {
	b := immutable.NewMapBuilder[string, int](nil)
	m := immutable.NewMap[string, int](nil)
	for lines.Scan() {
		article, count, ok := strings.Cut(lines.Text(), " ")
		n, err := strconv.Atoi(count)
		if !ok || err != nil || n < 0 {
			return nil, errors.New("a line is an article and a count")
		}
		if service.After() {
			b.Set(article, n)
		} else {
			m = m.Set(article, n)
		}
	}
	if service.After() {
		m = b.Map()
	}
	return m, lines.Err()
}

// scarce counts what there is little of.
func scarce(l list) int {
	n := 0
	for itr := l.Iterator(); !itr.Done(); {
		if _, count, _ := itr.Next(); count < 3 {
			n++
		}
	}
	return n
}

func (c *chain) put(w http.ResponseWriter, r *http.Request) {
	l, err := index(bufio.NewScanner(http.MaxBytesReader(w, r.Body, 256<<10)))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	c.lists[r.PathValue("shop")] = l
	c.mu.Unlock()
	fmt.Fprintf(w, "%d articles, %d scarce\n", l.Len(), scarce(l))
}

func (c *chain) get(w http.ResponseWriter, r *http.Request) {
	c.mu.RLock()
	l := c.lists[r.PathValue("shop")]
	c.mu.RUnlock()
	if l == nil {
		http.NotFound(w, r)
		return
	}
	n, _ := l.Get(r.PathValue("article"))
	fmt.Fprintln(w, n)
}

func main() {
	c := &chain{lists: map[string]list{}}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /shops/{shop}/stock", c.put)
	mux.HandleFunc("GET /shops/{shop}/stock/{article}", c.get)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = srv.Shutdown(ctx)
}
