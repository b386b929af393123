// Land register of a county: how much land there is in a district, how long its borders are, and which parcel is at a
// point. Parcels come from the database of the surveyors, a process of its own, as it keeps them: a line and a WKT each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkt"
	"github.com/paulmach/orb/planar"

	"wild/service"
)

// parcel is a piece of land.
type parcel struct {
	Number int    `json:"number"`
	Owner  string `json:"owner"`
	land   orb.Polygon
}

// register knows where parcels are kept.
type register struct {
	base   string
	client *http.Client
}

// parcels are those of a district.
func (g *register) parcels(district string) ([]parcel, error) {
	resp, err := g.client.Get("http://" + g.base + "/parcels?district=" + district)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var all []parcel
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		columns := strings.SplitN(lines.Text(), "\t", 3)
		if len(columns) != 3 {
			return nil, fmt.Errorf("district %s: %q is not a parcel", district, lines.Text())
		}
		number, err := strconv.Atoi(columns[0])
		if err != nil {
			return nil, err
		}
		land, err := wkt.UnmarshalPolygon(columns[2])
		if err != nil {
			return nil, fmt.Errorf("parcel %d: %w", number, err)
		}
		all = append(all, parcel{number, columns[1], land})
	}
	return all, lines.Err()
}

func (g *register) sums(w http.ResponseWriter, r *http.Request) {
	all, err := g.parcels(r.PathValue("district"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	var area, borders float64
	bound := orb.Bound{Min: orb.Point{math.Inf(1), math.Inf(1)}, Max: orb.Point{math.Inf(-1), math.Inf(-1)}}
	for _, p := range all {
		area += planar.Area(p.land)
		borders += planar.Length(p.land)
		bound = bound.Union(p.land.Bound())
	}
	answer(w, map[string]any{"parcels": len(all), "area": math.Round(area), "borders": math.Round(borders), "bound": bound})
}

func (g *register) at(w http.ResponseWriter, r *http.Request) {
	x, errX := strconv.ParseFloat(r.FormValue("x"), 64)
	y, errY := strconv.ParseFloat(r.FormValue("y"), 64)
	if errX != nil || errY != nil {
		http.Error(w, "a point has an x and a y", http.StatusBadRequest)
		return
	}
	all, err := g.parcels(r.PathValue("district"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	here := []parcel{}
	for _, p := range all {
		if planar.PolygonContains(p.land, orb.Point{x, y}) {
			here = append(here, p)
		}
	}
	answer(w, here)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func main() {
	if os.Getenv("ROLE") == "surveyors" {
		serveSurveyors()
		return
	}
	g := &register{service.Beside("surveyors"), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /districts/{district}", g.sums)
	mux.HandleFunc("GET /districts/{district}/at", g.at)
	service.Run(mux)
}

// serveSurveyors has from 10 to 25 parcels in a district, with some 40 corners each.
func serveSurveyors() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /parcels", func(w http.ResponseWriter, r *http.Request) {
		n := 3
		for _, c := range r.FormValue("district") {
			n = (n*31 + int(c)) % 1009
		}
		out := bufio.NewWriter(w)
		defer out.Flush()
		for i := range 10 + n%16 {
			fmt.Fprintf(out, "%d\tfamily %d\tPOLYGON((", n*100+i, (n+i*7)%60)
			corners := 30 + (n+i)%25
			for c := range corners + 1 {
				angle := 2 * math.Pi * float64(c%corners) / float64(corners)
				far := 80 + 9*math.Sin(angle*5+float64(n))
				fmt.Fprintf(out, "%.3f %.3f", float64(i%5)*200+far*math.Cos(angle), float64(i/5)*200+far*math.Sin(angle))
				if c < corners {
					out.WriteString(", ")
				}
			}
			out.WriteString("))\n")
		}
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
