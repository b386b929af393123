// An operator's view of drift: what a zone should run is compared with what its agents
// have last reported, and what differs is listed. When something was seen does not count.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wild/service"
)

const (
	zones = 6
	apps  = 40
)

type port struct {
	Name   string
	Number int
	Public bool
}

type app struct {
	Name     string
	Image    string
	Revision int64
	Replicas int
	Args     []string
	Labels   map[string]string
	Ports    []port
	Seen     time.Time
}

func main() {
	wanted := make([][]app, zones)
	for z := range wanted {
		for i := range apps {
			wanted[z] = append(wanted[z], newApp(z, i))
		}
	}
	options := cmp.Options{cmpopts.IgnoreFields(app{}, "Seen"), cmpopts.EquateEmpty()}
	equal := func(a, b app) bool { return cmp.Equal(a, b, options) }
	if service.After() {
		equal = same
	}
	var reports atomic.Int64
	http.HandleFunc("/drift", func(w http.ResponseWriter, r *http.Request) {
		z, err := strconv.Atoi(r.URL.Query().Get("zone"))
		if err != nil || z < 0 || z >= zones {
			http.Error(w, "no such zone", http.StatusNotFound)
			return
		}
		drifted := []string{}
		for i, a := range reported(wanted[z], int(reports.Add(1))) {
			if !equal(wanted[z][i], a) {
				drifted = append(drifted, a.Name)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"zone": z, "drifted": drifted})
	})
	service.Run(http.DefaultServeMux)
}

func same(a, b app) bool {
	return a.Name == b.Name && a.Image == b.Image && a.Revision == b.Revision && a.Replicas == b.Replicas &&
		slices.Equal(a.Args, b.Args) && maps.Equal(a.Labels, b.Labels) && slices.Equal(a.Ports, b.Ports)
}

// reported is what the agents say of a zone: a few apps are still at an older revision or
// have been scaled by hand.
func reported(wanted []app, n int) []app {
	out := slices.Clone(wanted)
	now := time.Now()
	for i := range out {
		out[i].Seen = now
	}
	out[n%apps].Revision--
	out[n*7%apps].Replicas++
	return out
}

func newApp(zone, i int) app {
	a := app{
		Name:     fmt.Sprintf("zone%d-app%03d", zone, i),
		Image:    fmt.Sprintf("registry.example.org/app%03d:v1.%d", i, i%20),
		Revision: int64(1000 + i),
		Replicas: 2 + i%3,
		Labels:   map[string]string{"team": strconv.Itoa(i % 9), "tier": strconv.Itoa(i % 3), "stage": "production", "zone": strconv.Itoa(zone)},
	}
	for k := range 5 {
		a.Args = append(a.Args, fmt.Sprintf("--setting-%d=%d", k, i))
	}
	for k := range 3 {
		a.Ports = append(a.Ports, port{Name: fmt.Sprint("port", k), Number: 8000 + k, Public: k == 0})
	}
	return a
}
