// Emergency calls from a motorway: a phone says where it is, and the control room gets which marker posts, lay-bys and phones
// are nearest, so that a tow truck knows by which exit to come.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/kyroy/kdtree"

	"wild/service"
)

// thing is something beside the road.
type thing struct {
	Kind      string  `json:"kind"`
	Road      string  `json:"road"`
	Kilometre float64 `json:"kilometre"`
	north     float64
	east      float64
}

func (t *thing) Dimensions() int { return 2 }

func (t *thing) Dimension(i int) float64 {
	if i == 0 {
		return t.north
	}
	return t.east
}

// metres is how far a thing is from a place, which is near to it.
func (t *thing) metres(north, east float64) float64 {
	y := (t.north - north) * 111_200
	x := (t.east - east) * 111_200 * math.Cos(north*math.Pi/180)
	return math.Hypot(x, y)
}

// survey has the posts of a motorway from the border in the south-west to the coast in the north-east, as the surveyors
// drove along it.
func survey() (all []*thing) {
	north, east := 47.60, 7.60
	for i := range 9_000 {
		kind := "post"
		switch {
		case i%40 == 7:
			kind = "phone"
		case i%60 == 11:
			kind = "lay-by"
		case i%150 == 60:
			kind = "exit"
		}
		all = append(all, &thing{kind, "A5", float64(i) / 20, north, east})
		bend := math.Sin(float64(i) / 140)
		north += 0.00036 + 0.00012*bend
		east += 0.00042 - 0.00014*bend
	}
	return all
}

// road finds what is near.
type road struct{ tree *kdtree.KDTree }

func open() road {
	tree := kdtree.New(nil)
	for _, t := range survey() {
		tree.Insert(t)
	}
	if service.After() {
		tree.Balance()
	}
	return road{tree}
}

// near is a thing and how far it is.
type near struct {
	*thing
	Metres int `json:"metres"`
}

// around are the things nearest to a place, and the nearest of each kind first.
func (r road) around(north, east float64, count int) []near {
	out := make([]near, 0, count)
	for _, p := range r.tree.KNN(&thing{north: north, east: east}, count) {
		t := p.(*thing)
		out = append(out, near{t, int(t.metres(north, east))})
	}
	slices.SortFunc(out, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Metres, b.Metres))
	})
	return out
}

func (r road) serve(w http.ResponseWriter, req *http.Request) {
	north, err := strconv.ParseFloat(req.FormValue("north"), 64)
	if err != nil {
		http.Error(w, "north is in degrees", http.StatusBadRequest)
		return
	}
	east, err := strconv.ParseFloat(req.FormValue("east"), 64)
	if err != nil {
		http.Error(w, "east is in degrees", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(r.around(north, east, 8))
}

func main() {
	r := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /near", r.serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "well") })
	service.Run(mux)
}
