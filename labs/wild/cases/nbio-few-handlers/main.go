// Tram stops' displays, by the thousand, hang on a server that has few goroutines for many connections. What a display shows comes from the
// timetable, a process elsewhere that takes 4 ms for a request.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/lesismal/nbio/logging"
	"github.com/lesismal/nbio/nbhttp"

	"wild/service"
)

// displays show what the timetable says.
type displays struct {
	timetable string
	client    *http.Client
}

func (d *displays) serve(w http.ResponseWriter, r *http.Request) {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, d.timetable+"?stop="+r.URL.Query().Get("stop"), nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	resp, err := d.client.Do(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	lines, err := io.ReadAll(resp.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write(lines)
}

func main() {
	if os.Getenv("ROLE") == "timetable" {
		serveTimetable()
		return
	}
	d := &displays{
		timetable: "http://" + service.Beside("timetable") + "/next",
		client:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/next", d.serve)
	handlers := 4
	if service.After() {
		handlers = 128
	}
	logging.SetLevel(logging.LevelNone)
	engine := nbhttp.NewEngine(nbhttp.Config{
		Network: "tcp", Addrs: []string{"127.0.0.1:" + os.Getenv("PORT")}, Handler: mux,
		IOMod: nbhttp.IOModNonBlocking, MessageHandlerPoolSize: handlers,
	})
	if err := engine.Start(); err != nil {
		log.Fatal(err)
	}
	service.Wait()
	engine.Stop()
}

// serveTimetable knows when trams come.
func serveTimetable() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		for i := range 4 {
			fmt.Fprintf(w, "%2d  stop %s  %d min\n", i*3+1, r.URL.Query().Get("stop"), 2+i*4)
		}
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
