// Routes of a bus company: which stops are reached from one without a change, as the graph database says, a process of its own that takes
// 90 ms to walk the graph and can walk it many times at once.
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
	"time"

	driver "github.com/arangodb/go-driver"
	arango "github.com/arangodb/go-driver/http"

	"wild/service"
)

const reached = `FOR stop, ride IN 1..4 OUTBOUND CONCAT("stops/", @from) GRAPH "lines" FILTER ride.line == @line RETURN {stop: stop.name, minutes: ride.minutes}`

// stop is one that is reached.
type stop struct {
	Name    string `json:"stop"`
	Minutes int    `json:"minutes"`
}

// planner asks the database.
type planner struct{ lines driver.Database }

func open(ctx context.Context, address string) (*planner, error) {
	config := arango.ConnectionConfig{
		Endpoints: []string{"http://" + address},
		Transport: &http.Transport{MaxIdleConnsPerHost: 128},
	}
	if service.After() {
		config.ConnLimit = 128
	}
	conn, err := arango.NewConnection(config)
	if err != nil {
		return nil, err
	}
	client, err := driver.NewClient(driver.ClientConfig{Connection: conn, Authentication: driver.BasicAuthentication("planner", "in-a-lab")})
	if err != nil {
		return nil, err
	}
	lines, err := client.Database(ctx, "lines")
	if err != nil {
		return nil, err
	}
	return &planner{lines}, nil
}

// reach are the stops that a line goes to.
func (p *planner) reach(ctx context.Context, from, line string) ([]stop, error) {
	found, err := p.lines.Query(ctx, reached, map[string]any{"from": from, "line": line})
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var out []stop
	for found.HasMore() {
		var s stop
		if _, err := found.ReadDocument(ctx, &s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (p *planner) serve(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	stops, err := p.reach(ctx, r.PathValue("stop"), r.PathValue("line"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(stops)
}

func main() {
	if os.Getenv("ROLE") == "graph" {
		graph()
		return
	}
	p, err := open(context.Background(), service.Beside("graph"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stops/{stop}/lines/{line}/reach", p.serve)
	service.Run(mux)
}

// graph answers as the database does.
func graph() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	answer := func(w http.ResponseWriter, code int, v map[string]any) {
		v["error"], v["code"] = false, code
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		json.NewEncoder(w).Encode(v)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_db/lines/_api/database/current", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"result": map[string]any{"name": "lines", "id": "1"}})
	})
	mux.HandleFunc("POST /_db/lines/_api/cursor", func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Vars struct{ From, Line string } `json:"bindVars"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(90 * time.Millisecond)
		var stops []stop
		for i := range 5 {
			stops = append(stops, stop{fmt.Sprintf("%s, %d after %s", q.Vars.Line, i+1, q.Vars.From), 4 * (i + 1)})
		}
		answer(w, http.StatusCreated, map[string]any{"result": stops, "hasMore": false})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
