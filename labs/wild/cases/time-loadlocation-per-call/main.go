// A calendar that answers at what time a meeting begins for each of its guests,
// each in a time zone of their own.
package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	_ "time/tzdata" // where the system has no database of zones

	"wild/service"
)

type guest struct {
	Name string `json:"name"`
	Zone string `json:"zone"`
}

type local struct {
	Name   string `json:"name"`
	Begins string `json:"begins"`
}

var zones = []string{
	"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "America/Sao_Paulo",
	"Africa/Cairo", "Asia/Kolkata", "America/Los_Angeles", "Europe/Lisbon", "Pacific/Auckland",
	"America/Chicago", "Asia/Jerusalem", "Europe/Helsinki", "America/Toronto", "Asia/Singapore",
}

func main() {
	var seq atomic.Int64
	http.HandleFunc("/meeting", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1))
		begins := time.Date(2026, time.March, 1+n%28, 9+n%8, 30, 0, 0, time.UTC)
		out := make([]local, 0, 8)
		for i := range 8 {
			g := guest{Name: "guest" + strconv.Itoa(i), Zone: zones[(n+i)%len(zones)]}
			zone, err := location(g.Zone)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			out = append(out, local{Name: g.Name, Begins: begins.In(zone).Format(time.RFC1123Z)})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}

var known sync.Map

func location(name string) (*time.Location, error) {
	if !service.After() {
		return time.LoadLocation(name)
	}
	if zone, ok := known.Load(name); ok {
		return zone.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err == nil {
		known.Store(name, zone)
	}
	return zone, err
}
