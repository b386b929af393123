// Fares of a taxi service: a ride's price by zones and time of day, with a line in the log for
// each step, as the auditors want it. The log goes through a buffer to a file.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"wild/service"
)

type leg struct {
	Zone  string  `json:"zone"`
	Km    float64 `json:"km"`
	Cents int     `json:"cents"`
}

type fare struct {
	Ride  string `json:"ride"`
	Legs  []leg  `json:"legs"`
	Cents int    `json:"cents"`
}

// buffered is a writer that is written out now and then.
type buffered struct {
	mu sync.Mutex
	w  *bufio.Writer
}

func newBuffered(to io.Writer) *buffered {
	b := &buffered{w: bufio.NewWriterSize(to, 256<<10)}
	go func() {
		for range time.Tick(200 * time.Millisecond) {
			b.mu.Lock()
			b.w.Flush()
			b.mu.Unlock()
		}
	}()
	return b
}

func (b *buffered) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.w.Write(p)
}

var zones = map[string]int{"centre": 240, "north": 180, "south": 170, "airport": 310, "harbour": 205}

// price goes through the zones of a ride.
func price(l *logrus.Entry, ride, from, to string, hour int) (fare, bool) {
	f := fare{Ride: ride}
	for i, zone := range []string{from, "centre", to} {
		perKm, ok := zones[zone]
		if !ok {
			l.WithField("zone", zone).Warn("no such zone")
			return f, false
		}
		g := leg{Zone: zone, Km: 1.5 + float64((len(ride)*7+i*3)%11)/2}
		g.Cents = int(g.Km * float64(perKm))
		l.WithField("zone", zone).Info("leg priced")
		if hour < 6 || hour > 21 {
			g.Cents += g.Cents / 4
			l.WithField("zone", zone).Info("night rate added")
		}
		f.Legs = append(f.Legs, g)
		f.Cents += g.Cents
		l.WithField("cents", f.Cents).Info("sum so far")
	}
	l.WithField("cents", f.Cents).Info("fare given")
	return f, true
}

func main() {
	file, err := os.CreateTemp("", "fares-*.log")
	if err != nil {
		log.Fatal(err)
	}
	os.Remove(file.Name()) // it goes with the process
	logger := logrus.New()
	logger.SetOutput(newBuffered(file))
	logger.SetFormatter(&logrus.TextFormatter{DisableColors: true, DisableSorting: true, TimestampFormat: time.RFC3339Nano})
	logger.SetReportCaller(!service.After())
	http.HandleFunc("/fare", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		hour, err := strconv.Atoi(q.Get("hour"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		l := logger.WithField("ride", q.Get("ride"))
		l.Info("fare asked")
		f, ok := price(l, q.Get("ride"), q.Get("from"), q.Get("to"), hour)
		if !ok {
			http.Error(w, "no such zone", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(f)
	})
	service.Run(http.DefaultServeMux)
}
