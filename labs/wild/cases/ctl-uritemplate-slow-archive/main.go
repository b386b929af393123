// Old maps: what an archive has of a place is fetched from it, by the template of addresses that it publishes. It is a process elsewhere, which
// looks for 25 ms, and it is asked once for each request.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/yosida95/uritemplate/v3"

	"wild/service"
)

// maps are fetched.
type maps struct {
	address *uritemplate.Template
	client  *http.Client
}

func open(archive string) (*maps, error) {
	t, err := uritemplate.New("http://" + archive + "/maps/{place}{?year,scale}")
	return &maps{t, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}}, err
}

func (m *maps) serve(w http.ResponseWriter, r *http.Request) {
	at, err := m.address.Expand(uritemplate.Values{
		"place": uritemplate.String(r.PathValue("place")), "year": uritemplate.String(r.URL.Query().Get("year")), "scale": uritemplate.String("25000"),
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, at, nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	resp, err := m.client.Do(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	w.Header().Set("Content-Type", "application/json")
	io.Copy(w, resp.Body)
}

func main() {
	if os.Getenv("ROLE") == "archive" {
		serveArchive()
		return
	}
	m, err := open(service.Beside("archive"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /places/{place}/maps", m.serve)
	service.Run(mux)
}

// serveArchive looks for maps.
func serveArchive() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /maps/{place}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(25 * time.Millisecond)
		fmt.Fprintf(w, `{"place": %q, "year": %q, "sheets": [%d, %d]}`, r.PathValue("place"), r.URL.Query().Get("year"), len(r.URL.Path), len(r.URL.RawQuery))
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
