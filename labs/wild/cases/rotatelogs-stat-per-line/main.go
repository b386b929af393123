// Passages through a tunnel: a gate hands over the cars of the last seconds, each of which is written into the tunnel's journal, a
// file a day, from which the toll office bills at night.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	rotatelogs "github.com/lestrrat-go/file-rotatelogs"

	"wild/service"
)

// car is a passage.
type car struct {
	Plate string `json:"plate"`
	Class int    `json:"class"`
	Lane  int    `json:"lane"`
	Speed int    `json:"speed"`
}

// post is what a gate sends.
type post struct {
	Gate string `json:"gate"`
	Cars []car  `json:"cars"`
}

// journal writes lines.
type journal struct{ lines *slog.Logger }

// slowly hands lines on in larger pieces, at least twice a second.
type slowly struct {
	mu sync.Mutex
	to *bufio.Writer
}

func (s *slowly) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(p)
}

// flush hands on what there is.
func (s *slowly) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Flush()
}

func open(folder string) (*journal, error) {
	files, err := rotatelogs.New(filepath.Join(folder, "passages.%Y-%m-%d.log"), rotatelogs.WithRotationTime(24*time.Hour), rotatelogs.WithMaxAge(7*24*time.Hour))
	if err != nil {
		return nil, err
	}
	var to io.Writer = files
	if service.After() {
		s := &slowly{to: bufio.NewWriterSize(files, 64<<10)}
		go func() {
			for range time.Tick(500 * time.Millisecond) {
				if err := s.flush(); err != nil {
					log.Print(err)
				}
			}
		}()
		to = s
	}
	return &journal{slog.New(slog.NewJSONHandler(to, nil))}, nil
}

// cents is what a passage costs.
func (c car) cents() int {
	switch c.Class {
	case 1:
		return 450
	case 2:
		return 1200
	default:
		return 2600
	}
}

// take writes the cars of a gate down, and returns what they owe.
func (j *journal) take(p post) (cents int) {
	gate := j.lines.With("gate", p.Gate)
	for _, c := range p.Cars {
		gate.Info("passage", "plate", c.Plate, "class", c.Class, "lane", c.Lane, "speed", c.Speed, "cents", c.cents())
		if c.Speed > 80 {
			gate.Warn("too fast", "plate", c.Plate, "speed", c.Speed)
		}
		cents += c.cents()
	}
	return cents
}

func (j *journal) serve(w http.ResponseWriter, r *http.Request) {
	var p post
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&p); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]int{"taken": len(p.Cars), "cents": j.take(p)})
}

func main() {
	folder, err := os.MkdirTemp("", "tunnel")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	j, err := open(folder)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /passages", j.serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "well") })
	service.Run(mux)
}
