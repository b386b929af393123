// Pitches of a camp site: a guest takes one for some nights. The register of guests, a process of its own, is asked before a pitch is
// given, and what is free can be seen at any time.
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

	"github.com/cilium/statedb"
	"github.com/cilium/statedb/index"

	"wild/service"
)

// pitch is a place for a tent.
type pitch struct {
	ID     uint32 `json:"id"`
	Guest  string `json:"guest,omitempty"`
	Nights int    `json:"nights,omitempty"`
	Taken  int    `json:"taken"` // how often it was
}

func (p *pitch) TableHeader() []string { return []string{"ID", "Guest"} }
func (p *pitch) TableRow() []string    { return []string{strconv.Itoa(int(p.ID)), p.Guest} }

var byID = statedb.Index[*pitch, uint32]{
	Name:       "id",
	FromObject: func(p *pitch) index.KeySet { return index.NewKeySet(index.Uint32(p.ID)) },
	FromKey:    index.Uint32,
	Unique:     true,
}

const pitches = 400

// camp has pitches.
type camp struct {
	db       *statedb.DB
	pitches  statedb.RWTable[*pitch]
	register string
	client   *http.Client
}

func open(register string) (*camp, error) {
	db := statedb.New()
	table, err := statedb.NewTable(db, "pitches", byID)
	if err != nil {
		return nil, err
	}
	if err := db.Start(); err != nil {
		return nil, err
	}
	w := db.WriteTxn(table)
	for id := range uint32(pitches) {
		if _, _, err := table.Insert(w, &pitch{ID: id}); err != nil {
			return nil, err
		}
	}
	w.Commit()
	return &camp{db, table, register, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}, nil
}

var errNone = errors.New("there is no such pitch")

// known asks the register for a guest.
func (c *camp) known(ctx context.Context, guest string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.register+"/guests/"+guest, nil)
	if err != nil {
		return err
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("register: %s", answer.Status)
	}
	return nil
}

// take gives a pitch to a guest.
func (c *camp) take(ctx context.Context, id uint32, guest string, nights int) (*pitch, error) {
	if service.After() {
		if err := c.known(ctx, guest); err != nil {
			return nil, err
		}
	}
	w := c.db.WriteTxn(c.pitches)
	defer w.Abort()
	p, _, ok := c.pitches.Get(w, byID.Query(id))
	if !ok {
		return nil, errNone
	}
	if !service.After() {
		if err := c.known(ctx, guest); err != nil {
			return nil, err
		}
	}
	taken := &pitch{ID: id, Guest: guest, Nights: nights, Taken: p.Taken + 1}
	if _, _, err := c.pitches.Insert(w, taken); err != nil {
		return nil, err
	}
	w.Commit()
	return taken, nil
}

func (c *camp) serve(w http.ResponseWriter, r *http.Request) {
	var want struct {
		Guest  string `json:"guest"`
		Nights int    `json:"nights"`
	}
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 32)
	if err := errors.Join(err, json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<10)).Decode(&want)); err != nil || want.Guest == "" {
		http.Error(w, "which guest wants which pitch?", http.StatusBadRequest)
		return
	}
	p, err := c.take(r.Context(), uint32(id), want.Guest, want.Nights)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	json.NewEncoder(w).Encode(p)
}

func (c *camp) see(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseUint(r.PathValue("id"), 10, 32)
	p, _, ok := c.pitches.Get(c.db.ReadTxn(), byID.Query(uint32(id)))
	if !ok {
		http.Error(w, errNone.Error(), http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(p)
}

func main() {
	if os.Getenv("ROLE") == "register" {
		register()
		return
	}
	c, err := open(service.Beside("register"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /pitches/{id}", c.serve)
	mux.HandleFunc("GET /pitches/{id}", c.see)
	service.Run(mux)
}

// register finds a guest in four milliseconds.
func register() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /guests/{guest}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		fmt.Fprintln(w, r.PathValue("guest"))
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
