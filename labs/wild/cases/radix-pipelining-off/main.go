// Odds of matches: who follows a match asks for its odds and how it stands, both of which are in Redis, which is a
// process of its own, 1 ms away.
package main

import (
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
	"github.com/mediocregopher/radix/v3"

	"wild/service"
)

// score is how a match stands.
type score struct {
	Home   int    `json:"home"`
	Guests int    `json:"guests"`
	Minute int    `json:"minute"`
	State  string `json:"state"`
}

// odds are of a match.
type odds struct {
	Match string             `json:"match"`
	Score score              `json:"score"`
	Odds  map[string]float64 `json:"odds"`
}

var errUnknown = errors.New("no such match")

// desk reads what is known of matches.
type desk struct{ pool *radix.Pool }

func open(address string) (*desk, error) {
	var opts []radix.PoolOpt
	if !service.After() {
		// Set when commands seemed to come late in a test of one client.
		opts = append(opts, radix.PoolPipelineWindow(0, 0))
	}
	opts = append(opts, radix.PoolOnEmptyWait())
	pool, err := radix.NewPool("tcp", address, 4, opts...)
	return &desk{pool}, err
}

func (d *desk) odds(match string) (*odds, error) {
	var text string
	if err := d.pool.Do(radix.Cmd(&text, "GET", "score:"+match)); err != nil {
		return nil, fmt.Errorf("score of %s: %w", match, err)
	}
	if text == "" {
		return nil, errUnknown
	}
	out := &odds{Match: match, Odds: map[string]float64{}}
	if err := json.Unmarshal([]byte(text), &out.Score); err != nil {
		return nil, fmt.Errorf("score of %s: %w", match, err)
	}
	fields := map[string]string{}
	if err := d.pool.Do(radix.Cmd(&fields, "HGETALL", "odds:"+match)); err != nil {
		return nil, fmt.Errorf("odds of %s: %w", match, err)
	}
	for name, v := range fields {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return nil, fmt.Errorf("odds of %s: %w", match, err)
		}
		out.Odds[name] = f
	}
	return out, nil
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		redis()
		return
	}
	d, err := open(service.Beside("redis"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /matches/{match}/odds", func(w http.ResponseWriter, r *http.Request) {
		out, err := d.odds(r.PathValue("match"))
		switch {
		case errors.Is(err, errUnknown):
			http.NotFound(w, r)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}

// redis is a Redis behind a link that takes 1 ms each way.
func redis() {
	m := miniredis.NewMiniRedis()
	for i := range 300 {
		text, _ := json.Marshal(score{i % 4, i % 3, i % 90, "live"})
		m.Set(fmt.Sprint("score:m", i), string(text))
		for k, name := range []string{"home", "draw", "guests", "over-2.5", "next-goal"} {
			m.HSet(fmt.Sprint("odds:m", i), name, fmt.Sprintf("%.2f", 1.2+float64((i+k)%50)/20))
		}
	}
	if err := m.Start(); err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			near, err := ln.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", m.Addr())
			if err != nil {
				log.Fatal(err)
			}
			go service.Carry(far, near, time.Millisecond)
			go service.Carry(near, far, time.Millisecond)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
