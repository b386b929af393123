// Wells of a valley: a station sends what its wells say, and each reading is written into rqlite. The database is a process of its own
// that speaks as much of its protocol as this needs; what is written it has agreed on and has on its disk in some milliseconds.
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
	"sync/atomic"
	"time"

	"github.com/rqlite/gorqlite"

	"wild/service"
)

// reading is what a well says.
type reading struct {
	Well  string  `json:"well"`
	Level float64 `json:"level"`
	Warm  float64 `json:"warm"`
}

// wells are written down.
type wells struct {
	db      *gorqlite.Connection
	written atomic.Int64
}

func open(address string) (*wells, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 10 * time.Second}
	db, err := gorqlite.OpenWithClient("http://"+address+"/?disableClusterDiscovery=true", client)
	return &wells{db: db}, err
}

const insert = "INSERT INTO readings (station, well, level, warm, at) VALUES (?, ?, ?, ?, ?)"

// write writes the readings of a station.
func (ws *wells) write(ctx context.Context, station string, readings []reading) error {
	statements := make([]gorqlite.ParameterizedStatement, 0, len(readings))
	for _, r := range readings {
		statements = append(statements, gorqlite.ParameterizedStatement{Query: insert, Arguments: []any{station, r.Well, r.Level, r.Warm, time.Now().Unix()}})
	}
	if service.After() {
		results, err := ws.db.WriteParameterizedContext(ctx, statements)
		ws.written.Add(int64(len(results)))
		return err
	}
	for _, s := range statements {
		if _, err := ws.db.WriteOneParameterizedContext(ctx, s); err != nil {
			return err
		}
		ws.written.Add(1)
	}
	return nil
}

func (ws *wells) serve(w http.ResponseWriter, r *http.Request) {
	var readings []reading
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<10)).Decode(&readings); err != nil || len(readings) == 0 {
		http.Error(w, errors.Join(errors.New("what do the wells say?"), err).Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	if err := ws.write(ctx, r.PathValue("station"), readings); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%d readings\n", len(readings))
}

func main() {
	if os.Getenv("ROLE") == "database" {
		database()
		return
	}
	ws, err := open(service.Beside("database"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /stations/{station}/readings", ws.serve)
	mux.HandleFunc("GET /written", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, ws.written.Load()) })
	service.Run(mux)
}

// database takes statements, as many as come at once in three milliseconds.
func database() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /db/execute", func(w http.ResponseWriter, r *http.Request) {
		var statements []json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&statements); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(3 * time.Millisecond)
		type result struct {
			ID   int     `json:"last_insert_id"`
			Rows int     `json:"rows_affected"`
			Time float64 `json:"time"`
		}
		results := make([]result, len(statements))
		for i := range results {
			results[i] = result{i + 1, 1, 0.001}
		}
		json.NewEncoder(w).Encode(map[string]any{"results": results, "time": 0.003})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
