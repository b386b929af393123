package web

import (
	"bytes"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/slowest"
	"github.com/unpark-go/unpark/internal/store"
)

// heatAnswer is what requests did at each moment of a trace, for the page to draw: what any interval holds can be told from it.
type heatAnswer struct {
	Seconds float64      `json:"seconds"`
	Times   float64      `json:"times"` // how many requests each of those drawn stands for
	Drawn   int          `json:"drawn"`
	Of      int64        `json:"of"`
	Places  []heatPlace  `json:"places"`
	Spans   [][3]float64 `json:"spans"` // begin and length in seconds, index of the place
}

type heatPlace struct {
	Class string `json:"class"`
	Site  string `json:"site"`
	Full  string `json:"full"`
}

// heat answers what a sample of a run's requests did, and when.
func (s pages) heat(r *http.Request) (any, error) {
	sample, err := s.sample(r)
	if err != nil {
		return nil, err
	}
	return newHeat(sample), nil
}

// drawn keeps what the traces of one run hold, the one that was looked at last: to read them again for each interval takes seconds.
type drawn struct {
	mu     sync.Mutex
	path   string
	at     time.Time // when that run began: another one may get its name
	sample slowest.Sample
}

// sample reads the traces of a run.
func (s pages) sample(r *http.Request) (slowest.Sample, error) {
	row, err := s.row(r, r.PathValue("path"))
	if err != nil {
		return slowest.Sample{}, err
	}
	s.drawn.mu.Lock()
	defer s.drawn.mu.Unlock()
	if s.drawn.path == row.Path && s.drawn.at.Equal(row.Started) {
		return s.drawn.sample, nil
	}
	run, dir, err := store.Open(s.dir(row))
	if err != nil {
		return slowest.Sample{}, refusal{http.StatusUnprocessableEntity, err}
	}
	sample, err := slowest.Draw(run, dir)
	if err != nil {
		return slowest.Sample{}, refusal{http.StatusUnprocessableEntity, err}
	}
	s.drawn.path, s.drawn.at, s.drawn.sample = row.Path, row.Started, sample
	return sample, nil
}

// moment answers with flame graphs of what all goroutines did from one instant of the traces to another, ?from=1.2&to=1.22 in seconds.
func (s *Server) moment(w http.ResponseWriter, r *http.Request) {
	flames, err := s.pages.between(r)
	var text bytes.Buffer
	if err == nil {
		err = report.Graphs(&text, flames)
	}
	if err != nil {
		answer(func(*http.Request) (any, error) { return nil, err })(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text.Bytes()) // a page that is gone needs no answer
}

func (s pages) between(r *http.Request) ([]unpark.Flame, error) {
	from, err := strconv.ParseFloat(r.URL.Query().Get("from"), 64)
	to, failed := strconv.ParseFloat(r.URL.Query().Get("to"), 64)
	if err != nil || failed != nil || !(from >= 0 && to > from && to < math.MaxInt32) {
		return nil, refusal{http.StatusBadRequest, errors.New("tell what happened in an interval: name it as from=1.2&to=1.22, in seconds since the trace began")}
	}
	sample, err := s.sample(r)
	if err != nil {
		return nil, err
	}
	return sample.Between(from, to)
}

func newHeat(sample slowest.Sample) heatAnswer {
	out := heatAnswer{Seconds: sample.Seconds, Drawn: len(sample.Requests), Of: sample.Of, Places: []heatPlace{}, Spans: [][3]float64{}}
	if out.Drawn > 0 {
		out.Times = float64(sample.Of) / float64(out.Drawn)
	}
	at := map[heatPlace]int{}
	for _, q := range sample.Requests {
		for _, s := range q.States {
			p := heatPlace{Class: string(s.Class), Site: siteText(s.Site), Full: escape.Line(strings.TrimSpace(s.Site.Function))}
			i, ok := at[p]
			if !ok {
				i = len(out.Places)
				at[p] = i
				out.Places = append(out.Places, p)
			}
			out.Spans = append(out.Spans, [3]float64{tenthOfMicro(q.Start + s.From), tenthOfMicro(s.Time), float64(i)})
		}
	}
	return out
}

// tenthOfMicro rounds seconds: seven digits are enough to draw, and shorter to send.
func tenthOfMicro(v float64) float64 { return tenth(v*1e6) / 1e6 }
