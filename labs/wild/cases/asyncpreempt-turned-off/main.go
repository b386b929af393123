// Berths of a harbour: a boat asks which berths are free for its length and draught. How the swell will be at each of them is reckoned
// anew ten times a second from what the buoys say, on a grid of the whole basin.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"wild/service"
)

const wide, high, steps = 400, 300, 130

// berth is a place for a boat.
type berth struct {
	Name    string  `json:"name"`
	Length  float64 `json:"length"`
	Draught float64 `json:"draught"`
	Swell   float64 `json:"swell"`
	Price   int     `json:"price"`
	cell    int
}

// harbour has berths, and the swell of the whole basin.
type harbour struct {
	berths []berth
	swell  atomic.Pointer[[]float32]
}

func open() *harbour {
	h := &harbour{}
	for i := range 900 {
		h.berths = append(h.berths, berth{
			Name: fmt.Sprintf("%c%d", 'A'+i/60, i%60), Length: 6 + float64(i*7%140)/10, Draught: 1 + float64(i*3%30)/10,
			Price: 18 + i*7%60, cell: (20+i*13%(high-40))*wide + 20 + i*29%(wide-40),
		})
	}
	first := make([]float32, wide*high)
	h.swell.Store(&first)
	return h
}

// reckon lets the waves of the buoys run over the grid; step by step each cell becomes what its neighbours were.
func reckon(buoys [4]float32) []float32 {
	now := make([]float32, wide*high)
	for i := range now {
		now[i] = buoys[i/wide*2/high*2+i%wide*2/wide] // the nearest one
	}
	sweep(now, steps)
	return now
}

// sweep is all in one loop, since a call for each cell would be most of it.
func sweep(now []float32, times int) {
	for range times {
		for i := wide + 1; i < len(now)-wide-1; i++ {
			now[i] = now[i]*0.6 + (now[i-1]+now[i+1]+now[i-wide]+now[i+wide])*0.0999
		}
	}
}

// watch reckons anew for as long as the service runs.
func (h *harbour) watch() {
	for n := 0; ; n++ {
		t := float64(n)
		next := reckon([4]float32{float32(80 + 20*math.Sin(t/7)), float32(60 + 9*math.Sin(t/3)), float32(50 + 5*math.Cos(t/5)), 70})
		h.swell.Store(&next)
		time.Sleep(50 * time.Millisecond)
	}
}

// free are the berths that a boat fits into, the calmest first.
func (h *harbour) free(length, draught float64, count int) []berth {
	swell := *h.swell.Load()
	out := make([]berth, 0, 64)
	for _, b := range h.berths {
		if b.Length < length || b.Length > length*1.6 || b.Draught < draught {
			continue
		}
		b.Swell = math.Round(float64(swell[b.cell])*1000) / 1000
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b berth) int { return cmp.Or(cmp.Compare(a.Swell, b.Swell), cmp.Compare(a.Price, b.Price)) })
	return out[:min(count, len(out))]
}

func (h *harbour) serve(w http.ResponseWriter, r *http.Request) {
	length, err := strconv.ParseFloat(r.FormValue("length"), 64)
	if err != nil {
		http.Error(w, "length is in metres", http.StatusBadRequest)
		return
	}
	draught, err := strconv.ParseFloat(r.FormValue("draught"), 64)
	if err != nil {
		http.Error(w, "draught is in metres", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(h.free(length, draught, 12))
}

// setting is left over from a debugger that did not get along with the signals of the runtime.
const setting = "asyncpreemptoff=1"

// as starts this program again with the setting, as its unit file does.
func as() {
	if service.After() || strings.Contains(os.Getenv("GODEBUG"), setting) {
		return
	}
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(syscall.Exec(self, os.Args, append(os.Environ(), "GODEBUG="+setting)))
}

func main() {
	as()
	h := open()
	go h.watch()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /berths", h.serve)
	service.Run(mux)
}
