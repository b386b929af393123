// Tickets of a theatre: how many seats are left of a show is kept in Redis, and a booking takes some. Redis, a process of
// its own, is behind a link of a millisecond each way.
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
	"github.com/redis/go-redis/v9"

	"wild/service"
)

var errSoldOut = errors.New("there are not as many seats left")

// office books seats.
type office struct {
	store *redis.Client
}

// take is the number of seats that are left of a show after some were taken.
func (o *office) take(ctx context.Context, show string, seats int) (left int, err error) {
	key := "seats:" + show
	if service.After() {
		left, err = taken.Run(ctx, o.store, []string{key}, seats).Int()
		if err == nil && left < 0 {
			err = errSoldOut
		}
		return left, err
	}
	for {
		err := o.store.Watch(ctx, func(tx *redis.Tx) error {
			now, err := tx.Get(ctx, key).Int()
			if err != nil {
				return err
			}
			if left = now - seats; left < 0 {
				return errSoldOut
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, key, left, 0)
				return nil
			})
			return err
		}, key)
		if !errors.Is(err, redis.TxFailedErr) {
			return left, err
		}
	}
}

var taken = redis.NewScript(`
local left = tonumber(redis.call("GET", KEYS[1])) - tonumber(ARGV[1])
if left < 0 then return -1 end
redis.call("SET", KEYS[1], string.format("%d", left))
return left`)

// booking is what a guest asks for.
type booking struct {
	Name  string `json:"name"`
	Seats int    `json:"seats"`
}

func (o *office) book(w http.ResponseWriter, r *http.Request) {
	var b booking
	if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&b); err != nil || b.Name == "" || b.Seats < 1 || b.Seats > 8 {
		http.Error(w, "a booking has a name, and up to 8 seats", http.StatusBadRequest)
		return
	}
	left, err := o.take(r.Context(), r.PathValue("show"), b.Seats)
	switch {
	case errors.Is(err, errSoldOut):
		http.Error(w, err.Error(), http.StatusConflict)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"show":%q,"seats":%d,"left":%d}`, r.PathValue("show"), b.Seats, left)
}

func (o *office) left(w http.ResponseWriter, r *http.Request) {
	n, err := o.store.Get(r.Context(), "seats:"+r.PathValue("show")).Int()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, n)
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		serveRedis()
		return
	}
	o := &office{redis.NewClient(&redis.Options{Addr: service.Beside("redis"), PoolSize: 64, DisableIdentity: true, Protocol: 2})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /shows/{show}/bookings", o.book)
	mux.HandleFunc("GET /shows/{show}/left", o.left)
	service.Run(mux)
}

const late = time.Millisecond

// serveRedis has seats for a long season, behind the link.
func serveRedis() {
	far := miniredis.NewMiniRedis()
	if err := far.Start(); err != nil {
		log.Fatal(err)
	}
	for show := range 40 {
		if err := far.Set("seats:"+strconv.Itoa(show), "900000000"); err != nil {
			log.Fatal(err)
		}
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
