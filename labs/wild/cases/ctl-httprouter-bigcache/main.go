// Profiles of users behind httprouter, kept as encoded answers in bigcache. One in a
// hundred requests writes one anew.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/allegro/bigcache/v3"
	"github.com/julienschmidt/httprouter"

	"wild/service"
)

type profile struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Tags  []string `json:"tags"`
	Since int64    `json:"since"`
}

const users = 50_000

func main() {
	config := bigcache.DefaultConfig(time.Hour)
	config.Verbose = false
	cache, err := bigcache.New(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	put := func(id int) error {
		b, err := json.Marshal(profile{ID: id, Name: "user " + strconv.Itoa(id), Tags: []string{"reader", "beta"}, Since: time.Now().Unix()})
		if err != nil {
			return err
		}
		return cache.Set("user:"+strconv.Itoa(id), b)
	}
	for id := range users {
		if err := put(id); err != nil {
			log.Fatal(err)
		}
	}

	r := httprouter.New()
	r.GET("/users/:id", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
		b, err := cache.Get("user:" + p.ByName("id"))
		if errors.Is(err, bigcache.ErrEntryNotFound) {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(b)
	})
	r.PUT("/users/:id", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
		id, err := strconv.Atoi(p.ByName("id"))
		if err != nil || id < 0 || id >= users {
			http.NotFound(w, r)
			return
		}
		if err := put(id); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	service.Run(r)
}
