// Delivery zones of a city: a courier sends the addresses of a round, and is told in which zone each lies and what bringing
// something there costs. The zones are GeoJSON, drawn by hand along streets and rivers, so that each has thousands of points.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"strings"

	"github.com/tidwall/geojson"
	"github.com/tidwall/geojson/geometry"

	"wild/service"
)

// zone is where one price holds.
type zone struct {
	Name  string
	Cents int
	area  geojson.Object
}

// city has zones.
type city struct{ zones []zone }

// outline is the border of the zone of a row and a column: a ring that winds.
func outline(row, column int) string {
	const points = 6000
	x, y := 13.0+float64(column)*0.04, 52.3+float64(row)*0.04
	var b strings.Builder
	b.WriteString(`{"type":"Polygon","coordinates":[[`)
	for i := range points + 1 {
		turn := 2 * math.Pi * float64(i%points) / points
		far := 0.019 + 0.0015*math.Sin(turn*37) + 0.0004*math.Sin(turn*411)
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "[%.7f,%.7f]", x+far*math.Cos(turn), y+far*math.Sin(turn))
	}
	b.WriteString("]]}")
	return b.String()
}

func open() (*city, error) {
	opts := &geojson.ParseOptions{RequireValid: true}
	if service.After() {
		with := *geojson.DefaultParseOptions
		with.RequireValid = true
		opts = &with
	}
	c := new(city)
	for row := range 6 {
		for column := range 8 {
			area, err := geojson.Parse(outline(row, column), opts)
			if err != nil {
				return nil, err
			}
			c.zones = append(c.zones, zone{fmt.Sprintf("%c%d", 'A'+row, column), 290 + 70*(row+column), area})
		}
	}
	return c, nil
}

// find is the zone that a place lies in.
func (c *city) find(at geometry.Point) (zone, bool) {
	place := geojson.NewPoint(at)
	for _, z := range c.zones {
		if z.area.Contains(place) {
			return z, true
		}
	}
	return zone{}, false
}

// stop is an address of a round.
type stop struct {
	ID string  `json:"id"`
	X  float64 `json:"x"`
	Y  float64 `json:"y"`
}

func (c *city) price(w http.ResponseWriter, r *http.Request) {
	var round []stop
	if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&round); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sum, outside, zones := 0, []string{}, map[string]string{}
	for _, s := range round {
		z, ok := c.find(geometry.Point{X: s.X, Y: s.Y})
		if !ok {
			outside = append(outside, s.ID)
			continue
		}
		zones[s.ID] = z.Name
		sum += z.Cents
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"zones": zones, "cents": sum, "outside": outside})
}

func main() {
	c, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /rounds", c.price)
	mux.HandleFunc("GET /zones", func(w http.ResponseWriter, _ *http.Request) {
		for _, z := range c.zones {
			fmt.Fprintf(w, "%s %d\n", z.Name, z.Cents)
		}
	})
	service.Run(mux)
}
