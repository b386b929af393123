// Cloakroom of an opera: which hook a coat hangs on, and what is known of it. It is kept in Redis, a process of its own in
// another hall, behind a link of a millisecond each way.
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
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gomodule/redigo/redis"

	"wild/service"
)

var errNoCoat = errors.New("there is no coat for this ticket")

// coat is what hangs on a hook.
type coat struct {
	Ticket string `json:"ticket"`
	Hook   int    `json:"hook"`
	Row    string `json:"row"`
	Colour string `json:"colour"`
	Since  string `json:"since"`
}

// cloakroom has coats.
type cloakroom struct{ pool *redis.Pool }

func open(address string) cloakroom {
	return cloakroom{&redis.Pool{
		MaxIdle:     64,
		IdleTimeout: 10 * time.Minute,
		DialContext: func(ctx context.Context) (redis.Conn, error) { return redis.DialContext(ctx, "tcp", address) },
		TestOnBorrow: func(c redis.Conn, used time.Time) error {
			if service.After() && time.Since(used) < time.Minute {
				return nil
			}
			_, err := c.Do("PING")
			return err
		},
	}}
}

// find looks for the coat of a ticket.
func (c cloakroom) find(ctx context.Context, ticket string) (*coat, error) {
	conn, err := c.pool.GetContext(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	known, err := redis.StringMap(conn.Do("HGETALL", "coat:"+ticket))
	if err != nil {
		return nil, err
	}
	if len(known) == 0 {
		return nil, errNoCoat
	}
	hook, err := strconv.Atoi(known["hook"])
	return &coat{ticket, hook, known["row"], known["colour"], known["since"]}, err
}

// move hangs a coat on another hook.
func (c cloakroom) move(ctx context.Context, ticket string, hook int) error {
	conn, err := c.pool.GetContext(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Do("HSET", "coat:"+ticket, "hook", hook)
	return err
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		serveRedis()
		return
	}
	c := open(service.Beside("redis"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /coats/{ticket}", func(w http.ResponseWriter, r *http.Request) {
		found, err := c.find(r.Context(), r.PathValue("ticket"))
		switch {
		case errors.Is(err, errNoCoat):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	mux.HandleFunc("PUT /coats/{ticket}", func(w http.ResponseWriter, r *http.Request) {
		hook, err := strconv.Atoi(r.FormValue("hook"))
		if err != nil || hook < 1 || hook > 900 {
			http.Error(w, "hooks are 1 to 900", http.StatusBadRequest)
			return
		}
		if err := c.move(r.Context(), r.PathValue("ticket"), hook); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	service.Run(mux)
}

const late = time.Millisecond

// serveRedis has the coats of an evening, behind the link.
func serveRedis() {
	far := miniredis.NewMiniRedis()
	if err := far.Start(); err != nil {
		log.Fatal(err)
	}
	colours := []string{"black", "grey", "camel", "red", "navy"}
	for i := range 800 {
		far.HSet(fmt.Sprintf("coat:%d", i), "hook", strconv.Itoa(i+1), "row", string(rune('A'+i/40)), "colour", colours[i%5], "since", fmt.Sprintf("18:%02d", i%60))
	}
	near, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := near.Accept()
			if err != nil {
				return
			}
			o, err := net.Dial("tcp", far.Addr())
			if err != nil {
				c.Close()
				continue
			}
			go service.Carry(c, o, late)
			go service.Carry(o, c, late)
		}
	}()
	fmt.Println(near.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
