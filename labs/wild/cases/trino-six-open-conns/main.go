// Ridership of a tram line: how many rode on a day is asked of a warehouse by SQL, a process elsewhere that takes 4 ms for a question, and is
// asked by many at a time.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/trinodb/trino-go-client/trino"

	"wild/service"
)

// trams knows who rode.
type trams struct{ db *sql.DB }

func open(address string) (*trams, error) {
	shared := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	if err := trino.RegisterCustomClient("shared", shared); err != nil {
		return nil, err
	}
	db, err := sql.Open("trino", "http://trams@"+address+"?catalog=city&schema=trams&custom_client=shared")
	if err != nil {
		return nil, err
	}
	most := 6
	if service.After() {
		most = 64
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return &trams{db}, nil
}

// rode is how many rode on a day.
func (t *trams) rode(ctx context.Context, line, day int) (int64, error) {
	var n int64
	err := t.db.QueryRowContext(ctx, fmt.Sprintf("SELECT count(*) FROM rides WHERE line = %d AND day = %d", line, day)).Scan(&n)
	return n, err
}

func (t *trams) serve(w http.ResponseWriter, r *http.Request) {
	line, err := strconv.Atoi(r.PathValue("line"))
	if err != nil {
		http.Error(w, "which line?", http.StatusBadRequest)
		return
	}
	day, err := strconv.Atoi(r.PathValue("day"))
	if err != nil {
		http.Error(w, "which day?", http.StatusBadRequest)
		return
	}
	n, err := t.rode(r.Context(), line, day)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"line": line, "day": day, "rode": n})
}

func main() {
	if os.Getenv("ROLE") == "warehouse" {
		serveWarehouse()
		return
	}
	t, err := open(service.Beside("warehouse"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /lines/{line}/days/{day}", t.serve)
	service.Run(mux)
}

// serveWarehouse answers questions.
func serveWarehouse() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var asked atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/statement", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		n := asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"q%d","nextUri":"http://%s/v1/statement/q%d","stats":{"state":"QUEUED"}}`, n, ln.Addr(), n)
	})
	mux.HandleFunc("GET /v1/statement/{question}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":%q,"columns":[{"name":"n","type":"bigint","typeSignature":{"rawType":"bigint","arguments":[]}}],"data":[[%d]],"stats":{"state":"FINISHED"}}`,
			r.PathValue("question"), 1000+len(r.URL.Path))
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
