package evidence

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// tracing says what the traces show of requests; nil without a trace.
func (ts *traces) tracing() *unpark.Tracing {
	if len(ts.all) == 0 {
		return nil
	}
	out := &unpark.Tracing{Processes: len(ts.fair), Inferred: !ts.exact}
	var wall, before, ran exectrace.Durations
	var bytes, used int64
	var why []string
	for i, t := range ts.all {
		bytes += t.Bytes
		used += t.Used
		out.Events += t.Events
		if t.Broken != nil {
			why = append(why, t.Broken.Error())
		}
		if ts.snap[i] {
			continue
		}
		rs := ts.requests(i)
		out.Seconds = max(out.Seconds, t.Seconds)
		out.Requests += rs.Count
		out.Unfinished += rs.Unfinished
		wall.Merge(&rs.Wall)
		before.Merge(&rs.Before)
		ran.Merge(&rs.Ran)
	}
	out.Lost = unpark.Ratio(float64(bytes-used), float64(bytes))
	if len(why) > 0 {
		out.LostWhy = why[0]
		if len(why) > 1 {
			out.LostWhy = fmt.Sprintf("%s (and %d more)", strings.TrimSpace(why[0]), len(why)-1)
		}
	}
	out.Wall, out.Before, out.Heavy = latency(&wall), latency(&before), heavy(&ran)
	c := ts.cohorts(out.Requests)
	out.Tail, out.Middle = c.tail.cohort, c.middle.cohort
	out.States = ts.states(c)
	out.Explained = ts.explained(c.tail)
	out.Excess = ts.excess(c)
	out.Edges = ts.edges(c.tail)
	return out
}

// heavy returns the requests that ran many times as long as the median one, by the
// running times of all.
func heavy(ran *exectrace.Durations) unpark.Heavy {
	median := ran.Quantile(0.5)
	if median <= 0 {
		return unpark.Heavy{}
	}
	n, sum, at := ran.Above(unpark.HeavyTimes * median)
	return unpark.Heavy{N: n, Running: seconds(at), Share: unpark.Ratio(float64(sum), float64(ran.Sum()))}
}

func latency(d *exectrace.Durations) unpark.Latency {
	if d.N() == 0 {
		return unpark.Latency{}
	}
	at := func(q float64) float64 { return seconds(d.Quantile(q)) }
	return unpark.Latency{
		P50: at(0.5), P90: at(0.9), P95: at(0.95), P99: at(0.99), P999: at(0.999), P9999: at(0.9999),
		Max: seconds(d.Max()), Min: seconds(d.Min()), Mean: seconds(d.Sum()) / float64(d.N()), N: d.N(),
	}
}

// seconds converts the nanoseconds of a trace.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// states returns the mean time per request in each state that any request was in.
func (ts *traces) states(c cohorts) []unpark.StateTime {
	var all, tail, middle [exectrace.States]float64
	var n int64
	for _, i := range ts.fair {
		rs := ts.requests(i)
		n += rs.Count
		for s, ns := range rs.Spent {
			all[s] += seconds(ns)
		}
	}
	sum := func(into *[exectrace.States]float64, g set) {
		for _, q := range g.of {
			for _, sp := range q.request.Spent {
				into[sp.State] += seconds(sp.Time)
			}
		}
	}
	sum(&tail, c.tail)
	sum(&middle, c.middle)
	var out []unpark.StateTime
	per := func(v float64, n int64) float64 {
		if n == 0 {
			return 0
		}
		return v / float64(n)
	}
	for s := exectrace.State(0); s < exectrace.States; s++ {
		if all[s]+tail[s] == 0 {
			continue
		}
		out = append(out, unpark.StateTime{
			Class: s.Class(), All: per(all[s], n), Tail: per(tail[s], c.tail.cohort.N), Middle: per(middle[s], c.middle.cohort.N),
		})
	}
	return largest(out, func(s unpark.StateTime) float64 { return max(s.Tail, s.All) }, func(unpark.StateTime) unpark.Site { return unpark.Site{} })
}

// explained is the part of the tail's time whose state is known, with the stack of
// every wait.
func (ts *traces) explained(tail set) unpark.Number {
	var all, known float64
	for _, q := range tail.of {
		for _, s := range q.request.Spent {
			all += float64(s.Time)
			if s.State != exectrace.Unknown && (s.Stack != 0 || !s.State.HasPlace()) {
				known += float64(s.Time)
			}
		}
	}
	return unpark.Ratio(known, all)
}
