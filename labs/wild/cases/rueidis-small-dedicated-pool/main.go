// Bicycles for hire: taking one from a station sets a lock on it in Redis, if it is free, and notes the rider. Redis is a process
// of its own in another town, behind a link of two milliseconds each way.
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
	"github.com/redis/rueidis"

	"wild/service"
)

var (
	errNoStation = errors.New("no such station")
	errEmpty     = errors.New("all bicycles of the station are out")
	errAgain     = errors.New("the station changed meanwhile")
)

// hire has stations.
type hire struct{ redis rueidis.Client }

func open(address string) (*hire, error) {
	pool := 4
	if service.After() {
		pool = 64
	}
	client, err := rueidis.NewClient(rueidis.ClientOption{
		InitAddress: []string{address}, ForceSingleClient: true, DisableCache: true, BlockingPoolSize: pool,
	})
	return &hire{client}, err
}

// take has a rider take a bicycle; what is left at the station is returned. How many are free there is written by the station
// itself, when a dock opens.
func (h *hire) take(ctx context.Context, station, rider string) (left int64, err error) {
	key := "station:" + station
	err = h.redis.Dedicated(func(c rueidis.DedicatedClient) error {
		seen := c.DoMulti(ctx, c.B().Watch().Key(key).Build(), c.B().Hget().Key(key).Field("free").Build())
		free, err := seen[1].AsInt64()
		switch {
		case rueidis.IsRedisNil(err):
			return errNoStation
		case err != nil:
			return err
		case free <= 0:
			return errEmpty
		}
		done := c.DoMulti(ctx,
			c.B().Multi().Build(),
			c.B().Hincrby().Key(key).Field("out").Increment(1).Build(),
			c.B().Hset().Key(key).FieldValue().FieldValue("last", rider).Build(),
			c.B().Exec().Build())
		if _, err := done[3].ToArray(); rueidis.IsRedisNil(err) {
			return errAgain
		} else if err != nil {
			return err
		}
		left = free - 1
		return nil
	})
	return left, err
}

// free says how many bicycles a station has.
func (h *hire) free(ctx context.Context, station string) (int64, error) {
	n, err := h.redis.Do(ctx, h.redis.B().Hget().Key("station:"+station).Field("free").Build()).AsInt64()
	if rueidis.IsRedisNil(err) {
		return 0, errNoStation
	}
	return n, err
}

func answer(w http.ResponseWriter, station string, n int64, err error) {
	switch {
	case errors.Is(err, errNoStation):
		http.Error(w, err.Error(), http.StatusNotFound)
	case errors.Is(err, errEmpty):
		http.Error(w, err.Error(), http.StatusConflict)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"station": station, "free": n})
	}
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		serveRedis()
		return
	}
	h, err := open(service.Beside("redis"))
	if err != nil {
		log.Fatal(err)
	}
	defer h.redis.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stations/{station}", func(w http.ResponseWriter, r *http.Request) {
		n, err := h.free(r.Context(), r.PathValue("station"))
		answer(w, r.PathValue("station"), n, err)
	})
	mux.HandleFunc("POST /stations/{station}/hires", func(w http.ResponseWriter, r *http.Request) {
		station := r.PathValue("station")
		n, err := h.take(r.Context(), station, r.FormValue("rider"))
		for try := 0; errors.Is(err, errAgain) && try < 5; try++ {
			n, err = h.take(r.Context(), station, r.FormValue("rider"))
		}
		answer(w, station, n, err)
	})
	service.Run(mux)
}

const late = 2 * time.Millisecond

// serveRedis has stations, behind the link.
func serveRedis() {
	far := miniredis.NewMiniRedis()
	if err := far.Start(); err != nil {
		log.Fatal(err)
	}
	for n := range 400 {
		far.HSet("station:"+strconv.Itoa(n), "free", strconv.Itoa(8+n%20), "out", "0", "name", fmt.Sprintf("Square %d", n))
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
