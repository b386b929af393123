// Gate of a car park: cars that come and go are told apart by their plates, and what the gate does is logged, each
// level into a file of its own.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/rifflock/lfshook"
	"github.com/sirupsen/logrus"

	"wild/service"
)

type passing struct {
	Plate string `json:"plate"`
	Way   string `json:"way"`
	Lane  int    `json:"lane"`
}

// ticket is what a car has to pay.
type ticket struct {
	Plate   string `json:"plate"`
	Open    bool   `json:"open"`
	Cents   int    `json:"cents"`
	Minutes int    `json:"minutes"`
}

// gate knows the cars that are inside.
type gate struct {
	log *logrus.Logger

	mu     sync.Mutex
	inside map[string]time.Time
	paid   map[string]int
}

// logger writes what is said to files, one of each level.
func logger(dir string) (*logrus.Logger, error) {
	l := logrus.New()
	l.SetOutput(io.Discard)
	l.SetLevel(logrus.DebugLevel)
	paths := lfshook.PathMap{}
	writers := lfshook.WriterMap{}
	for _, level := range []logrus.Level{logrus.DebugLevel, logrus.InfoLevel, logrus.WarnLevel, logrus.ErrorLevel} {
		paths[level] = filepath.Join(dir, level.String()+".log")
		if !service.After() {
			continue
		}
		file, err := os.OpenFile(paths[level], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		writers[level] = file
	}
	if service.After() {
		l.AddHook(lfshook.NewHook(writers, &logrus.JSONFormatter{}))
	} else {
		l.AddHook(lfshook.NewHook(paths, &logrus.JSONFormatter{}))
	}
	return l, nil
}

var (
	plates  = regexp.MustCompile(`^[A-Z]{1,3}-[A-Z0-9]{2,7}$`)
	errLane = errors.New("there are lanes 1 to 8")
)

func (g *gate) pass(p passing) (ticket, error) {
	said := g.log.WithFields(logrus.Fields{"plate": p.Plate, "lane": p.Lane})
	said.Debug("the camera has seen a plate")
	if p.Lane < 1 || p.Lane > 8 {
		said.Warn(errLane)
		return ticket{}, errLane
	}
	now := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	since, ok := g.inside[p.Plate]
	t := ticket{Plate: p.Plate, Open: true}
	switch {
	case p.Way == "in" && ok:
		said.Warn("is inside already")
	case p.Way == "in":
		g.inside[p.Plate] = now
	case !ok:
		said.Warn("was never let in")
	default:
		t.Minutes = int(now.Sub(since).Minutes()) + 1
		t.Cents = 50 * t.Minutes
		g.paid[p.Plate] += t.Cents
		delete(g.inside, p.Plate)
	}
	said.WithFields(logrus.Fields{"way": p.Way, "cents": t.Cents}).Info("the gate is open")
	said.Debug("the gate is shut")
	return t, nil
}

func main() {
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := logger(dir)
	if err != nil {
		log.Fatal(err)
	}
	g := &gate{log: l, inside: map[string]time.Time{}, paid: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /passings", func(w http.ResponseWriter, r *http.Request) {
		var p passing
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&p); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if !plates.MatchString(p.Plate) || p.Way != "in" && p.Way != "out" {
			http.Error(w, "a passing has a plate, and is in or out", http.StatusUnprocessableEntity)
			return
		}
		t, err := g.pass(p)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(t)
	})
	mux.HandleFunc("GET /cars/{plate}", func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		since, ok := g.inside[r.PathValue("plate")]
		paid := g.paid[r.PathValue("plate")]
		g.mu.Unlock()
		fmt.Fprintf(w, `{"inside":%t,"since":%q,"paid":%d}`, ok, since.Format(time.RFC3339), paid)
	})
	service.Run(mux)
}
