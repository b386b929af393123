// Orders of a furniture maker: each goes from drawn to sawn to painted to sent, and what may follow what is in a machine of states, which
// all orders share. When one is sent the carrier is told, a process elsewhere that takes 3 ms.
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
	"strings"
	"sync"
	"time"

	"github.com/qmuntal/stateless"

	"wild/service"
)

var steps = []string{"drawn", "sawn", "painted", "sent"}

// order is one, with the state that it is in.
type order struct {
	Number string `json:"number"`
	State  string `json:"state"`
}

type orderKey struct{}

// workshop moves orders on.
type workshop struct {
	carrier string
	client  *http.Client
	machine *stateless.StateMachine

	mu      sync.Mutex
	current *order // that the machine is at, where it is at one at a time
}

func open(address string) *workshop {
	w := &workshop{
		carrier: "http://" + address + "/parcels",
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	}
	mode := stateless.FiringQueued
	if service.After() {
		mode = stateless.FiringImmediate
	}
	w.machine = stateless.NewStateMachineWithExternalStorage(
		func(ctx context.Context) (stateless.State, error) { return w.of(ctx).State, nil },
		func(ctx context.Context, s stateless.State) error { w.of(ctx).State = s.(string); return nil }, mode)
	for i, s := range steps[:len(steps)-1] {
		w.machine.Configure(s).Permit("next", steps[i+1])
	}
	w.machine.Configure("sent").OnEntry(func(ctx context.Context, _ ...any) error { return w.tell(ctx, w.of(ctx)) })
	return w
}

// of is the order that a call is about.
func (w *workshop) of(ctx context.Context) *order {
	if o, ok := ctx.Value(orderKey{}).(*order); ok {
		return o
	}
	return w.current
}

// tell has the carrier fetch an order.
func (w *workshop) tell(ctx context.Context, o *order) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.carrier, strings.NewReader(o.Number))
	if err != nil {
		return err
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// next moves an order one step on.
func (w *workshop) next(ctx context.Context, o *order) error {
	if service.After() {
		return w.machine.FireCtx(context.WithValue(ctx, orderKey{}, o), "next")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.current = o
	return w.machine.FireCtx(ctx, "next")
}

func (w *workshop) serve(rw http.ResponseWriter, r *http.Request) {
	o := &order{Number: r.PathValue("number"), State: r.URL.Query().Get("state")}
	if err := w.next(r.Context(), o); err != nil {
		http.Error(rw, err.Error(), http.StatusConflict)
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	json.NewEncoder(rw).Encode(o)
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		serveCarrier()
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders/{number}/next", open(service.Beside("carrier")).serve)
	service.Run(mux)
}

// serveCarrier notes parcels.
func serveCarrier() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(3 * time.Millisecond)
		fmt.Fprintln(w, "noted")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
