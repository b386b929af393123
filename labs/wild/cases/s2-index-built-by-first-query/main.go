// Zones of a scooter fleet: where scooters may stand, and where they must go slowly, changes with the hour and with what
// the city tells. Scooters ask which zones they are in, and twice a second there may be other zones.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"

	"wild/service"
)

// zone is one.
type zone struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// zones are those that hold now.
type zones struct {
	index *s2.ShapeIndex
	known map[s2.Shape]zone
	round int
}

// fleet asks them.
type fleet struct{ now atomic.Pointer[zones] }

// kinds of zones.
var kinds = []string{"parking", "slow", "closed", "bonus"}

// draw has the zones of a round: some are where they were, some have moved or grown.
func draw(round int) *zones {
	z := &zones{index: s2.NewShapeIndex(), known: map[s2.Shape]zone{}, round: round}
	for i := range 1800 {
		a := float64(i) * 2.39996 // the golden angle, which spreads them evenly
		r := 0.16 * math.Sqrt(float64(i)/1800)
		if i%3 == 0 {
			a += float64(round%60) / 300
		}
		at := s2.PointFromLatLng(s2.LatLngFromDegrees(47.05+r*math.Sin(a), 8.3+1.4*r*math.Cos(a)))
		loop := s2.RegularLoop(at, s1.Angle(float64(180+i%7*60+round%5*10)/6371000), 40+i%5*8)
		shape := s2.PolygonFromLoops([]*s2.Loop{loop})
		z.index.Add(shape)
		z.known[shape] = zone{fmt.Sprintf("%s %d", kinds[i%4], i), kinds[i%4]}
	}
	if service.After() {
		z.index.Build()
	}
	return z
}

// follow has other zones twice a second.
func (f *fleet) follow() {
	for round := 1; ; round++ {
		time.Sleep(500 * time.Millisecond)
		f.now.Store(draw(round))
	}
}

// at is which zones a place is in.
func (f *fleet) at(place s2.LatLng) []zone {
	z := f.now.Load()
	out := []zone{}
	query := s2.NewContainsPointQuery(z.index, s2.VertexModelSemiOpen)
	for _, shape := range query.ContainingShapes(s2.PointFromLatLng(place)) {
		out = append(out, z.known[shape])
	}
	return out
}

// limit is how fast a scooter may go there, in km/h.
func limit(in []zone) int {
	fastest := 20
	for _, z := range in {
		switch z.Kind {
		case "closed":
			return 0
		case "slow":
			fastest = 8
		}
	}
	return fastest
}

func main() {
	f := &fleet{}
	f.now.Store(draw(0))
	go f.follow()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /scooters/{id}/zones", func(w http.ResponseWriter, r *http.Request) {
		lat, err := strconv.ParseFloat(r.FormValue("lat"), 64)
		if err != nil {
			http.Error(w, "lat is in degrees", http.StatusBadRequest)
			return
		}
		lng, err := strconv.ParseFloat(r.FormValue("lng"), 64)
		if err != nil {
			http.Error(w, "lng is in degrees", http.StatusBadRequest)
			return
		}
		in := f.at(s2.LatLngFromDegrees(lat, lng))
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"scooter": r.PathValue("id"), "zones": in, "limit": limit(in)})
	})
	service.Run(mux)
}
