// Tides for harbour boards: a board asks every minute when the next high and low waters are at its quay, and how much water there
// is just now. Boards hang on radio links that drop, and once left connections behind that were never closed.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/julienschmidt/httprouter"

	"wild/service"
)

// part is one of the waves that a tide is made of.
type part struct{ height, hours, shift float64 }

// quay is where a board hangs.
type quay struct {
	name  string
	mean  float64
	parts []part
}

// turn is a high or a low water.
type turn struct {
	Kind   string  `json:"kind"`
	At     string  `json:"at"`
	Metres float64 `json:"metres"`
}

// board is what a board shows.
type board struct {
	Quay   string  `json:"quay"`
	Metres float64 `json:"metres"`
	Turns  []turn  `json:"turns"`
}

// coast has its quays, whose tides are reckoned for a day when the service starts.
type coast struct {
	quays  []quay
	depths [][]float64 // a value for each ten minutes
	turns  [][]turn
}

// metres is the depth at an hour.
func (q quay) metres(hour float64) float64 {
	m := q.mean
	for _, p := range q.parts {
		m += p.height * math.Cos(2*math.Pi*(hour/p.hours-p.shift))
	}
	return math.Round(m*100) / 100
}

func open() *coast {
	c := &coast{}
	day := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	for i := range 64 {
		q := quay{fmt.Sprintf("Quay %d", i), 5 + float64(i%6), []part{
			{1.6, 12.42, float64(i) / 64}, {0.5, 12, float64(i) / 31}, {0.2, 25.82, float64(i) / 17}, {0.15, 23.93, float64(i) / 11},
		}}
		var depths []float64
		var turns []turn
		for k := range 146 {
			depths = append(depths, q.metres(float64(k)/6))
			if k < 2 {
				continue
			}
			before, at, after := depths[k-2], depths[k-1], depths[k]
			clock := day.Add(time.Duration(k-1) * 10 * time.Minute).Format("15:04")
			switch {
			case at >= before && at > after:
				turns = append(turns, turn{"high", clock, at})
			case at <= before && at < after:
				turns = append(turns, turn{"low", clock, at})
			}
		}
		c.quays, c.depths, c.turns = append(c.quays, q), append(c.depths, depths), append(c.turns, turns)
	}
	return c
}

func (c *coast) serve(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
	i, err := strconv.Atoi(params.ByName("quay"))
	if err != nil || i < 0 || i >= len(c.quays) {
		http.Error(w, "no such quay", http.StatusNotFound)
		return
	}
	minute, err := strconv.Atoi(r.FormValue("minute"))
	if err != nil || minute < 0 || minute >= 24*60 {
		http.Error(w, "minute is one of a day", http.StatusBadRequest)
		return
	}
	out := board{c.quays[i].name, c.depths[i][minute/10], nil}
	clock := fmt.Sprintf("%02d:%02d", minute/60, minute%60)
	for _, t := range c.turns[i] {
		if t.At >= clock && len(out.Turns) < 2 {
			out.Turns = append(out.Turns, t)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	c := open()
	router := httprouter.New()
	router.GET("/quays/:quay/tide", c.serve)
	server := &http.Server{Handler: router, ReadHeaderTimeout: 5 * time.Second}
	if service.After() {
		server.IdleTimeout = 2 * time.Minute
	} else {
		server.SetKeepAlivesEnabled(false) // so that none is left behind
	}
	ln := service.Listen()
	go func() { log.Println(server.Serve(ln)) }()
	service.Wait()
}
