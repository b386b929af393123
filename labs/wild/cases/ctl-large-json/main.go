// Departures: an answer is a JSON of some 200 KB, counted from the second in which it is
// asked, encoded with segmentio/encoding into a buffer that is used again, and sent with
// its length.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/segmentio/encoding/json"

	"wild/service"
)

const (
	lines = 64
	stops = 2000
)

type stop struct {
	ID       int     `json:"id"`
	Name     string  `json:"name"`
	Platform string  `json:"platform"`
	Lat      float64 `json:"lat"`
	Lon      float64 `json:"lon"`
	Arrive   int     `json:"arrive"` // seconds from now
	Leave    int     `json:"leave"`
}

type timetable struct {
	Line  string `json:"line"`
	Valid bool   `json:"valid"`
	Stops []stop `json:"stops"`
}

func main() {
	var all [lines]*timetable
	for i := range all {
		t := &timetable{Line: fmt.Sprint("line ", i), Valid: true, Stops: make([]stop, stops)}
		for j := range t.Stops {
			t.Stops[j] = stop{
				ID: i*stops + j, Name: fmt.Sprint("stop ", j), Platform: strconv.Itoa(j % 9),
				Lat: 52 + float64(j%100)/128, Lon: 13 + float64(j%77)/128, Arrive: j * 60, Leave: j*60 + 30,
			}
		}
		all[i] = t
	}
	// scratch is what an answer is made in.
	type scratch struct {
		stops []stop
		out   []byte
	}
	pool := sync.Pool{New: func() any { return &scratch{stops: make([]stop, stops)} }}
	began := time.Now()
	var seq atomic.Int64
	http.HandleFunc("/departures", func(w http.ResponseWriter, r *http.Request) {
		s := pool.Get().(*scratch)
		defer pool.Put(s)
		t := all[seq.Add(1)%lines]
		now := int(time.Since(began).Seconds())
		copy(s.stops, t.Stops)
		for i := range s.stops {
			s.stops[i].Arrive -= now
			s.stops[i].Leave -= now
		}
		var err error
		s.out, err = json.Append(s.out[:0], &timetable{Line: t.Line, Valid: t.Valid, Stops: s.stops}, 0)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(s.out)))
		w.Write(s.out)
	})
	service.Run(http.DefaultServeMux)
}
