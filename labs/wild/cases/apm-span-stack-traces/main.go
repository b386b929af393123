// Prices of journeys: a request finds the legs of a journey, prices each of them and looks for a rebate. Each step
// is a span that goes to an APM server, which is a process of its own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"go.elastic.co/apm/v2"
	"go.elastic.co/apm/v2/transport"

	"wild/service"
)

type leg struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Km    int    `json:"km"`
	Cents int    `json:"cents"`
}

type journey struct {
	Legs   []leg  `json:"legs"`
	Rebate string `json:"rebate,omitempty"`
	Cents  int    `json:"cents"`
}

// network is what a journey may go over.
type network struct {
	km      map[string]int
	rebates map[string]int // percent by card
}

func (n *network) legs(ctx context.Context, by []string) ([]leg, error) {
	span, _ := apm.StartSpan(ctx, "legs", "app.plan")
	defer span.End()
	var out []leg
	for i := range len(by) - 1 {
		km, ok := n.km[by[i]+"-"+by[i+1]]
		if !ok {
			return nil, fmt.Errorf("no line from %q to %q", by[i], by[i+1])
		}
		out = append(out, leg{From: by[i], To: by[i+1], Km: km})
	}
	return out, nil
}

// price is a step by leg: fares go down with the distance.
func (n *network) price(ctx context.Context, l *leg) {
	span, _ := apm.StartSpan(ctx, "price "+l.From+"-"+l.To, "app.price")
	defer span.End()
	for km := range l.Km {
		l.Cents += max(7, 24-km/12)
	}
}

func (n *network) rebate(ctx context.Context, j *journey, card string) {
	span, _ := apm.StartSpan(ctx, "rebate", "app.rebate")
	defer span.End()
	if percent, ok := n.rebates[card]; ok {
		j.Rebate = card
		j.Cents -= j.Cents * percent / 100
	}
}

func (n *network) journey(ctx context.Context, by []string, card string) (*journey, error) {
	span, ctx := apm.StartSpan(ctx, "journey", "app.plan")
	defer span.End()
	legs, err := n.legs(ctx, by)
	if err != nil {
		return nil, err
	}
	j := &journey{Legs: legs}
	for i := range legs {
		n.price(ctx, &legs[i])
		j.Cents += legs[i].Cents
	}
	n.rebate(ctx, j, card)
	return j, nil
}

func newTracer(server string) (*apm.Tracer, error) {
	u, err := url.Parse("http://" + server)
	if err != nil {
		return nil, err
	}
	to, err := transport.NewHTTPTransport(transport.HTTPTransportOptions{ServerURLs: []*url.URL{u}})
	if err != nil {
		return nil, err
	}
	tracer, err := apm.NewTracerOptions(apm.TracerOptions{ServiceName: "journeys", Transport: to})
	if err != nil {
		return nil, err
	}
	if !service.After() {
		tracer.SetSpanStackTraceMinDuration(0) // all of them, until it is known where the slow ones come from
	}
	return tracer, nil
}

func main() {
	if os.Getenv("ROLE") == "apm" {
		sink()
		return
	}
	tracer, err := newTracer(service.Beside("apm"))
	if err != nil {
		log.Fatal(err)
	}
	n := &network{km: map[string]int{}, rebates: map[string]int{"half": 50, "young": 25, "family": 20}}
	towns := strings.Fields("Basel Bern Thun Brig Chur Olten Genf Zug Arth Bellinzona")
	for i, a := range towns {
		for k, b := range towns {
			if i != k {
				n.km[a+"-"+b] = 20 + (i*31+k*17)%90
			}
		}
	}
	http.HandleFunc("GET /journeys", func(w http.ResponseWriter, r *http.Request) {
		tx := tracer.StartTransaction("GET /journeys", "request")
		defer tx.End()
		q := r.URL.Query()
		by := strings.Split(q.Get("by"), ",")
		if len(by) < 2 || len(by) > 12 {
			http.Error(w, "by has 2 to 12 towns", http.StatusBadRequest)
			return
		}
		j, err := n.journey(apm.ContextWithTransaction(r.Context(), tx), by, q.Get("card"))
		if err != nil {
			tx.Result = "HTTP 4xx"
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		tx.Result = "HTTP 2xx"
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(j)
	})
	service.Run(http.DefaultServeMux)
}

// sink takes what agents send, and keeps none of it.
func sink() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"version":"8.15.0"}`)
	})}
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
