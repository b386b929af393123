package web

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/stats/changepoint"
	"github.com/unpark-go/unpark/internal/units"
)

// charted are the metrics that are shown over time, in their order.
func charted() []charting {
	return []charting{
		{"p99", "p99", "s", false},
		{"throughput", "throughput", "req/s", true},
		{"cpu_per_request", "CPU per request", "s", false},
		{"bytes_per_request", "bytes per request", "B", false},
		{compare.Yardstick, "machine: fixed work", "s", false},
	}
}

// charting is one of them. More says that more is better.
type charting struct {
	Metric string `json:"metric"`
	Name   string `json:"name"`
	Unit   string `json:"unit"`
	More   bool   `json:"more"`
}

// seriesAnswer is what runs that can be compared measured, the oldest first.
type seriesAnswer struct {
	Key      string          `json:"key"`
	Load     string          `json:"load"`
	Machine  string          `json:"machine,omitempty"` // of its last run, where another series of the service is of another
	Moved    []movedAnswer   `json:"moved"`             // where the machine changed
	Speed    speedAnswer     `json:"speed"`
	Charts   []charting      `json:"charts"`
	All      int             `json:"all"`  // runs that there are
	Runs     []pointAnswer   `json:"runs"` // the last of them
	Findings []findingSeries `json:"findings"`
}

// speedAnswer says what was done about the speed of the machine.
type speedAnswer struct {
	Text  string `json:"text"`
	Taken bool   `json:"taken"` // it is taken out of what is shown
	Can   bool   `json:"can"`   // it can be
}

// movedAnswer is a run that was made on a machine unlike that of the run before it.
type movedAnswer struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

type pointAnswer struct {
	Path     string             `json:"path"`
	Started  time.Time          `json:"started"`
	Revision string             `json:"revision,omitempty"`
	Metrics  map[string]float64 `json:"metrics"`
}

// findingSeries is the cost of one finding, run by run; null where a run does not have it.
type findingSeries struct {
	Class    string          `json:"class"`
	Function string          `json:"function"`
	Title    string          `json:"title"`
	Unit     string          `json:"unit"`
	Costs    []unpark.Number `json:"costs"`
	seen     int             // in the last run that has it, counted from the first
}

// history answers what services did over time. It keeps the changes of series that have no new run: to find them among three
// hundred runs takes a second.
type history struct {
	index *index.Index
	mu    sync.Mutex
	of    map[string]cached
}

// series answers what a service did over time.
func (s *history) series(r *http.Request) (any, error) {
	rows, err := s.index.Rows(r.Context(), index.Query{Service: r.URL.Query().Get("service")})
	if err != nil {
		return nil, err
	}
	out := []*seriesAnswer{}
	by := map[string]*seriesAnswer{}
	members := map[string][]index.Row{}
	for _, row := range rows { // the newest first
		if row.Kind != index.Run || row.Parent != "" || len(row.Metrics) == 0 {
			continue
		}
		a := by[row.Series]
		if a == nil && len(out) == mostSeries {
			continue
		}
		if a == nil {
			a = &seriesAnswer{Key: row.Series, Load: row.Load, Charts: charted()}
			by[row.Series], out = a, append(out, a)
		}
		if a.All++; a.All <= mostRuns {
			members[row.Series] = append(members[row.Series], row)
		}
	}
	for _, a := range out {
		slices.Reverse(members[a.Key])
		a.fill(members[a.Key], asMeasured(r))
	}
	tellMachines(out, members)
	return out, nil
}

// asMeasured reports whether figures are asked for as they were measured, on a machine that was now faster and now slower.
func asMeasured(r *http.Request) bool { return r.URL.Query().Get("speed") == "measured" }

// atOneSpeed returns the metrics of runs in the order of time without what the speed of the machine did to them, as far as that can be told.
func atOneSpeed(rows []index.Row, measured bool) ([]compare.Sample, speedAnswer) {
	plain := make([]compare.Sample, len(rows))
	for i, row := range rows {
		plain[i] = row.Metrics
	}
	even, speed := compare.OverTime(plain)
	var said strings.Builder
	_ = report.Text(&said, speed) // a strings.Builder fails no write
	out := speedAnswer{Text: strings.Join(strings.Fields(said.String()), " "), Can: len(speed.Corrected) > 0}
	if measured || !out.Can {
		return plain, out
	}
	out.Taken = true
	return even, out
}

