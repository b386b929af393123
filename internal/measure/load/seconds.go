package load

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"github.com/unpark-go/unpark"
)

// second is one tick of a record.
type second struct {
	From     int64       `json:"from_ns"` // since the load began
	To       int64       `json:"to_ns"`
	Tick     unpark.Tick `json:"tick"` // without latencies, once merged
	Response packed      `json:"response"`
	Service  packed      `json:"service"`
	Lag      packed      `json:"lag"`
	Ages     packed      `json:"ages"` // of requests that wait, for longer than the p99 of the answers
	text     []byte      // all of it; empty of one that was not sealed
}

// sealed keeps the text alone, which is a thousandth of the histograms.
func (s second) sealed() second {
	type plain second
	text, err := json.Marshal(plain(s))
	if err != nil {
		return s // figures that JSON has no words for: none are made here
	}
	return second{From: s.From, To: s.To, Tick: s.Tick, text: text}
}

func (s second) MarshalJSON() ([]byte, error) {
	if len(s.text) > 0 {
		return s.text, nil
	}
	type plain second
	return json.Marshal(plain(s))
}

func (s *second) UnmarshalJSON(text []byte) error {
	type plain second
	return json.Unmarshal(text, (*plain)(s))
}

// opened has the histograms.
func (s second) opened() second {
	if len(s.text) == 0 {
		return s
	}
	var out second
	if err := json.Unmarshal(s.text, &out); err != nil {
		return second{From: s.From, To: s.To, Tick: s.Tick, Response: packed{newHistogram(coarse)}, Service: packed{newHistogram(coarse)}, Lag: packed{newHistogram(coarse)}, Ages: packed{newHistogram(coarse)}}
	}
	return out
}

// number is the second of the load that a tick is about: that of its middle.
func (s second) number() int64 { return (s.From + s.To) / 2 / int64(tickEvery) }

// mergeSeconds adds the ticks of one record to those of another, second by second. Generators
// begin within milliseconds of each other, and a tick is a second.
func mergeSeconds(a, b []second) []second {
	by := map[int64]second{}
	var order []int64
	for _, s := range slices.Concat(a, b) {
		n := s.number()
		if have, ok := by[n]; ok {
			by[n] = have.plus(s.opened()).sealed()
			continue
		}
		by[n] = s
		order = append(order, n)
	}
	slices.Sort(order)
	out := make([]second, 0, len(order))
	for _, n := range order {
		out = append(out, by[n])
	}
	return out
}

func (s second) plus(o second) second {
	s = s.opened()
	rate := s.Tick.RPS + o.Tick.RPS
	for _, h := range []struct{ to, from packed }{{s.Response, o.Response}, {s.Service, o.Service}, {s.Lag, o.Lag}, {s.Ages, o.Ages}} {
		h.to.merge(h.from.histogram)
	}
	s.From, s.To = min(s.From, o.From), max(s.To, o.To)
	s.Tick.At = max(s.Tick.At, o.Tick.At)
	s.Tick.RPS, s.Tick.Errors = rate, s.Tick.Errors+o.Tick.Errors
	s.Tick.Generator = plus(s.Tick.Generator, o.Tick.Generator)
	return s
}

// Ticks returns the timeline of the generators together, as [Generator.Ticks] does.
func (r *Record) Ticks() []unpark.Tick {
	out := make([]unpark.Tick, 0, len(r.Seconds))
	for _, s := range r.Seconds {
		s = s.opened()
		all := clone(s.Response.histogram)
		all.merge(s.Ages.histogram)
		l := all.latency()
		s.Tick.P50, s.Tick.P99 = l.P50, l.P99
		out = append(out, s.Tick)
	}
	slices.SortStableFunc(out, func(a, b unpark.Tick) int { return cmp.Compare(a.At, b.At) })
	return out
}

// Log writes the seconds as [Generator.Log] does.
func (r *Record) Log(w io.Writer) error {
	var log intervalLog
	for _, s := range r.Seconds {
		s = s.opened()
		log.add(&pulse{response: s.Response.histogram, service: s.Service.histogram, lag: s.Lag.histogram}, s.From, s.To)
	}
	return writeLog(w, r.Started, log.lines.Bytes())
}
