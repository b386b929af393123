// Notices of a ferry line: harbours are told of each notice, through a gateway, and say from time to time that they want to be told. Their
// addresses are kept in a set that goroutines may share; the gateway runs as a process of its own and takes 3 ms for each.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	mapset "github.com/deckarep/golang-set/v2"

	"wild/service"
)

// line tells harbours.
type line struct {
	gateway  string
	client   *http.Client
	harbours mapset.Set[string]
	told     atomic.Int64
}

func open(address string) *line {
	l := &line{gateway: address, client: &http.Client{Timeout: 3 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, harbours: mapset.NewSet[string]()}
	for i := range 6 {
		l.harbours.Add(l.at("h" + strconv.Itoa(i)))
	}
	return l
}

// at is the address of a harbour.
func (l *line) at(harbour string) string { return "http://" + l.gateway + "/harbours/" + harbour }

// tell has a notice sent to a harbour.
func (l *line) tell(ctx context.Context, harbour, notice string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, harbour, strings.NewReader(notice))
	if err != nil {
		return err
	}
	resp, err := l.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	l.told.Add(1)
	return nil
}

// publish tells all harbours, one after the other, in the order of the set.
func (l *line) publish(ctx context.Context, notice string) error {
	var all []error
	if service.After() {
		for _, harbour := range l.harbours.ToSlice() {
			all = append(all, l.tell(ctx, harbour, notice))
		}
	} else {
		for harbour := range l.harbours.Iter() {
			all = append(all, l.tell(ctx, harbour, notice))
		}
	}
	return errors.Join(all...)
}

func (l *line) notice(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<10))
	if err != nil || len(text) == 0 {
		http.Error(w, "a notice has words", http.StatusBadRequest)
		return
	}
	if err := l.publish(r.Context(), string(text)); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, "told", l.harbours.Cardinality(), "harbours")
}

// register takes a harbour, which gives its name again from time to time.
func (l *line) register(w http.ResponseWriter, r *http.Request) {
	l.harbours.Add(l.at(r.PathValue("harbour")))
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	if os.Getenv("ROLE") == "harbours" {
		harbours()
		return
	}
	l := open(service.Beside("harbours"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notices", l.notice)
	mux.HandleFunc("PUT /harbours/{harbour}", l.register)
	mux.HandleFunc("GET /told", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, l.told.Load()) })
	service.Run(mux)
}

// harbours take notices.
func harbours() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /harbours/{harbour}", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(3 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
