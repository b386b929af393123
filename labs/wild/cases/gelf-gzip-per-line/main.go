// Gates of a car park: a car that comes or goes is looked up, and each step is logged as GELF to a collector beside it, over UDP.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/Graylog2/go-gelf/gelf"

	"wild/service"
)

// car is one that has been seen.
type car struct {
	Plate  string    `json:"plate"`
	Season bool      `json:"season"`
	Came   time.Time `json:"came"`
	Visits int       `json:"visits"`
}

// park knows its cars.
type park struct {
	logs *gelf.UDPWriter
	host string

	mu   sync.Mutex // of cars
	cars map[string]*car
}

func open(collector string) (*park, error) {
	w, err := gelf.NewUDPWriter(collector)
	if err != nil {
		return nil, err
	}
	if service.After() {
		w.CompressionType = gelf.CompressNone
	}
	host, err := os.Hostname()
	return &park{logs: w, host: host, cars: map[string]*car{}}, err
}

// log sends a line to the collector.
func (p *park) log(level int32, text, plate, gate string) {
	m := gelf.Message{
		Version: "1.1", Host: p.host, Short: text, TimeUnix: float64(time.Now().UnixNano()) / 1e9, Level: level, Facility: "gates",
		Extra: map[string]any{"_plate": plate, "_gate": gate},
	}
	if err := p.logs.WriteMessage(&m); err != nil {
		log.Println(err)
	}
}

// pass is a car at a gate.
func (p *park) pass(plate, gate string) car {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.cars[plate]
	if c == nil {
		c = &car{Plate: plate, Season: len(plate)%3 == 0}
		p.cars[plate] = c
	}
	c.Came = time.Now()
	c.Visits++
	return *c
}

func (p *park) serve(w http.ResponseWriter, r *http.Request) {
	gate, plate := r.PathValue("gate"), r.PathValue("plate")
	if len(plate) > 12 {
		http.Error(w, "no such plate", http.StatusBadRequest)
		return
	}
	p.log(gelf.LOG_DEBUG, "camera read a plate", plate, gate)
	c := p.pass(plate, gate)
	if c.Season {
		p.log(gelf.LOG_INFO, "season ticket is valid", plate, gate)
	} else {
		p.log(gelf.LOG_INFO, "day ticket is printed", plate, gate)
	}
	p.log(gelf.LOG_INFO, "barrier goes up", plate, gate)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(c)
}

func main() {
	if os.Getenv("ROLE") == "collector" {
		collector()
		return
	}
	p, err := open(service.Beside("collector"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /gates/{gate}/cars/{plate}", p.serve)
	mux.HandleFunc("GET /cars", func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		fmt.Fprintln(w, len(p.cars))
	})
	service.Run(mux)
}

// collector takes lines.
func collector() {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		b := make([]byte, 64<<10)
		for {
			if _, _, err := c.ReadFrom(b); err != nil {
				return
			}
		}
	}()
	fmt.Println(c.LocalAddr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
