// A collector of meter readings: each post of a gateway is checked, turned into points and written
// to InfluxDB before it is answered. The database, a process of its own, takes 6 ms for a write.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	influxdb2 "github.com/influxdata/influxdb-client-go/v2"
	"github.com/influxdata/influxdb-client-go/v2/api"
	"github.com/influxdata/influxdb-client-go/v2/api/write"

	"wild/service"
)

const late = 6 * time.Millisecond

// reading is what a gateway says of one of its meters.
type reading struct {
	Meter string  `json:"meter"`
	Phase int     `json:"phase"`
	Volt  float64 `json:"volt"`
	Amp   float64 `json:"amp"`
}

// store keeps readings.
type store struct {
	points api.WriteAPIBlocking
	kept   atomic.Int64
}

func newStore(address string) *store {
	client := influxdb2.NewClientWithOptions("http://"+address, "collector-token", influxdb2.DefaultOptions().SetPrecision(time.Millisecond))
	return &store{points: client.WriteAPIBlocking("grid", "meters")}
}

func (s *store) keep(ctx context.Context, gateway string, readings []reading) error {
	now := time.Now()
	points := make([]*write.Point, 0, len(readings))
	for _, r := range readings {
		points = append(points, influxdb2.NewPoint("power",
			map[string]string{"gateway": gateway, "meter": r.Meter, "phase": fmt.Sprint(r.Phase)},
			map[string]any{"volt": r.Volt, "amp": r.Amp, "watt": r.Volt * r.Amp}, now))
	}
	if err := s.points.WritePoint(ctx, points...); err != nil {
		return fmt.Errorf("keep %d points of %s: %w", len(points), gateway, err)
	}
	s.kept.Add(int64(len(points)))
	return nil
}

// check refuses what no meter can say.
func check(readings []reading) error {
	if len(readings) == 0 {
		return errors.New("no readings")
	}
	for _, r := range readings {
		if r.Meter == "" || r.Phase < 1 || r.Phase > 3 {
			return fmt.Errorf("meter %q: phase %d", r.Meter, r.Phase)
		}
		if math.IsNaN(r.Volt) || r.Volt < 0 || r.Volt > 500 {
			return fmt.Errorf("meter %q: %g V", r.Meter, r.Volt)
		}
	}
	return nil
}

// load is the sum of the power of each phase.
func load(readings []reading) [3]float64 {
	var sums [3]float64
	for _, r := range readings {
		sums[r.Phase-1] += r.Volt * r.Amp
	}
	return sums
}

func main() {
	if os.Getenv("ROLE") == "influxdb" {
		database()
		return
	}
	s := newStore(service.Beside("influxdb"))
	http.HandleFunc("POST /readings", func(w http.ResponseWriter, r *http.Request) {
		var readings []reading
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&readings); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := check(readings); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := s.keep(r.Context(), r.URL.Query().Get("gateway"), readings); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"kept": s.kept.Load(), "load": load(readings)})
	})
	service.Run(http.DefaultServeMux)
}

// database takes writes of the line protocol.
func database() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(late)
		w.WriteHeader(http.StatusNoContent)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
