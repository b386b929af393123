// Parcels on their way: each goes from one state to the next, and who waits for it is told of that by a messenger, a process elsewhere, which
// takes 2 ms. What may follow what is written down once, as a state machine.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/looplab/fsm"

	"wild/service"
)

var moves = fsm.Events{
	{Name: "next", Src: []string{"packed"}, Dst: "sent"},
	{Name: "next", Src: []string{"sent"}, Dst: "in the van"},
	{Name: "next", Src: []string{"in the van"}, Dst: "delivered"},
	{Name: "next", Src: []string{"delivered"}, Dst: "packed"},
}

// parcel is one of them.
type parcel struct {
	mu    sync.Mutex
	state string
	own   *fsm.FSM // if it has one
}

// depot moves parcels.
type depot struct {
	client    *http.Client
	messenger string
	parcels   []*parcel

	mu     sync.Mutex // guards the machine that all parcels share
	shared *fsm.FSM
}

func open(address string) *depot {
	d := &depot{
		client:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		messenger: "http://" + address + "/",
	}
	d.shared = d.machine()
	for range 400 {
		p := &parcel{state: "packed"}
		if service.After() {
			p.own = d.machine()
		}
		d.parcels = append(d.parcels, p)
	}
	return d
}

func (d *depot) machine() *fsm.FSM {
	return fsm.NewFSM("packed", moves, fsm.Callbacks{"before_next": func(_ context.Context, e *fsm.Event) {
		if err := d.tell(e.Args[0].(int), e.Dst); err != nil {
			e.Cancel(err)
		}
	}})
}

// tell sends word of a parcel.
func (d *depot) tell(n int, state string) error {
	resp, err := d.client.Post(d.messenger+strconv.Itoa(n), "text/plain", strings.NewReader(state))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// move brings a parcel to its next state.
func (d *depot) move(ctx context.Context, n int) (string, error) {
	p := d.parcels[n]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.own != nil {
		err := p.own.Event(ctx, "next", n)
		return p.own.Current(), err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shared.SetState(p.state)
	err := d.shared.Event(ctx, "next", n)
	p.state = d.shared.Current()
	return p.state, err
}

func (d *depot) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 0 || n >= len(d.parcels) {
		http.Error(w, "which parcel?", http.StatusNotFound)
		return
	}
	state, err := d.move(r.Context(), n)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"parcel": n, "state": state})
}

func main() {
	if os.Getenv("ROLE") == "messenger" {
		messenger()
		return
	}
	d := open(service.Beside("messenger"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /parcels/{n}/next", d.serve)
	service.Run(mux)
}

// messenger brings word.
func messenger() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(2 * time.Millisecond)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
