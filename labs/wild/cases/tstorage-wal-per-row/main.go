// Meters of a town's heating: each building sends what its meters read in the last minutes, and the readings are kept for a few
// hours, for a screen in the control room.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nakabonne/tstorage"

	"wild/service"
)

// plant keeps readings.
type plant struct{ series tstorage.Storage }

func open(dir string) (*plant, error) {
	buffered := 0 // nothing is lost
	if service.After() {
		buffered = 64 << 10
	}
	series, err := tstorage.NewStorage(
		tstorage.WithDataPath(dir),
		tstorage.WithTimestampPrecision(tstorage.Milliseconds),
		tstorage.WithPartitionDuration(time.Hour),
		tstorage.WithRetention(6*time.Hour),
		tstorage.WithWALBufferedSize(buffered),
	)
	return &plant{series}, err
}

// keep takes over the lines of a building: a meter, what it reads of, and how much that is.
func (p *plant) keep(building string, lines *bufio.Scanner) (kept int, err error) {
	now := time.Now().UnixMilli()
	for lines.Scan() {
		meter, number, ok := strings.Cut(lines.Text(), " ")
		value, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || value < 0 {
			return kept, fmt.Errorf("%s: a line has a meter and a number: %q", building, lines.Text())
		}
		err = p.series.InsertRows([]tstorage.Row{{
			Metric: building + "/" + meter, DataPoint: tstorage.DataPoint{Timestamp: now, Value: value},
		}})
		if err != nil {
			return kept, err
		}
		kept++
	}
	return kept, lines.Err()
}

// last is what a meter showed in the last minute.
func (p *plant) last(building, meter string) ([]*tstorage.DataPoint, error) {
	now := time.Now().UnixMilli()
	points, err := p.series.Select(building+"/"+meter, nil, now-60_000, now+1)
	if errors.Is(err, tstorage.ErrNoDataPoints) {
		return nil, nil
	}
	return points, err
}

func (p *plant) take(w http.ResponseWriter, r *http.Request) {
	kept, err := p.keep(r.PathValue("building"), bufio.NewScanner(http.MaxBytesReader(w, r.Body, 64<<10)))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"kept":%d}`, kept)
}

func main() {
	dir, err := os.MkdirTemp("", "meters")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	p, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /buildings/{building}/readings", p.take)
	mux.HandleFunc("GET /buildings/{building}/{meter}", func(w http.ResponseWriter, r *http.Request) {
		points, err := p.last(r.PathValue("building"), r.PathValue("meter"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(points)
	})
	service.Run(mux)
}