// tellMachines says on which machine a series was made where another was made on another.
func tellMachines(out []*seriesAnswer, members map[string][]index.Row) {
	last := func(a *seriesAnswer) string { return members[a.Key][len(members[a.Key])-1].Machine }
	for _, a := range out {
		if last(a) != last(out[0]) {
			for _, b := range out {
				b.Machine = last(b)
			}
			return
		}
	}
}

// fill sets points and findings of runs in the order of time.
func (a *seriesAnswer) fill(rows []index.Row, measured bool) {
	at := map[string]int{}
	samples, speed := atOneSpeed(rows, measured)
	a.Speed, a.Moved = speed, []movedAnswer{}
	for i, row := range rows {
		a.Runs = append(a.Runs, pointAnswer{row.Path, row.Started, row.Revision, samples[i]})
		if i > 0 && row.Machine != rows[i-1].Machine {
			a.Moved = append(a.Moved, movedAnswer{row.Path, row.Machine})
		}
		for _, f := range row.Findings {
			key := f.Class + " " + f.Function + " " + f.Unit
			j, ok := at[key]
			if !ok {
				j = len(a.Findings)
				at[key] = j
				a.Findings = append(a.Findings, findingSeries{Class: f.Class, Function: f.Function, Unit: f.Unit, Costs: make([]unpark.Number, len(rows))})
			}
			g := &a.Findings[j]
			g.Title, g.Costs[i], g.seen = f.Title, unpark.Num(f.Cost), i
		}
	}
	// Those that are there now, in the order of their rank, then those that were there last.
	last := []findingSeries{}
	for i := len(rows) - 1; i >= 0 && len(last) < mostFindings; i-- {
		for _, f := range rows[i].Findings {
			j := at[f.Class+" "+f.Function+" "+f.Unit]
			if a.Findings[j].seen == i && len(last) < mostFindings {
				last = append(last, a.Findings[j])
			}
		}
	}
	a.Findings = last
}

// changeAnswer is one change point.
type changeAnswer struct {
	Metric string  `json:"metric"`
	Path   string  `json:"path"` // of the first run of the new level
	Text   string  `json:"text"` // by how much, with its interval
	Better bool    `json:"better"`
	P      float64 `json:"p"`
}

// changes answers where the metrics of a series changed.
func (s *history) changes(r *http.Request) (any, error) {
	key := r.URL.Query().Get("series")
	rows, err := s.index.Rows(r.Context(), index.Query{Series: key})
	if err != nil {
		return nil, err
	}
	out := []changeAnswer{}
	rows = slices.DeleteFunc(rows, func(row index.Row) bool { return row.Parent != "" || len(row.Metrics) == 0 })
	rows = rows[:min(mostRuns, len(rows))] // the newest
	slices.Reverse(rows)
	samples, _ := atOneSpeed(rows, asMeasured(r))
	for _, m := range charted() {
		var paths []string
		var logs []float64
		for i, s := range samples {
			if v := s[m.Metric]; v > 0 {
				paths, logs = append(paths, rows[i].Path), append(logs, math.Log(v))
			}
		}
		for _, p := range s.find(fmt.Sprint(key, m.Metric, asMeasured(r)), logs) {
			ratio := unpark.Quantity{Value: unpark.Num(math.Exp(p.By)), Low: unpark.Num(math.Exp(p.Low)), High: unpark.Num(math.Exp(p.High)), Unit: "ratio", N: int64(len(logs))}
			out = append(out, changeAnswer{m.Metric, paths[p.At], units.Changed(ratio), (p.By > 0) == m.More, p.P})
		}
	}
	return out, nil
}

type cached struct {
	sum    uint64
	points []changepoint.Point
}

func (s *history) find(key string, values []float64) []changepoint.Point {
	h := fnv.New64a()
	fmt.Fprint(h, values)
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, ok := s.of[key]; ok && was.sum == h.Sum64() {
		return was.points
	}
	points := changepoint.Find(values, changepoint.Options{})
	if s.of == nil {
		s.of = map[string]cached{}
	}
	s.of[key] = cached{h.Sum64(), points}
	return points
}
