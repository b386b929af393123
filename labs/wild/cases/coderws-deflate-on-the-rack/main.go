// Prices of a brewery's bars: what a till wants priced goes over one websocket to the pricing engine on the same rack, a process of
// its own, and comes back over it. Both are of the same program, and offer each other compression.
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
	"sync"
	"time"

	"github.com/coder/websocket"

	"wild/service"
)

// round is what a table drinks.
type round struct {
	ID    int64  `json:"id"`
	Table string `json:"table"`
	Lines []line `json:"lines"`
	Cents int    `json:"cents,omitempty"`
}

type line struct {
	Drink string `json:"drink"`
	Glass string `json:"glass"`
	Count int    `json:"count"`
	Happy bool   `json:"happy_hour"`
	Cents int    `json:"cents,omitempty"`
}

// compression is what both sides offer.
func compression() websocket.CompressionMode {
	if service.After() {
		return websocket.CompressionDisabled
	}
	return websocket.CompressionNoContextTakeover
}

// bar asks the engine.
type bar struct {
	engine *websocket.Conn

	mu      sync.Mutex
	next    int64
	waiting map[int64]chan round
}

func open(ctx context.Context, address string) (*bar, error) {
	c, _, err := websocket.Dial(ctx, "ws://"+address+"/prices", &websocket.DialOptions{CompressionMode: compression()})
	if err != nil {
		return nil, err
	}
	c.SetReadLimit(1 << 20)
	b := &bar{engine: c, waiting: map[int64]chan round{}}
	go b.listen(ctx)
	return b, nil
}

// listen hands out what the engine says.
func (b *bar) listen(ctx context.Context) {
	for {
		_, text, err := b.engine.Read(ctx)
		if err != nil {
			log.Println(err)
			return
		}
		var r round
		if err := json.Unmarshal(text, &r); err != nil {
			log.Println(err)
			continue
		}
		b.mu.Lock()
		to := b.waiting[r.ID]
		delete(b.waiting, r.ID)
		b.mu.Unlock()
		if to != nil {
			to <- r
		}
	}
}

// price has a round priced.
func (b *bar) price(ctx context.Context, r round) (round, error) {
	said := make(chan round, 1)
	b.mu.Lock()
	b.next++
	r.ID = b.next
	b.waiting[r.ID] = said
	b.mu.Unlock()
	text, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	if err := b.engine.Write(context.WithoutCancel(ctx), websocket.MessageText, text); err != nil {
		return r, err
	}
	select {
	case out := <-said:
		return out, nil
	case <-time.After(5 * time.Second):
		return r, errors.New("the engine is silent")
	}
}

func (b *bar) serve(w http.ResponseWriter, r *http.Request) {
	var in round
	if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&in); err != nil || len(in.Lines) == 0 {
		http.Error(w, "a round has lines", http.StatusBadRequest)
		return
	}
	out, err := b.price(r.Context(), in)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "engine" {
		engine()
		return
	}
	b, err := open(context.Background(), service.Beside("engine"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /rounds", b.serve)
	service.Run(mux)
}

// engine prices rounds.
func engine() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: compression()})
		if err != nil {
			log.Println(err)
			return
		}
		c.SetReadLimit(1 << 20)
		for {
			_, text, err := c.Read(r.Context())
			if err != nil {
				return
			}
			var in round
			if err := json.Unmarshal(text, &in); err != nil {
				log.Println(err)
				return
			}
			for i := range in.Lines {
				l := &in.Lines[i]
				l.Cents = l.Count * (300 + 20*len(l.Drink))
				if l.Happy {
					l.Cents = l.Cents * 2 / 3
				}
				in.Cents += l.Cents
			}
			text, err = json.Marshal(in)
			if err != nil {
				return
			}
			if err := c.Write(r.Context(), websocket.MessageText, text); err != nil {
				return
			}
		}
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
