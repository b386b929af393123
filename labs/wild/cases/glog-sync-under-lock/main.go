// Parcels on their way: each scan at a depot is logged, and where a parcel changes hands the log is on the disk before the driver is told
// so, because that is what is shown when it is lost.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/golang/glog"

	"wild/service"
)

// scan is what a reader at a depot sends.
type scan struct {
	Parcel string `json:"parcel"`
	Depot  string `json:"depot"`
	Grams  int    `json:"grams"`
	Driver string `json:"driver"`
}

// depots know where each parcel was seen last.
type depots struct {
	mu   sync.RWMutex
	seen map[string]string
}

func (d *depots) see(s scan) (before string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before = d.seen[s.Parcel]
	d.seen[s.Parcel] = s.Depot
	return before
}

// read decodes a scan, and says what is wrong with it.
func read(w http.ResponseWriter, r *http.Request) (s scan, ok bool) {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<10)).Decode(&s); err != nil || s.Parcel == "" || s.Depot == "" {
		http.Error(w, "a scan is of a parcel in a depot", http.StatusBadRequest)
		return s, false
	}
	return s, true
}

// scanned takes a scan, that is logged.
func (d *depots) scanned(w http.ResponseWriter, r *http.Request) {
	s, ok := read(w, r)
	if !ok {
		return
	}
	before := d.see(s)
	glog.Infof("parcel %s in depot %s, %d g, before in %q", s.Parcel, s.Depot, s.Grams, before)
	if s.Grams > 20_000 {
		glog.Infof("parcel %s wants two to carry it", s.Parcel)
	}
	fmt.Fprintf(w, "%s %s\n", s.Parcel, s.Depot)
}

// handed takes a parcel that went to a driver: its log is on the disk before the answer.
func (d *depots) handed(w http.ResponseWriter, r *http.Request) {
	s, ok := read(w, r)
	if !ok {
		return
	}
	d.see(s)
	glog.Infof("parcel %s handed to driver %s in depot %s", s.Parcel, s.Driver, s.Depot)
	glog.Flush()
	fmt.Fprintf(w, "%s handed over\n", s.Parcel)
}

// where says where a parcel was seen last.
func (d *depots) where(w http.ResponseWriter, r *http.Request) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	fmt.Fprintln(w, d.seen[r.PathValue("parcel")])
}

func main() {
	folder, err := os.MkdirTemp("", "depots")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	flag.Set("log_dir", folder)
	flag.Parse()
	d := &depots{seen: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /scans", d.scanned)
	mux.HandleFunc("POST /handovers", d.handed)
	mux.HandleFunc("GET /parcels/{parcel}", d.where)
	service.Run(mux)
}
