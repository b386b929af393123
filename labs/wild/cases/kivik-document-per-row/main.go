// Appointments of clinics: a page lists those of a clinic for a day, from a database of documents, a process of its own that takes 3 ms for
// a view and 2 ms for a document.
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
	"time"

	"github.com/go-kivik/kivik/v4"
	"github.com/go-kivik/kivik/v4/couchdb"

	"wild/service"
)

// appointment is a document.
type appointment struct {
	ID      string `json:"_id"`
	Rev     string `json:"_rev"`
	Clinic  string `json:"clinic"`
	At      string `json:"at"`
	Patient string `json:"patient"`
	Minutes int    `json:"minutes"`
}

// desk lists appointments.
type desk struct{ appointments *kivik.DB }

func open(address string) (*desk, error) {
	client, err := kivik.New("couch", "http://"+address+"/", couchdb.OptionHTTPClient(&http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second,
	}))
	if err != nil {
		return nil, err
	}
	return &desk{client.DB("appointments")}, nil
}

// of are the appointments of a clinic.
func (d *desk) of(ctx context.Context, clinic string) ([]appointment, error) {
	rows := d.appointments.Query(ctx, "desk", "by_clinic", kivik.Params(map[string]any{"key": clinic, "limit": 12, "include_docs": service.After()}))
	defer rows.Close()
	var out []appointment
	for rows.Next() {
		var a appointment
		if service.After() {
			if err := rows.ScanDoc(&a); err != nil {
				return nil, err
			}
		} else {
			id, err := rows.ID()
			if err != nil {
				return nil, err
			}
			if err := d.appointments.Get(ctx, id).ScanDoc(&a); err != nil {
				return nil, err
			}
		}
		out = append(out, a)
	}
	return out, rows.Err()
}

func (d *desk) page(w http.ResponseWriter, r *http.Request) {
	all, err := d.of(r.Context(), r.PathValue("clinic"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	minutes := 0
	for _, a := range all {
		minutes += a.Minutes
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"appointments": all, "minutes": minutes})
}

func main() {
	if os.Getenv("ROLE") == "documents" {
		documents()
		return
	}
	d, err := open(service.Beside("documents"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /clinics/{clinic}/appointments", d.page)
	service.Run(mux)
}

// documents answers as the database does.
func documents() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	document := func(id string) appointment {
		clinic, at, _ := strings.Cut(id, "-")
		return appointment{id, "1-967a00dff5e02add41819138abb3284d", clinic, "2026-11-30T" + at + ":00:00Z", "Patient " + at, 15 + len(clinic)}
	}
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(v)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /appointments/_design/desk/_view/by_clinic", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		clinic := strings.Trim(r.URL.Query().Get("key"), `"`)
		var rows []map[string]any
		for h := 8; h < 16; h++ {
			id := fmt.Sprintf("%s-%02d", clinic, h)
			row := map[string]any{"id": id, "key": clinic, "value": nil}
			if r.URL.Query().Get("include_docs") == "true" {
				row["doc"] = document(id)
			}
			rows = append(rows, row)
		}
		answer(w, map[string]any{"total_rows": 4000, "offset": 0, "rows": rows})
	})
	mux.HandleFunc("GET /appointments/{id}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		found := document(r.PathValue("id"))
		w.Header().Set("ETag", `"`+found.Rev+`"`)
		answer(w, found)
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
