// Freight: a customer asks what it costs to have something carried, five hauliers are asked over NATS at once, and the cheapest
// offers are shown. NATS and the hauliers are in a process of their own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/synadia-io/orbit.go/natsext"

	"wild/service"
)

const (
	hauliers = 5
	patience = 250 * time.Millisecond // a haulier that takes longer is left out
)

// freight is what is to be carried.
type freight struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Kilos int    `json:"kilos"`
}

// offer is what a haulier wants for it.
type offer struct {
	Haulier string `json:"haulier"`
	Cents   int    `json:"cents"`
	Days    int    `json:"days"`
}

// exchange asks hauliers.
type exchange struct{ conn *nats.Conn }

// offers are those for some freight, the cheapest first.
func (e *exchange) offers(ctx context.Context, f freight) ([]offer, error) {
	ask, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var options []natsext.RequestManyOpt
	if service.After() {
		options = append(options, natsext.RequestManyMaxMessages(hauliers))
	}
	answers, err := natsext.RequestMany(ctx, e.conn, "freight.ask", ask, options...)
	if err != nil {
		return nil, err
	}
	var out []offer
	for msg, err := range answers {
		if err != nil {
			return nil, err
		}
		var o offer
		if err := json.Unmarshal(msg.Data, &o); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b offer) int { return a.Cents - b.Cents })
	return out, nil
}

func (e *exchange) serve(w http.ResponseWriter, r *http.Request) {
	kilos, err := strconv.Atoi(r.FormValue("kilos"))
	if err != nil || kilos < 1 || kilos > 24_000 {
		http.Error(w, "a lorry carries 1 to 24000 kilos", http.StatusBadRequest)
		return
	}
	out, err := e.offers(r.Context(), freight{r.PathValue("from"), r.PathValue("to"), kilos})
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	case len(out) == 0:
		http.Error(w, "no haulier goes there", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out[:min(3, len(out))])
}

func main() {
	if os.Getenv("ROLE") == "hauliers" {
		serveHauliers()
		return
	}
	conn, err := nats.Connect(service.Beside("hauliers"))
	if err != nil {
		log.Fatal(err)
	}
	e := &exchange{conn}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /freight/{from}/{to}", e.serve)
	service.Run(mux)
	conn.Close()
}

// answer makes the offer of a haulier, who takes a few milliseconds for it.
func answer(n int, msg *nats.Msg) {
	var f freight
	if err := json.Unmarshal(msg.Data, &f); err != nil {
		log.Println(err)
		return
	}
	time.AfterFunc(time.Duration(2+n*2)*time.Millisecond, func() {
		o := offer{fmt.Sprintf("haulier %d", n), 9_000 + f.Kilos*(7+n) + len(f.From)*len(f.To)*31, 1 + (n+f.Kilos)%4}
		out, err := json.Marshal(o)
		if err == nil {
			err = msg.Respond(out)
		}
		if err != nil {
			log.Println(err)
		}
	})
}

func serveHauliers() {
	ns, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		log.Fatal(err)
	}
	go ns.Start()
	if !ns.ReadyForConnections(10 * time.Second) {
		log.Fatal("NATS is not ready")
	}
	for n := range hauliers {
		conn, err := nats.Connect(ns.ClientURL())
		if err != nil {
			log.Fatal(err)
		}
		if _, err := conn.Subscribe("freight.ask", func(msg *nats.Msg) { answer(n, msg) }); err != nil {
			log.Fatal(err)
		}
		if err := conn.Flush(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(ns.ClientURL())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
