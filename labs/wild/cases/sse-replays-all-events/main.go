// Auctions: what is bid is shown on the screens of those that watch, which are told by server-sent events. The screens, a
// process of their own, are opened and closed as people come and go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/r3labs/sse/v2"

	"wild/service"
)

// bid is what a bidder would pay for a lot.
type bid struct {
	Bidder string `json:"bidder"`
	Cents  int    `json:"cents"`
}

// lot is something that is sold.
type lot struct {
	mu   sync.Mutex
	best bid
	bids int
}

// house sells lots.
type house struct {
	lots   map[string]*lot
	events *sse.Server
}

const lots = 6

func open() *house {
	h := &house{map[string]*lot{}, sse.New()}
	if service.After() {
		h.events.AutoReplay = false
	}
	for i := range lots {
		id := strconv.Itoa(i)
		h.lots[id] = &lot{}
		h.events.CreateStream(id)
	}
	return h
}

// offer is the bid that is the best of a lot, after one more was made.
func (h *house) offer(id string, b bid) (best bid, n int, ok bool) {
	l, ok := h.lots[id]
	if !ok {
		return bid{}, 0, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bids++
	if b.Cents >= l.best.Cents {
		l.best = b
	}
	return l.best, l.bids, true
}

func (h *house) bid(w http.ResponseWriter, r *http.Request) {
	var b bid
	if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&b); err != nil || b.Bidder == "" || b.Cents <= 0 {
		http.Error(w, "a bid is of a bidder, and some cents", http.StatusBadRequest)
		return
	}
	id := r.PathValue("lot")
	best, n, ok := h.offer(id, b)
	if !ok {
		http.NotFound(w, r)
		return
	}
	event, err := json.Marshal(map[string]any{"bid": b, "best": best, "bids": n})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h.events.Publish(id, &sse.Event{Data: event})
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"lot":%q,"best":%d}`, id, best.Cents)
}

func main() {
	if os.Getenv("ROLE") == "screens" {
		openScreens()
		return
	}
	h := open()
	service.Beside("screens")
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lots/{lot}/bids", h.bid)
	mux.HandleFunc("GET /events", h.events.ServeHTTP)
	service.Run(mux)
}

// openScreens has three people before each lot, each of which stays for about half a second and is followed by another.
func openScreens() {
	fmt.Println("screens")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for i := range lots * 3 {
		go func() {
			for {
				watch(client, i%lots, time.Duration(400+i*17)*time.Millisecond)
			}
		}()
	}
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func watch(client *http.Client, lot int, stay time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), stay)
	defer cancel()
	at := fmt.Sprintf("http://127.0.0.1:%s/events?stream=%d", os.Getenv("PORT"), lot)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, http.NoBody)
	if err != nil {
		log.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		time.Sleep(100 * time.Millisecond)
		return
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
}
