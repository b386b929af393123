// Rain between gauges: what fell at a place is estimated from the gauges around it, each weighed by how much it has to do
// with the place and with the others (kriging).
package main

import (
	"encoding/json"
	"errors"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"wild/service"
)

// gauge is one, where it stands in kilometres, and what fell.
type gauge struct{ x, y, mm float64 }

// field is an area with gauges.
type field struct {
	gauges     []gauge
	covariance *mat.SymDense
	factor     mat.Cholesky
	mean       float64
}

// alike is how much places have to do with each other that are some kilometres apart.
func alike(km float64) float64 { return 9 * math.Exp(-km/12) }

var errField = errors.New("the gauges stand in one place")

func open(gauges []gauge) (*field, error) {
	f := &field{gauges: gauges, covariance: mat.NewSymDense(len(gauges), nil)}
	for i, a := range gauges {
		f.mean += a.mm / float64(len(gauges))
		for j, b := range gauges[:i+1] {
			c := alike(math.Hypot(a.x-b.x, a.y-b.y))
			if i == j {
				c += 0.4 // what a gauge itself errs
			}
			f.covariance.SetSym(i, j, c)
		}
	}
	if !f.factor.Factorize(f.covariance) {
		return nil, errField
	}
	return f, nil
}

// weights are those of the gauges at a place.
func (f *field) weights(near *mat.VecDense) (*mat.VecDense, error) {
	var out mat.VecDense
	if service.After() {
		return &out, f.factor.SolveVecTo(&out, near)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(f.covariance); err != nil {
		return nil, err
	}
	out.MulVec(&inverse, near)
	return &out, nil
}

// estimate is what fell at a place.
type estimate struct {
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	Rain float64 `json:"rain"`
	Off  float64 `json:"off"` // a standard deviation
}

func (f *field) at(x, y float64) (estimate, error) {
	near := mat.NewVecDense(len(f.gauges), nil)
	for i, g := range f.gauges {
		near.SetVec(i, alike(math.Hypot(g.x-x, g.y-y)))
	}
	w, err := f.weights(near)
	if err != nil {
		return estimate{}, err
	}
	rain := f.mean
	for i, g := range f.gauges {
		rain += w.AtVec(i) * (g.mm - f.mean)
	}
	off := math.Sqrt(max(0, alike(0)-mat.Dot(w, near)))
	return estimate{x, y, math.Round(max(0, rain)*100) / 100, math.Round(off*100) / 100}, nil
}

func main() {
	random := rand.New(rand.NewPCG(1, 2))
	var gauges []gauge
	for range 120 {
		x, y := random.Float64()*80, random.Float64()*60
		gauges = append(gauges, gauge{x, y, 12 + 5*math.Sin(x/15) + 4*math.Cos(y/11) + random.Float64()})
	}
	f, err := open(gauges)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rain", func(w http.ResponseWriter, r *http.Request) {
		x, err := strconv.ParseFloat(r.FormValue("x"), 64)
		if err != nil {
			http.Error(w, "x is in kilometres", http.StatusBadRequest)
			return
		}
		y, err := strconv.ParseFloat(r.FormValue("y"), 64)
		if err != nil {
			http.Error(w, "y is in kilometres", http.StatusBadRequest)
			return
		}
		out, err := f.at(x, y)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}
