// Addresses are checked by a partner, a process of its own that takes 4 ms. An actor speaks
// with it and keeps the count of what was asked; handlers ask the actor and wait for its answer.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"wild/service"
)

type check struct{ Street, City string }

type checked struct {
	Street string `json:"street"`
	City   string `json:"city"`
	Known  bool   `json:"known"`
	Asked  int    `json:"asked"`
	err    error
}

type addresses struct {
	client  *http.Client
	partner string
	asked   int
}

func (a *addresses) Receive(c actor.Context) {
	m, ok := c.Message().(*check)
	if !ok {
		return
	}
	a.asked++
	out := &checked{Asked: a.asked}
	out.err = a.ask(m, out)
	c.Respond(out)
}

func (a *addresses) ask(m *check, out *checked) error {
	q := url.Values{"street": {m.Street}, "city": {m.City}}
	resp, err := a.client.Get(a.partner + "/address?" + q.Encode())
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(out)
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		partner()
		return
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	address := "http://" + service.Beside("partner")
	produce := func() actor.Actor { return &addresses{client: client, partner: address} }

	props := actor.PropsFromProducer(produce)
	if service.After() {
		props = router.NewRoundRobinPool(32, actor.WithProducer(produce))
	}
	quiet := actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	root := actor.NewActorSystem(quiet).Root
	pid := root.Spawn(props)

	http.HandleFunc("/check", func(w http.ResponseWriter, r *http.Request) {
		street := strings.TrimSpace(r.FormValue("street"))
		res, err := root.RequestFuture(pid, &check{street, r.FormValue("city")}, 10*time.Second).Result()
		if err != nil {
			http.Error(w, err.Error(), http.StatusGatewayTimeout)
			return
		}
		found := res.(*checked)
		if found.err != nil {
			http.Error(w, found.err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	service.Run(http.DefaultServeMux)
}

func partner() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"street": r.FormValue("street"), "city": r.FormValue("city"), "known": true})
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
