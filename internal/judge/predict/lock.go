package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// station is a lock, which serves requests one at a time, or a pool of which all places
// are held.
type station struct {
	lock   *model.Lock // nil where the evidence has none
	pool   *model.Wait // nil for a lock
	alone  string      // the function that one goroutine always runs, where it is neither
	demand float64     // hold per request, at the rate of the load
	wait   float64     // measured wait per request
	scv    span        // squared coefficient of variation of its holds
	holds  int64       // in traces that say so; 0 where they are too few
	away   float64     // part of its holds in which the holder is on no processor
}

// stations are the busy locks.
func stations(m *model.Model, rate float64) []station {
	var out []station
	for i := range m.Contended {
		if l := &m.Contended[i]; l.Utilization.Or(0) >= busyLock && queues(*l) {
			out = append(out, stationOf(l, m.Ev.Tracing, l.Utilization.Or(0)/rate, m.PerRequest(l.Delay).Or(0)))
		}
	}
	for i := range m.Pool {
		if p := &m.Pool[i]; p.Under != nil && p.Delay >= m.Seconds { // a request always waits
			out = append(out, station{pool: p, demand: 1 / rate, wait: m.PerRequest(p.Delay).Or(0), away: 1})
		}
	}
	return out
}

// queues reports whether a lock that is busy has the queue for that. One that is held much
// and hardly waited for is taken by few at a time: something before it lets in no more.
func queues(l model.Lock) bool {
	return l.Waiters >= leastQueue*l.Utilization.Or(0)
}

// within is the function in which it is held; empty when unknown.
func (st station) within() string {
	switch {
	case st.pool != nil:
		return st.pool.Within
	case st.lock == nil:
		return st.alone
	}
	return st.lock.Within
}

// underUnknown reports whether a finding's CPU is spent in a function that holds a lock which binds, of which it is not known how long
// it is held: without a station for it the lock would stay as it is, whatever is saved below.
func underUnknown(s *service, f unpark.Finding) bool {
	return s.limit == unpark.LimitLock && slices.ContainsFunc(s.m.Locks, func(l model.Lock) bool {
		in := l.Within
		return l.Binds() && !l.Starved && !l.Utilization.Known() && in != "" && (f.Site.Function == in || facts.Through(f.Path, in))
	})
}

// stationOf is a lock with what traces say of its holds.
func stationOf(l *model.Lock, t *unpark.Tracing, demand, wait float64) station {
	st := station{lock: l, demand: demand, wait: wait, away: 1}
	if t == nil {
		return st
	}
	var edges []unpark.Edge
	for _, e := range t.Edges {
		if l.Owns(e) {
			edges = append(edges, e)
		}
	}
	st.scv, st.holds = spread(edges)
	st.away = away(edges)
	return st
}

// spread is the squared coefficient of variation of the holds of a lock; n is 0 where
// there are too few. The 90 % interval is that of gamma distributed holds, by the delta
// method: the standard error is c²·√(2(1+c²)/n).
func spread(edges []unpark.Edge) (scv span, n int64) {
	var count, sum, squares float64
	for _, e := range edges {
		if e.Hold == nil {
			continue
		}
		c, ok := e.Hold.SCV.Get()
		if !ok {
			continue
		}
		k, m := float64(e.Hold.N), e.Hold.Mean
		count += k
		sum += k * m
		squares += m * m * (k + (k-1)*c)
	}
	if count < enoughHolds || sum <= 0 {
		return span{}, 0
	}
	mean := sum / count
	c := max(0, (squares/count-mean*mean)/(mean*mean)) * count / (count - 1)
	by := math.Exp(stats.Z90 * math.Sqrt(2*(1+c)/count))
	return span{min(mostSpread, max(0, c/by-jitter)), min(mostSpread, c), min(mostSpread, c*by+jitter)}, int64(count)
}

// away is the part of a lock's holds in which the holder is on no processor; all of it
// where that is not known.
func away(edges []unpark.Edge) float64 {
	var delay, running float64
	for _, e := range edges {
		delay += e.Delay
		running += e.Spent(unpark.Running) * e.Delay
	}
	if delay <= 0 {
		return 1
	}
	return 1 - min(1, running/delay)
}

// queueing is the squared coefficient of variation that mean value analysis takes a
// lock's holds for: that of exponential ones where it is not known.
func (st station) queueing() float64 {
	if st.holds > 0 {
		return st.scv.value
	}
	return 1
}

// late is what of a lock's hold can be that its holder is late, in seconds. What
// is late varies: of waits that end at any time within a run the standard deviation
// is at least 1/√3 of the mean, so holds that hardly differ are hardly late.
func (st station) late(most float64) float64 {
	late := min(most, st.away*st.demand)
	if st.holds > 0 {
		late = min(late, math.Sqrt(3*st.scv.value)*st.demand)
	}
	return late
}

// holds returns what the holds of a lock may be: mean and spread. Their spread is
// measured where traces have holds enough; n is how many, 0 where it is not. Else
// holds in a closed loop are taken for something between constant and exponential,
// with the measured mean. In an open one the mean wait is w = ρ²(a²+c²)÷2λ(1−ρ),
// exact for random arrivals (a² = 1, Pollaczek and Khinchine), near it for even
// ones (a² = 0, Kingman). So to each spread c² belongs one ρ; those that are far
// from the share of the time in which the lock was seen held are left out. Where
// that leaves none of the measured spreads, the measurements contradict each other
// (arrivals at the lock are neither random nor even), and the spread is fitted.
func (l load) holds(lock station) (out []times, n int64) {
	measured := []float64{lock.scv.low, lock.scv.value, lock.scv.high}
	if !l.Mode.Open() || lock.wait <= 0 {
		if lock.holds == 0 {
			measured = []float64{0, 0.5, 1}
		}
		for _, c := range measured {
			out = append(out, times{lock.demand, c})
		}
		return out, lock.holds
	}
	if lock.holds > 0 {
		if out, _ := l.waited(lock, measured); len(out) > 0 {
			return out, lock.holds
		}
	}
	out, nearest := l.waited(lock, spreads())
	if len(out) == 0 {
		out = append(out, nearest)
	}
	return out, 0
}

// waited returns the holds of some spreads with which requests of an open loop would
// wait as long as was measured, and be seen holding the lock about as often as they
// were; nearest is what comes closest to that.
func (l load) waited(lock station, scvs []float64) (out []times, nearest times) {
	seen := min(fullest, l.rate*lock.demand)
	arrivals := 1.0 // squared coefficient of variation of the time between them
	if l.Mode == unpark.Constant {
		arrivals = 0
	}
	least := math.Inf(1)
	for _, scv := range scvs {
		if arrivals+scv == 0 {
			continue // no request would wait
		}
		a := 2 * l.rate * lock.wait / (arrivals + scv)
		rho := min(fullest, (math.Sqrt(a*a+4*a)-a)/2) // of ρ² + aρ − a = 0
		t := times{rho / l.rate, scv}
		if math.Abs(rho-seen) <= seenHeld {
			out = append(out, t)
		}
		if d := math.Abs(rho - seen); d < least {
			nearest, least = t, d
		}
	}
	return out, nearest
}
