// Maps for hikers: a browser asks for vector tiles of contours, railways and footpaths of a county. Contours and railways are long,
// and a tile has those that cross it.
package main

import (
	"errors"
	"fmt"
	"log"
	"math"
	"net/http"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/maptile"
	"github.com/paulmach/orb/simplify"

	"wild/service"
)

const (
	west, south = 9.0, 47.0
	wide        = 0.5 // degrees
)

var errFar = errors.New("there is no map of that part, or not that close")

// line is a feature, and where it is.
type line struct {
	shape orb.LineString
	bound orb.Bound
	name  string
	kind  string
	high  int
}

// county has its lines by layer.
type county struct{ layers map[string][]line }

func (c *county) add(layer string, l line) {
	l.bound = l.shape.Bound()
	c.layers[layer] = append(c.layers[layer], l)
}

func open() *county {
	c := &county{layers: map[string][]line{}}
	for i := range 20 { // contours go around all of the county
		shape := make(orb.LineString, 0, 2400)
		for k := range 2400 {
			turn := 2 * math.Pi * float64(k) / 2399
			far := (0.03 + float64(i)*0.01) * (1 + 0.06*math.Sin(turn*23+float64(i)/5) + 0.01*math.Sin(turn*211))
			shape = append(shape, orb.Point{west + wide/2 + far*math.Cos(turn), south + wide/2 + far*math.Sin(turn)})
		}
		c.add("contours", line{shape: shape, name: fmt.Sprintf("contour %d", i), kind: "contour", high: 2000 - i*40})
	}
	for i := range 12 {
		shape := make(orb.LineString, 0, 1600)
		for k := range 1600 {
			along := float64(k) / 1599 * wide
			shape = append(shape, orb.Point{west + along, south + float64(i)*wide/12 + 0.02*math.Sin(along*60+float64(i)) + 0.0005*math.Sin(along*3000)})
		}
		c.add("railways", line{shape: shape, name: fmt.Sprintf("line %d", i), kind: "narrow gauge"})
	}
	for i := range 4000 {
		x, y := math.Mod(float64(i)*0.6180339887, 1)*wide, math.Mod(float64(i)*0.7548776662, 1)*wide
		shape := make(orb.LineString, 0, 12)
		for k := range 12 {
			shape = append(shape, orb.Point{west + x + float64(k)*0.0004, south + y + 0.0003*math.Sin(float64(k+i))})
		}
		c.add("paths", line{shape: shape, name: fmt.Sprintf("path %d", i), kind: "footpath"})
	}
	return c
}

// tile draws what crosses a part of the county.
func (c *county) tile(at maptile.Tile) ([]byte, error) {
	bound := at.Bound()
	all := map[string]*geojson.FeatureCollection{}
	for name, lines := range c.layers {
		some := geojson.NewFeatureCollection()
		for _, l := range lines {
			if !l.bound.Intersects(bound) {
				continue
			}
			f := geojson.NewFeature(l.shape.Clone())
			f.Properties = geojson.Properties{"name": l.name, "kind": l.kind, "high": l.high}
			some.Append(f)
		}
		if len(some.Features) > 0 {
			all[name] = some
		}
	}
	if len(all) == 0 {
		return nil, errFar
	}
	layers := mvt.NewLayers(all)
	layers.ProjectToTile(at)
	if service.After() {
		layers.Clip(mvt.MapboxGLDefaultExtentBound)
	}
	layers.Simplify(simplify.DouglasPeucker(1.0))
	layers.RemoveEmpty(1.0, 1.0)
	return mvt.Marshal(layers)
}

func (c *county) serve(w http.ResponseWriter, r *http.Request) {
	var at [3]uint32
	for i, name := range []string{"z", "x", "y"} {
		n, err := strconv.ParseUint(r.PathValue(name), 10, 32)
		if err != nil {
			http.Error(w, "a tile has three numbers", http.StatusBadRequest)
			return
		}
		at[i] = uint32(n)
	}
	if at[0] > 18 {
		http.Error(w, errFar.Error(), http.StatusNotFound)
		return
	}
	out, err := c.tile(maptile.New(at[1], at[2], maptile.Zoom(at[0])))
	switch {
	case errors.Is(err, errFar):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		log.Println(err)
		http.Error(w, "the tile could not be drawn", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.mapbox-vector-tile")
	w.Header().Set("Cache-Control", "max-age=600")
	w.Write(out)
}

func main() {
	c := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tiles/{z}/{x}/{y}", c.serve)
	service.Run(mux)
}
