package web

import (
	"bytes"
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/report/browse"
	"github.com/unpark-go/unpark/internal/slowest"
	"github.com/unpark-go/unpark/internal/store"
)

// slowest shows the slowest requests of a run one by one.
func (s pages) slowest(w *bytes.Buffer, r *http.Request) error {
	row, err := s.row(r, r.PathValue("path"))
	if err != nil {
		return err
	}
	outcome, err := investigate.Open(s.dir(row))
	if err != nil {
		return refusal{http.StatusUnprocessableEntity, err}
	}
	all, err := slowest.Read(outcome.Run, outcome.Dir)
	if err != nil {
		return refusal{http.StatusUnprocessableEntity, err}
	}
	return browse.Slowest(w, browse.Of{Title: name(row), Href: address("run", row.Path), Path: row.Path}, all)
}

// heat answers what a sample of a run's requests did, and when.
func (s pages) heat(r *http.Request) (any, error) {
	sample, err := s.sample(r)
	if err != nil {
		return nil, err
	}
	return browse.Moments(sample), nil
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
