// Fares of a ferry: what a crossing costs is a script that the office changes each season. It asks what fuel costs today, of a
// partner whose service takes 5 ms, and takes off what a traveller's card allows.
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
	"sync"
	"time"

	"github.com/d5/tengo/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const script = `
base := 1200 + 35*minutes
for i := 0; i < cars; i++ { base += 2400 + 150*i }
base += people * 650
if hour < 7 || hour > 20 { base = base * 9 / 10 }
surcharge := fuel(route) * minutes / 10
total := base + surcharge
if card == "islander" { total = total * 7 / 10 } else if card == "season" { total = total * 85 / 100 }
`

// trip is what is asked for.
type trip struct {
	Route   string `json:"route"`
	Minutes int    `json:"minutes"`
	People  int    `json:"people"`
	Cars    int    `json:"cars"`
	Hour    int    `json:"hour"`
	Card    string `json:"card"`
}

// office has the script.
type office struct {
	testpb.UnimplementedTestServiceServer
	partner string
	client  *http.Client

	mu    sync.Mutex // of fares
	fares *tengo.Compiled
}

func open(partner string) (*office, error) {
	o := &office{partner: "http://" + partner, client: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	s := tengo.NewScript([]byte(script))
	for name, value := range map[string]any{"route": "", "minutes": 0, "people": 0, "cars": 0, "hour": 0, "card": "", "fuel": o.fuel} {
		if err := s.Add(name, value); err != nil {
			return nil, err
		}
	}
	fares, err := s.Compile()
	o.fares = fares
	return o, err
}

// fuel is what it costs today, for a route: a function that scripts call.
func (o *office) fuel(args ...tengo.Object) (tengo.Object, error) {
	if len(args) != 1 {
		return nil, tengo.ErrWrongNumArguments
	}
	route, _ := tengo.ToString(args[0])
	resp, err := o.client.Get(o.partner + "/fuel/" + route)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	cents, err := strconv.ParseInt(string(text), 10, 64)
	return &tengo.Int{Value: cents}, err
}

// fare runs the script for a trip.
func (o *office) fare(ctx context.Context, t trip) (int, error) {
	run := o.fares
	if service.After() {
		run = run.Clone()
	} else { // one at a time, for the variables are of the script
		o.mu.Lock()
		defer o.mu.Unlock()
	}
	for name, value := range map[string]any{"route": t.Route, "minutes": t.Minutes, "people": t.People, "cars": t.Cars, "hour": t.Hour, "card": t.Card} {
		if err := run.Set(name, value); err != nil {
			return 0, err
		}
	}
	if err := run.RunContext(ctx); err != nil {
		return 0, err
	}
	total := run.Get("total").Int()
	if total <= 0 {
		return 0, errors.New("the script has no fare")
	}
	return total, nil
}

// UnaryCall says what a trip costs.
func (o *office) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	var t trip
	if err := json.Unmarshal(in.GetPayload().GetBody(), &t); err != nil || t.Route == "" || t.Cars > 10 {
		return nil, status.Error(codes.InvalidArgument, "which trip?")
	}
	cents, err := o.fare(ctx, t)
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: fmt.Appendf(nil, "%s %d.%02d", t.Route, cents/100, cents%100)}}, nil
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		partner()
		return
	}
	o, err := open(service.Beside("partner"))
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, o)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

// partner sells fuel.
func partner() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /fuel/{route}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		fmt.Fprint(w, 140+len(r.PathValue("route"))*3)
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
