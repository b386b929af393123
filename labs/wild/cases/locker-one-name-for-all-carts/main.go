// Carts of a shop: what is put into one is read, changed and written back, so that two changes of a cart must not meet. Carts are kept by a
// store, a process elsewhere, which takes 1 ms for each of the two.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/moby/locker"

	"wild/service"
)

// cart is what a customer has chosen.
type cart map[string]int

// shop changes carts.
type shop struct {
	locks  *locker.Locker
	client *http.Client
	store  string
}

func (s *shop) read(id string) (cart, error) {
	resp, err := s.client.Get(s.store + id)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	c := cart{}
	return c, json.NewDecoder(resp.Body).Decode(&c)
}

func (s *shop) write(id string, c cart) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	resp, err := s.client.Post(s.store+id, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// add puts one more of a thing into a cart.
func (s *shop) add(id, thing string) (cart, error) {
	name := "carts"
	if service.After() {
		name = id
	}
	s.locks.Lock(name)
	defer s.locks.Unlock(name)
	c, err := s.read(id)
	if err != nil {
		return nil, err
	}
	if c[thing]++; c[thing] > 9 {
		c[thing] = 1
	}
	return c, s.write(id, c)
}

func (s *shop) serve(w http.ResponseWriter, r *http.Request) {
	c, err := s.add(r.PathValue("id"), r.PathValue("thing"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(c)
}

func main() {
	if os.Getenv("ROLE") == "store" {
		store()
		return
	}
	s := &shop{
		locks:  locker.New(),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		store:  "http://" + service.Beside("store") + "/",
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /carts/{id}/{thing}", s.serve)
	service.Run(mux)
}

// store keeps carts.
func store() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var kept sync.Map
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Millisecond)
		if r.Method == http.MethodPost {
			if body, err := io.ReadAll(r.Body); err == nil {
				kept.Store(r.URL.Path, body)
			}
			return
		}
		if body, ok := kept.Load(r.URL.Path); ok {
			w.Write(body.([]byte))
			return
		}
		io.WriteString(w, "{}")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
