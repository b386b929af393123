// Lifts of a building: terminals say every few seconds that they are there, and when a lift stops, those of its floor are told. Terminals
// are processes elsewhere, that take 6 ms to answer.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	mapset "github.com/deckarep/golang-set/v2"

	"wild/service"
)

const floors = 6

// building has terminals, by floor.
type building struct {
	terminals [floors]mapset.Set[string]
	client    *http.Client
	base      string
}

func open(address string) *building {
	b := &building{base: "http://" + address, client: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64},
		Timeout:   5 * time.Second,
	}}
	for f := range b.terminals {
		b.terminals[f] = mapset.NewSet[string]()
		for n := range 5 {
			b.terminals[f].Add(fmt.Sprintf("terminal-%d-%d", f, n))
		}
	}
	return b
}

// tell says to a terminal that a lift is there.
func (b *building) tell(terminal string, body []byte) error {
	resp, err := b.client.Post(b.base+"/"+terminal, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// stopped tells the terminals of a floor, and how many were told.
func (b *building) stopped(floor, lift int) (told int, err error) {
	body, err := json.Marshal(map[string]int{"floor": floor, "lift": lift})
	if err != nil {
		return 0, err
	}
	each := func(terminal string) bool {
		if err = b.tell(terminal, body); err == nil {
			told++
		}
		return err != nil
	}
	if service.After() {
		for _, terminal := range b.terminals[floor].ToSlice() {
			if each(terminal) {
				break
			}
		}
		return told, err
	}
	b.terminals[floor].Each(each)
	return told, err
}

// floor is the floor that a request is about.
func floor(w http.ResponseWriter, r *http.Request) (int, bool) {
	f, err := strconv.Atoi(r.PathValue("floor"))
	if err != nil || f < 0 || f >= floors {
		http.Error(w, "there is no such floor", http.StatusNotFound)
		return 0, false
	}
	return f, true
}

// here notes that a terminal is there.
func (b *building) here(w http.ResponseWriter, r *http.Request) {
	f, ok := floor(w, r)
	if !ok {
		return
	}
	isNew := b.terminals[f].Add(r.PathValue("terminal"))
	fmt.Fprintln(w, isNew)
}

// stop tells of a lift that stopped.
func (b *building) stop(w http.ResponseWriter, r *http.Request) {
	f, ok := floor(w, r)
	if !ok {
		return
	}
	lift, _ := strconv.Atoi(r.URL.Query().Get("lift"))
	told, err := b.stopped(f, lift)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, told)
}

func main() {
	if os.Getenv("ROLE") == "terminals" {
		terminals()
		return
	}
	b := open(service.Beside("terminals"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /floors/{floor}/terminals/{terminal}", b.here)
	mux.HandleFunc("POST /floors/{floor}/stops", b.stop)
	service.Run(mux)
}

// terminals answer late.
func terminals() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(6 * time.Millisecond)
		fmt.Fprintln(w, "ok")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
