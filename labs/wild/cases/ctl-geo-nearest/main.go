// Delivery: which of 400 zones an address is in, and the depots that are nearest to it on
// the sphere, with paulmach/orb. Zones are found by their bounds, depots by a quadtree.
package main

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/quadtree"

	"wild/service"
)

const (
	side    = 20 // zones are side by side
	corners = 500
	depots  = 20_000
	// candidates are nearest in the plane; the sphere may order them otherwise.
	candidates = 64
)

type depot struct {
	At     orb.Point `json:"at"`
	Metres float64   `json:"metres"`
}

type answer struct {
	Zone   int     `json:"zone"`
	Depots []depot `json:"depots"`
}

func main() {
	var zones []orb.Ring
	var bounds []orb.Bound
	for i := range side * side {
		z := ring(float64(i%side)+0.5, float64(i/side)+0.5)
		zones, bounds = append(zones, z), append(bounds, z.Bound())
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	tree := quadtree.New(orb.Bound{Max: orb.Point{side, side}})
	for range depots {
		if err := tree.Add(orb.Point{rnd.Float64() * side, rnd.Float64() * side}); err != nil {
			panic(err)
		}
	}

	var seq atomic.Int64
	http.HandleFunc("/delivery", func(w http.ResponseWriter, r *http.Request) {
		n := float64(seq.Add(1))
		p := orb.Point{math.Mod(n*0.754877666, 1) * side, math.Mod(n*0.569840291, 1) * side}
		a := answer{Zone: -1}
		for i, b := range bounds {
			if b.Contains(p) && planar.RingContains(zones[i], p) {
				a.Zone = i
				break
			}
		}
		near := tree.KNearest(make([]orb.Pointer, 0, candidates), p, candidates)
		found := make([]depot, len(near))
		for i, d := range near {
			found[i] = depot{d.Point(), math.Round(geo.DistanceHaversine(p, d.Point()))}
		}
		slices.SortFunc(found, func(x, y depot) int { return cmp.Compare(x.Metres, y.Metres) })
		a.Depots = found[:5]
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(a)
	})
	service.Run(http.DefaultServeMux)
}

// ring is a zone with a ragged edge.
func ring(x, y float64) orb.Ring {
	out := make(orb.Ring, 0, corners+1)
	for i := range corners {
		at := 2 * math.Pi * float64(i) / corners
		r := 0.5 + 0.05*math.Sin(17*at)
		out = append(out, orb.Point{x + r*math.Cos(at), y + r*math.Sin(at)})
	}
	return append(out, out[0])
}
