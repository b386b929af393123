package evidence

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/stats"
)

// cohorts are the slowest requests and those about the median.
type cohorts struct{ tail, middle set }

// set is requests that are looked at together.
type set struct {
	cohort unpark.Cohort
	of     []traced
}

// traced is a request of the i-th trace.
type traced struct {
	trace   int
	request *exectrace.Request
}

// tailShare is how much of n requests counts as the slowest: 1 %, and more where
// that would be too few to have a mean.
func tailShare(n int64) float64 {
	for _, share := range tailShares() {
		if share*float64(n) >= fewest {
			return share
		}
	}
	return 0
}

func (ts *traces) cohorts(n int64) cohorts {
	var c cohorts
	share := tailShare(n)
	if share == 0 {
		return c
	}
	var slow []traced
	for _, i := range ts.fair {
		rs := ts.requests(i)
		for j := range rs.Slowest {
			slow = append(slow, traced{i, &rs.Slowest[j]})
		}
	}
	slices.SortStableFunc(slow, bySlowness)
	slow = slow[:min(len(slow), int(math.Ceil(share*float64(n))))]
	c.tail = set{unpark.Cohort{From: 1 - float64(len(slow))/float64(n), To: 1}, slow}
	c.tail.of = append(c.tail.of, ts.snapped(slow[len(slow)-1].request.Wall)...)
	c.tail.settle()

	all := ts.sample(n)
	slices.SortStableFunc(all, bySlowness)
	c.middle.of = all[int((1-middleTo)*float64(len(all))):int((1-middleFrom)*float64(len(all)))]
	if len(c.middle.of) < fewest {
		return cohorts{}
	}
	c.middle.cohort = unpark.Cohort{From: middleFrom, To: middleTo}
	c.middle.settle()
	return c
}

func bySlowness(a, b traced) int { return cmp.Compare(b.request.Wall, a.request.Wall) }

// snapped returns the requests of snapshots that took as long at least.
func (ts *traces) snapped(wall int64) []traced {
	var out []traced
	for i, snap := range ts.snap {
		if !snap {
			continue
		}
		rs := ts.requests(i)
		for j := range rs.Slowest {
			if rs.Slowest[j].Wall >= wall {
				out = append(out, traced{i, &rs.Slowest[j]})
			}
		}
	}
	return out
}

func (s *set) settle() {
	var sum float64
	for _, q := range s.of {
		sum += seconds(q.request.Wall)
	}
	s.cohort.N = int64(len(s.of))
	s.cohort.Mean = sum / float64(len(s.of))
}

// sample draws from the samples of all traces in proportion to their requests.
func (ts *traces) sample(n int64) []traced {
	random := rand.New(rand.NewPCG(2, 2))
	var out []traced
	for _, i := range ts.fair {
		rs := ts.requests(i)
		want := min(len(rs.Sample), int(math.Ceil(maxSample*float64(rs.Count)/float64(n))))
		for _, j := range random.Perm(len(rs.Sample))[:want] {
			out = append(out, traced{i, &rs.Sample[j]})
		}
	}
	return out
}

// row is what times of requests are summed by.
type row struct {
	state exectrace.State
	site  unpark.Site
}

// rowOf returns the row of an entry of the i-th trace.
func (ts *traces) rowOf(i int, s exectrace.Spent) row {
	if !s.State.HasPlace() {
		return row{state: s.State}
	}
	return row{s.State, ts.spots[i][s.Stack].site}
}

// excess compares the slowest requests with the middle, by state and place.
func (ts *traces) excess(c cohorts) []unpark.Excess {
	if len(c.tail.of) == 0 {
		return nil
	}
	tail, middle := map[row]float64{}, map[row]float64{}
	var rows []row // of tail, as they come
	stacks, top := map[row][]unpark.Site{}, map[row]int64{}
	for _, q := range c.tail.of {
		for _, s := range q.request.Spent {
			k := ts.rowOf(q.trace, s)
			if _, ok := tail[k]; !ok {
				rows = append(rows, k)
			}
			tail[k] += seconds(s.Time) / float64(len(c.tail.of))
			if s.Time > top[k] && k.site != (unpark.Site{}) {
				top[k], stacks[k] = s.Time, ts.spots[q.trace][s.Stack].stack
			}
		}
	}
	for _, q := range c.middle.of {
		for _, s := range q.request.Spent {
			middle[ts.rowOf(q.trace, s)] += seconds(s.Time) / float64(len(c.middle.of))
		}
	}
	gap := c.tail.cohort.Mean - c.middle.cohort.Mean
	var out []unpark.Excess
	for _, k := range rows {
		v := tail[k]
		if v-middle[k] >= excessLeast*gap && v > middle[k] {
			out = append(out, unpark.Excess{Class: k.state.Class(), Site: k.site, Stack: clip(stacks[k]), Tail: v, Middle: middle[k], Share: unpark.Ratio(v-middle[k], gap)})
		}
	}
	out = largest(out, func(e unpark.Excess) float64 { return e.Tail - e.Middle }, func(e unpark.Excess) unpark.Site { return e.Site })
	out = out[:min(len(out), excessRows)]
	for i := range out {
		out[i].More = ts.more(c, out[i])
	}
	return out
}

// more is the excess of one row with its bootstrap interval.
func (ts *traces) more(c cohorts, e unpark.Excess) unpark.Quantity {
	values := func(s set) []float64 {
		out := make([]float64, len(s.of))
		for i, q := range s.of {
			for _, sp := range q.request.Spent {
				if k := ts.rowOf(q.trace, sp); k.state.Class() == e.Class && k.site == e.Site {
					out[i] += seconds(sp.Time)
				}
			}
		}
		return out
	}
	a, b := values(c.tail), values(c.middle)
	diff, low, high := stats.DifferenceOfMeans(a, b, resamples, 1)
	return unpark.Between(diff, low, high, "s/req", int64(len(a)))
}
