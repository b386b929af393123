// Berths of a harbour: shipping agents ask which berth a ship has, and the harbour office says, over one JSON-RPC connection. The
// office tells of ships that move over the same connection, and where they are is kept in an archive, a service that takes 4 ms.
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

	"github.com/sourcegraph/jsonrpc2"

	"wild/service"
)

// position is where a ship was.
type position struct {
	Ship  string  `json:"ship"`
	East  float64 `json:"east"`
	North float64 `json:"north"`
}

// berth is where a ship lies, or will.
type berth struct {
	Ship  string `json:"ship"`
	Quay  string `json:"quay"`
	Place int    `json:"place"`
	Tugs  int    `json:"tugs"`
}

// agency asks the office, and has what it tells archived.
type agency struct {
	office  *jsonrpc2.Conn
	archive string
	client  *http.Client

	mu   sync.Mutex
	last map[string]position
}

func open(ctx context.Context, office, archive string) (*agency, error) {
	a := &agency{archive: "http://" + archive, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, last: map[string]position{}}
	c, err := net.Dial("tcp", office)
	if err != nil {
		return nil, err
	}
	var handler jsonrpc2.Handler = jsonrpc2.HandlerWithError(a.told)
	if service.After() {
		handler = jsonrpc2.AsyncHandler(handler)
	}
	a.office = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(c, jsonrpc2.VSCodeObjectCodec{}), handler)
	return a, nil
}

// told is what the office says of its own accord.
func (a *agency) told(ctx context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	if req.Method != "ship/moved" || req.Params == nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: req.Method}
	}
	var p position
	if err := json.Unmarshal(*req.Params, &p); err != nil {
		return nil, err
	}
	a.mu.Lock()
	a.last[p.Ship] = p
	a.mu.Unlock()
	return nil, a.keep(ctx, p)
}

// keep has a position archived.
func (a *agency) keep(ctx context.Context, p position) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.archive+"/positions", strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (a *agency) serve(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	var b berth
	if err := a.office.Call(ctx, "berth/of", map[string]string{"ship": r.PathValue("ship")}, &b); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	a.mu.Lock()
	at, seen := a.last[b.Ship]
	a.mu.Unlock()
	out := map[string]any{"berth": b}
	if seen {
		out["at"] = at
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "harbour" {
		harbour()
		return
	}
	office, archive, _ := strings.Cut(service.Beside("harbour"), " ")
	a, err := open(context.Background(), office, archive)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ships/{ship}/berth", a.serve)
	service.Run(mux)
}

// harbour is the office and the archive.
func harbour() {
	office, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	archive, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(archive, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(4 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	}))
	go func() {
		for {
			c, err := office.Accept()
			if err != nil {
				return
			}
			conn := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(c, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(answer))
			go move(conn)
		}
	}()
	fmt.Println(office.Addr(), archive.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// answer says where a ship lies.
func answer(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	var asked struct{ Ship string }
	if req.Params == nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "which ship?"}
	}
	if err := json.Unmarshal(*req.Params, &asked); err != nil {
		return nil, err
	}
	n := 0
	for _, c := range asked.Ship {
		n = n*31 + int(c)
	}
	n &= 0xffff
	return berth{asked.Ship, string(rune('A'+n%6)) + " quay", n % 40, 1 + n%3}, nil
}

// move tells of ships, some hundred and fifty times a second.
func move(conn *jsonrpc2.Conn) {
	for n := 0; ; n++ {
		p := position{fmt.Sprintf("ship-%d", n*7%60), 10 + float64(n%500)/1000, 53 + float64(n%300)/1000}
		if err := conn.Notify(context.Background(), "ship/moved", p); err != nil {
			return
		}
		time.Sleep(6 * time.Millisecond)
	}
}
