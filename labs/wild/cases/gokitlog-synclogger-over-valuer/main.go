// Parcels at a sorting centre: each scan is written to the centre's journal, with how fast its belt ran, so that a lost parcel can be looked for
// later. The belts' controller knows their speeds, a process elsewhere, which takes 1 ms for an answer.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	kitlog "github.com/go-kit/log"

	"wild/service"
)

// controller knows the speeds of belts.
type controller struct {
	address string
	client  *http.Client
}

// speed asks how fast the belts run now.
func (c *controller) speed() any {
	resp, err := c.client.Get("http://" + c.address + "/speed")
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}

// centre has a journal.
type centre struct{ journal kitlog.Logger }

func open(file io.Writer, address string) *centre {
	belts := &controller{address, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}}
	if service.After() {
		return &centre{kitlog.With(kitlog.NewJSONLogger(kitlog.NewSyncWriter(file)), "ts", kitlog.DefaultTimestampUTC, "speed", kitlog.Valuer(belts.speed))}
	}
	return &centre{kitlog.NewSyncLogger(kitlog.With(kitlog.NewJSONLogger(file), "ts", kitlog.DefaultTimestampUTC, "speed", kitlog.Valuer(belts.speed)))}
}

func (c *centre) serve(w http.ResponseWriter, r *http.Request) {
	belt, parcel := r.PathValue("belt"), r.PathValue("parcel")
	if err := c.journal.Log("belt", belt, "parcel", parcel); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"parcel": parcel, "lorry": "L" + belt})
}

func main() {
	if os.Getenv("ROLE") == "belts" {
		belts()
		return
	}
	file, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // nothing of the journal is kept here
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /belts/{belt}/parcels/{parcel}", open(file, service.Beside("belts")).serve)
	service.Run(mux)
}

// belts run.
func belts() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /speed", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Millisecond)
		fmt.Fprintln(w, "1.8 m/s")
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
