// Stops near to a place: a phone says where it is, and gets the stops around it with what leaves from them next.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/tidwall/rtree"
	"github.com/uptrace/bunrouter"

	"wild/service"
)

// stop is where buses stop.
type stop struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines"`
	Every int      `json:"every_minutes"`
	east  float64
	north float64
}

// near is a stop and how far it is.
type near struct {
	*stop
	Metres int `json:"metres"`
	Walk   int `json:"walk_minutes"`
}

// city has its stops by where they are.
type city struct{ stops rtree.RTreeG[*stop] }

func open() *city {
	c := &city{}
	streets := []string{"Harbour", "Mill", "Station", "Church", "Garden", "Bridge", "Market", "School"}
	for i := range 6000 {
		s := &stop{
			Name: fmt.Sprintf("%s street %d", streets[i%len(streets)], i/len(streets)), Every: 5 + i%25,
			Lines: []string{strconv.Itoa(1 + i%60), strconv.Itoa(61 + i*7%40)},
			east:  10 + math.Mod(float64(i)*0.6180339887, 1)*0.5, north: 59 + math.Mod(float64(i)*0.7548776662, 1)*0.3,
		}
		at := [2]float64{s.east, s.north}
		c.stops.Insert(at, at, s)
	}
	return c
}

// metres is how far a stop is from a place, which is near to it.
func (s *stop) metres(east, north float64) float64 {
	return math.Hypot((s.east-east)*111_200*math.Cos(north*math.Pi/180), (s.north-north)*111_200)
}

// around are the stops nearest to a place.
func (c *city) around(east, north float64, count int) []near {
	out := make([]near, 0, count)
	at := [2]float64{east, north}
	c.stops.Nearby(rtree.BoxDist[float64, *stop](at, at, nil), func(_, _ [2]float64, s *stop, _ float64) bool {
		m := s.metres(east, north)
		out = append(out, near{s, int(m), int(m/80) + 1})
		return len(out) < count
	})
	return out
}

func (c *city) serve(w http.ResponseWriter, req bunrouter.Request) error {
	east, err := strconv.ParseFloat(req.Param("east"), 64)
	if err != nil {
		http.Error(w, "east is in degrees", http.StatusBadRequest)
		return nil
	}
	north, err := strconv.ParseFloat(req.Param("north"), 64)
	if err != nil {
		http.Error(w, "north is in degrees", http.StatusBadRequest)
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(c.around(east, north, 10))
}

func main() {
	c := open()
	router := bunrouter.New()
	router.GET("/stops/:north/:east", c.serve)
	service.Run(router)
}
