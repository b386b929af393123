// Positions of ships, kept as Avro: a request decodes the track of one, by a schema that was
// parsed at the start, and answers with how far it went and its last positions.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-chi/chi/v5"
	"github.com/hamba/avro/v2"

	"wild/service"
)

const ships = 64

var schema = avro.MustParse(`{"type": "record", "name": "Track", "fields": [
  {"name": "ship", "type": "string"},
  {"name": "fixes", "type": {"type": "array", "items": {"type": "record", "name": "Fix", "fields": [
    {"name": "at", "type": "long"}, {"name": "lat", "type": "double"}, {"name": "lon", "type": "double"}, {"name": "knots", "type": "float"}
  ]}}}
]}`)

type fix struct {
	At    int64   `avro:"at" json:"at"`
	Lat   float64 `avro:"lat" json:"lat"`
	Lon   float64 `avro:"lon" json:"lon"`
	Knots float32 `avro:"knots" json:"knots"`
}

type track struct {
	Ship  string `avro:"ship"`
	Fixes []fix  `avro:"fixes"`
}

type answer struct {
	Ship  string  `json:"ship"`
	Miles float64 `json:"miles"`
	Fixes int     `json:"fixes"`
	Last  []fix   `json:"last"`
}

// miles is the way along the fixes, on a sphere, in nautical miles.
func miles(fixes []fix) float64 {
	const rad = math.Pi / 180
	sum := 0.0
	for i := 1; i < len(fixes); i++ {
		a, b := fixes[i-1], fixes[i]
		x := (b.Lon - a.Lon) * math.Cos((a.Lat+b.Lat)/2*rad)
		sum += 60 * math.Hypot(x, b.Lat-a.Lat)
	}
	return sum
}

func main() {
	kept := tracks()
	buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	decoded := sync.Pool{New: func() any { return new(track) }}
	router := chi.NewRouter()
	router.Get("/ships/{ship}/track", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(chi.URLParam(r, "ship"))
		if err != nil || n < 0 || n >= len(kept) {
			http.Error(w, "no such ship", http.StatusNotFound)
			return
		}
		t := decoded.Get().(*track)
		defer decoded.Put(t)
		t.Fixes = t.Fixes[:0]
		if err := avro.Unmarshal(schema, kept[n], t); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b)
		b.Reset()
		if err := json.NewEncoder(b).Encode(answer{t.Ship, miles(t.Fixes), len(t.Fixes), t.Fixes[len(t.Fixes)-3:]}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(b.Bytes())
	})
	service.Run(router)
}

func tracks() [][]byte {
	rnd := rand.New(rand.NewPCG(5, 6))
	out := make([][]byte, ships)
	for n := range out {
		t := track{Ship: fmt.Sprintf("IMO-%07d", 9000000+n)}
		lat, lon := 54+rnd.Float64(), 10+rnd.Float64()
		for i := range 80 {
			lat, lon = lat+rnd.Float64()/50, lon+rnd.Float64()/40
			t.Fixes = append(t.Fixes, fix{1764000000 + int64(i*60), lat, lon, float32(8 + rnd.Float64()*6)})
		}
		data, err := avro.Marshal(schema, t)
		if err != nil {
			log.Fatal(err)
		}
		out[n] = data
	}
	return out
}
