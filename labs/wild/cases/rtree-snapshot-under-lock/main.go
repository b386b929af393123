// Scooters of a town: each says where it is, riders ask for those near them, and a few times a second a follower, a process of its own
// that is not fast, gets where all of them are.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/tidwall/rtree"

	"wild/service"
)

const scooters = 30000

type point = [2]float64

// town has scooters, by where they are.
type town struct {
	mu    sync.RWMutex
	where [scooters]point
	tree  rtree.RTreeG[int]
}

func open() *town {
	t := &town{}
	for i := range t.where {
		t.where[i] = point{float64(i*7919%100000) / 10, float64(i*104729%100000) / 10}
		t.tree.Insert(t.where[i], t.where[i], i)
	}
	return t
}

// moved notes that a scooter is a few metres further.
func (t *town) moved(i int) point {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tree.Delete(t.where[i], t.where[i], i)
	t.where[i][0] += 0.3
	t.where[i][1] -= 0.2
	t.tree.Insert(t.where[i], t.where[i], i)
	return t.where[i]
}

// near are scooters around a point.
func (t *town) near(p point) []int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	out := []int{}
	t.tree.Search(point{p[0] - 120, p[1] - 120}, point{p[0] + 120, p[1] + 120}, func(_, _ point, i int) bool {
		out = append(out, i)
		return len(out) < 20
	})
	return out
}

// send writes where the scooters of a tree are.
func send(tree *rtree.RTreeG[int], to io.Writer) error {
	w := bufio.NewWriterSize(to, 32<<10)
	var err error
	tree.Scan(func(at, _ point, i int) bool {
		_, err = fmt.Fprintf(w, "%d %.1f %.1f\n", i, at[0], at[1])
		return err == nil
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// snapshot sends where all scooters are.
func (t *town) snapshot(to io.Writer) error {
	if service.After() {
		t.mu.Lock()
		tree := t.tree.Copy()
		t.mu.Unlock()
		return send(tree, to)
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return send(&t.tree, to)
}

// follow sends snapshots for as long as there is a follower.
func (t *town) follow(address string) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	if err := c.(*net.TCPConn).SetWriteBuffer(32 << 10); err != nil {
		log.Fatal(err)
	}
	for range time.Tick(350 * time.Millisecond) {
		if err := t.snapshot(c); err != nil {
			log.Println(err)
			return
		}
	}
}

func (t *town) serveMoved(w http.ResponseWriter, r *http.Request) {
	i, err := strconv.Atoi(r.PathValue("scooter"))
	if err != nil || i < 0 || i >= scooters {
		http.Error(w, "there is no such scooter", http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(t.moved(i))
}

func (t *town) serveNear(w http.ResponseWriter, r *http.Request) {
	x, _ := strconv.ParseFloat(r.URL.Query().Get("x"), 64)
	y, err := strconv.ParseFloat(r.URL.Query().Get("y"), 64)
	if err != nil {
		http.Error(w, "near what?", http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(t.near(point{x, y}))
}

func main() {
	if os.Getenv("ROLE") == "follower" {
		follower()
		return
	}
	t := open()
	go t.follow(service.Beside("follower"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /scooters/{scooter}/moved", t.serveMoved)
	mux.HandleFunc("GET /near", t.serveNear)
	service.Run(mux)
}

// follower reads, and does something with each 32 KB of what it read.
func follower() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		if err := c.(*net.TCPConn).SetReadBuffer(32 << 10); err != nil {
			log.Fatal(err)
		}
		part := make([]byte, 32<<10)
		for {
			if _, err := io.ReadFull(c, part); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
