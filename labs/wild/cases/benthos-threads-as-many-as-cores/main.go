// Declarations of a forwarding agent: each parcel that leaves the country goes through a pipeline, where customs, a process elsewhere, clears it
// in 3 ms, and is then put on the list of its lorry.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	benthos "github.com/redpanda-data/benthos/v4/public/service"

	"wild/service"
)

// customs clears parcels.
type customs struct {
	address string
	client  *http.Client
}

func (c *customs) Process(ctx context.Context, m *benthos.Message) (benthos.MessageBatch, error) {
	resp, err := c.client.Get("http://" + c.address + "/clear")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	number, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	m.MetaSet("cleared", string(number))
	return benthos.MessageBatch{m}, nil
}

func (c *customs) Close(context.Context) error { return nil }

// agent has a pipeline.
type agent struct {
	declare benthos.MessageHandlerFunc
	loaded  atomic.Int64
}

// load puts a cleared parcel on its lorry.
func (a *agent) load(context.Context, *benthos.Message) error {
	a.loaded.Add(1)
	return nil
}

func open(address string) (*agent, error) {
	c := &customs{address, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}}
	env := benthos.NewEnvironment()
	err := env.RegisterProcessor("customs", benthos.NewConfigSpec(), func(*benthos.ParsedConfig, *benthos.Resources) (benthos.Processor, error) { return c, nil })
	if err != nil {
		return nil, err
	}
	b := env.NewStreamBuilder()
	b.SetLogger(slog.New(slog.DiscardHandler))
	if service.After() {
		b.SetThreads(32)
	}
	a := &agent{}
	if a.declare, err = b.AddProducerFunc(); err != nil {
		return nil, err
	}
	if err := b.AddProcessorYAML("customs: {}"); err != nil {
		return nil, err
	}
	if err := b.AddConsumerFunc(a.load); err != nil {
		return nil, err
	}
	stream, err := b.Build()
	if err != nil {
		return nil, err
	}
	go func() { log.Println(stream.Run(context.Background())) }()
	return a, nil
}

func (a *agent) serve(w http.ResponseWriter, r *http.Request) {
	parcel, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	if err != nil || !json.Valid(parcel) {
		http.Error(w, "what is in it?", http.StatusBadRequest)
		return
	}
	if err := a.declare(r.Context(), benthos.NewMessage(parcel)); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintln(w, "loaded")
}

func main() {
	if os.Getenv("ROLE") == "customs" {
		office()
		return
	}
	a, err := open(service.Beside("customs"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /parcels", a.serve)
	service.Run(mux)
}

// office is customs' own.
func office() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /clear", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		fmt.Fprint(w, "DE-7731")
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
