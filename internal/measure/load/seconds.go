package load

import (
	"cmp"
	"io"
	"slices"

	"github.com/unpark-go/unpark"
)

// second is one tick of a record.
type second struct {
	From     int64       `json:"from_ns"` // since the load began
	To       int64       `json:"to_ns"`
	Tick     unpark.Tick `json:"tick"` // without latencies, once merged
	Response sparse      `json:"response"`
	Service  sparse      `json:"service"`
	Lag      sparse      `json:"lag"`
	Ages     sparse      `json:"ages"` // of requests that wait, for longer than the p99 of the answers
}

// number is the second of the load that a tick is about: that of its middle.
func (s second) number() int64 { return (s.From + s.To) / 2 / int64(tickEvery) }

// mergeSeconds adds the ticks of one record to those of another, second by second. Generators
// begin within milliseconds of each other, and a tick is a second.
func mergeSeconds(a, b []second) []second {
	by := map[int64]second{}
	var order []int64
	room := make([]int64, coarseCounts())
	for _, s := range slices.Concat(a, b) {
		n := s.number()
		if have, ok := by[n]; ok {
			by[n] = have.plus(s, room)
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

func (s second) plus(o second, room []int64) second {
	s.Response, s.Service = s.Response.plus(o.Response, room), s.Service.plus(o.Service, room)
	s.Lag, s.Ages = s.Lag.plus(o.Lag, room), s.Ages.plus(o.Ages, room)
	s.From, s.To = min(s.From, o.From), max(s.To, o.To)
	s.Tick.At = max(s.Tick.At, o.Tick.At)
	s.Tick.RPS, s.Tick.Errors = s.Tick.RPS+o.Tick.RPS, s.Tick.Errors+o.Tick.Errors
	s.Tick.Generator = plus(s.Tick.Generator, o.Tick.Generator)
	return s
}

// Ticks returns the timeline of the generators together, as [Generator.Ticks] does.
func (r *Record) Ticks() []unpark.Tick {
	out := make([]unpark.Tick, 0, len(r.Seconds))
	room := make([]int64, coarseCounts())
	for _, s := range r.Seconds {
		l := s.Response.plus(s.Ages, room).dense().latency()
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
		log.add(&pulse{response: s.Response.dense(), service: s.Service.dense(), lag: s.Lag.dense()}, s.From, s.To)
	}
	return writeLog(w, r.Started, log.lines.Bytes())
}
