// Tachographs of lorries: a lorry sends where it was, fix by fix, and is told the local time of each, from which the driver's hours
// are counted.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"sync"
	"time"

	"github.com/ringsaturn/tzf"
	tzfrellite "github.com/ringsaturn/tzf-rel-lite"
	pb "github.com/ringsaturn/tzf/gen/go/tzf/v1"
	"google.golang.org/protobuf/proto"

	"wild/service"
)

// clock tells local time.
type clock struct {
	finder tzf.F

	mu    sync.RWMutex
	zones map[string]*time.Location
}

func open() (*clock, error) {
	c := &clock{zones: map[string]*time.Location{}}
	if service.After() {
		finder, err := tzf.NewDefaultFinder()
		c.finder = finder
		return c, err
	}
	var all pb.CompressedTimezones
	if err := proto.Unmarshal(tzfrellite.LiteCompressData, &all); err != nil {
		return nil, err
	}
	finder, err := tzf.NewFinderFromCompressed(&all)
	c.finder = finder
	return c, err
}

// zone is a time zone by its name.
func (c *clock) zone(name string) *time.Location {
	c.mu.RLock()
	l := c.zones[name]
	c.mu.RUnlock()
	if l != nil {
		return l
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		l = time.UTC
	}
	c.mu.Lock()
	c.zones[name] = l
	c.mu.Unlock()
	return l
}

// fix is where a lorry was.
type fix struct {
	At int64   `json:"at"`
	X  float64 `json:"x"`
	Y  float64 `json:"y"`
	V  float64 `json:"v"`
}

// day is what a driver did on one.
type day struct {
	Driven  int      `json:"minutes_driven"`
	Rested  int      `json:"minutes_rested"`
	Night   int      `json:"minutes_at_night"`
	Borders int      `json:"borders"`
	Local   []string `json:"local"`
}

func (c *clock) count(fixes []fix) day {
	var d day
	was := ""
	for _, f := range fixes {
		name := c.finder.GetTimezoneName(f.X, f.Y)
		if was != "" && name != was {
			d.Borders++
		}
		was = name
		at := time.Unix(f.At, 0).In(c.zone(name))
		if f.V > 5 {
			d.Driven++
		} else {
			d.Rested++
		}
		if at.Hour() < 6 || at.Hour() >= 22 {
			d.Night++
		}
		if at.Minute() == 0 {
			d.Local = append(d.Local, at.Format("15:04 MST"))
		}
	}
	return d
}

func (c *clock) serve(w http.ResponseWriter, r *http.Request) {
	var fixes []fix
	if err := json.NewDecoder(io.LimitReader(r.Body, 256<<10)).Decode(&fixes); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(c.count(fixes))
}

func main() {
	c, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lorries/{lorry}/day", c.serve)
	service.Run(mux)
}
