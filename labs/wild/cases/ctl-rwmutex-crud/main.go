// Items in a map behind a RWMutex, with a JSON interface on gorilla/mux. The lock is
// held for the map alone, never for the encoding.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/gorilla/mux"

	"wild/service"
)

type item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Price int      `json:"price"`
	Tags  []string `json:"tags"`
}

type store struct {
	mu    sync.RWMutex
	items map[int]item
}

func (s *store) get(id int) (item, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	it, ok := s.items[id]
	return it, ok
}

func (s *store) put(it item) {
	s.mu.Lock()
	s.items[it.ID] = it
	s.mu.Unlock()
}

func (s *store) remove(id int) {
	s.mu.Lock()
	delete(s.items, id)
	s.mu.Unlock()
}

func main() {
	s := &store{items: make(map[int]item)}
	for i := range 1000 {
		s.put(item{ID: i, Name: "item " + strconv.Itoa(i), Price: i * 3, Tags: []string{"new", "in stock"}})
	}
	r := mux.NewRouter()
	r.HandleFunc("/items/{id:[0-9]+}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(mux.Vars(r)["id"])
		it, ok := s.get(id)
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(it)
	}).Methods(http.MethodGet)
	r.HandleFunc("/items/{id:[0-9]+}", func(w http.ResponseWriter, r *http.Request) {
		var it item
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&it); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		it.ID, _ = strconv.Atoi(mux.Vars(r)["id"])
		s.put(it)
		w.WriteHeader(http.StatusNoContent)
	}).Methods(http.MethodPut)
	r.HandleFunc("/items/{id:[0-9]+}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(mux.Vars(r)["id"])
		s.remove(id)
		w.WriteHeader(http.StatusNoContent)
	}).Methods(http.MethodDelete)
	service.Run(r)
}
