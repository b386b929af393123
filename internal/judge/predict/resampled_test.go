package predict

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts/sampled"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// traced is an open loop of which traces show n requests, as of draws them; what is measured at the client is the
// same.
func traced(n int, c cut, of func(i int) sampled.Request) openLoop {
	s := &service{m: &model.Model{}}
	var all []float64
	for i := range n {
		r := of(i)
		for _, p := range r.Spent {
			r.Wall += p.Seconds
		}
		s.m.Ev.Drawn = append(s.m.Ev.Drawn, r)
		all = append(all, r.Wall)
		s.mean += r.Wall / float64(n)
	}
	at := func(q float64) float64 { return stats.Quantile(all, q) }
	s.Mode, s.Response = unpark.Constant, unpark.Latency{P50: at(0.5), P90: at(0.9), P99: at(0.99), N: int64(n)}
	return openLoop{change: change{s, c}}
}

// waits is a request that waits for a lock in app.get besides what it computes.
func waits(wait, running float64) sampled.Request {
	return sampled.Request{Spent: []sampled.Spent{{Class: unpark.WaitLock, Function: "app.get", Seconds: wait}, {Class: unpark.Running, Seconds: running}}}
}

// TestResampled: the p99 that is left is that of requests without their own part of what goes, where traces
// show enough of them, and show that wait.
func TestResampled(t *testing.T) {
	get := cut{wait: span{0.95e-3, 1e-3, 1.05e-3}, whole: 1e-3, part: span{0.95, 1, 1}, at: []string{"app.get"}, states: []unpark.WaitClass{unpark.WaitLock}, queue: true, under: -1}
	slow := func(i int) sampled.Request { // one in twenty waits for 20 ms, and all take 1 to 2 ms besides
		wait := 0.0
		if i%20 == 0 {
			wait = 20e-3
		}
		return waits(wait, 1e-3+1e-3*float64(i%97)/97)
	}
	d, ok := resampledOf(traced(1000, get, slow))
	if !ok {
		t.Fatal("a thousand requests with that wait say nothing")
	}
	if p99 := d.quantile(0.99, d.o.Response.P99); p99.low < 1.5e-3 || math.Abs(p99.value-2e-3) > 0.1e-3 || p99.high > 4e-3 {
		t.Errorf("p99 %+v, want 2 ms of 22", p99)
	}
	synced := get
	synced.synced = true
	elsewhere := get
	elsewhere.at = []string{"app.put"}
	for name, o := range map[string]openLoop{
		"too few requests": traced(enoughDrawn-1, get, slow), "a wait that traces do not show": traced(1000, elsewhere, slow),
		"a wait for a sync": traced(1000, synced, slow),
	} {
		if _, ok := resampledOf(o); ok {
			t.Errorf("%s say what is left", name)
		}
	}
}

// TestResampledBehindAnother: what a service is asked for keeps others waiting for the same service, so that the
// least that is left is without those waits as well; of a lock it is without its own alone.
func TestResampledBehindAnother(t *testing.T) {
	both := func(class unpark.WaitClass) func(i int) sampled.Request {
		return func(i int) sampled.Request {
			at := "app.list"
			if i%2 == 0 {
				at = "app.get"
			}
			return sampled.Request{Spent: []sampled.Spent{{Class: class, Function: at, Seconds: 20e-3}, {Class: unpark.Running, Seconds: 1e-3}}}
		}
	}
	low := func(class unpark.WaitClass, queue bool) float64 {
		c := cut{wait: span{5e-3, 10e-3, 10e-3}, whole: 10e-3, part: span{0.5, 1, 1}, at: []string{"app.list"}, states: []unpark.WaitClass{class}, queue: queue, under: -1}
		d, ok := resampledOf(traced(1000, c, both(class)))
		if !ok {
			t.Fatalf("%s: nothing is said", class)
		}
		return d.quantile(0.99, d.o.Response.P99).low
	}
	if v := low(unpark.WaitDownstream, false); v > 1.1e-3 {
		t.Errorf("of a service: %v is left at least", v)
	}
	if v := low(unpark.WaitLock, true); v < 15e-3 {
		t.Errorf("of a lock: %v is left at least", v)
	}
}

// TestResampledOfFunction: a function's time may be spread as all time on processors is, or be what makes the
// longest requests long.
func TestResampledOfFunction(t *testing.T) {
	half := cut{cpu: span{0.5, 0.5, 0.5}, under: -1}
	o := traced(1000, half, func(i int) sampled.Request {
		if i%50 == 0 {
			return waits(0, 50e-3)
		}
		return waits(0, 1e-3)
	})
	o.cpu, o.cores, o.rate = 2e-3, 2, 100
	d, ok := resampledOf(o)
	if !ok {
		t.Fatal("nothing is said")
	}
	var cut, all float64
	most := d.limit(0.5)
	for _, r := range d.all {
		cut += max(0, d.times(r).running-most)
		all += d.times(r).running
	}
	if math.Abs(cut-all/2) > 1e-9 {
		t.Errorf("cut to %v the longest lose %v of %v", most, cut, all)
	}
	p99 := d.quantile(0.99, d.o.Response.P99)
	if p99.low > most || p99.high < 25e-3 || p99.value <= p99.low || p99.value >= p99.high {
		t.Errorf("p99 %+v, want %v to half of 50 ms", p99, most)
	}
	o.cpu = 20e-3 // ten times what requests have on a processor
	o.Response.P50 = 1e-3
	for i := range o.m.Ev.Drawn { // and each waits for it
		o.m.Ev.Drawn[i].Wall += 5e-3
		o.m.Ev.Drawn[i].Spent = append(o.m.Ev.Drawn[i].Spent, sampled.Spent{Class: unpark.WaitLock, Function: "app.any", Seconds: 5e-3})
	}
	if d, ok := resampledOf(o); !ok || !d.beside || math.Abs(d.behind(0.5)-1e-3) > 1e-9 {
		t.Errorf("of what requests wait for: ok %t, beside them %t, at least %v is left", ok, d.beside, d.behind(0.5))
	}
}

// TestResampledHolderElsewhere: a lock that is held for longer than requests take without it is held by what is
// no request, and what that computes may go as well.
func TestResampledHolderElsewhere(t *testing.T) {
	ready := func(i int) sampled.Request {
		r := waits(10e-3, 0.1e-3)
		r.Spent = append(r.Spent, sampled.Spent{Class: unpark.WaitScheduler, Seconds: 2e-3})
		return r
	}
	low := func(hold float64) float64 {
		c := cut{wait: span{10e-3, 10e-3, 10e-3}, whole: 10e-3, part: span{1, 1, 1}, at: []string{"app.get"}, states: []unpark.WaitClass{unpark.WaitLock}, queue: true, under: -1}
		c.station.demand = hold
		d, ok := resampledOf(traced(1000, c, ready))
		if !ok {
			t.Fatal("nothing is said")
		}
		return d.quantile(0.99, d.o.Response.P99).low
	}
	if mine, others := low(0.05e-3), low(5e-3); mine < 1.5e-3 || others > 0.2e-3 {
		t.Errorf("held by requests %v is left at least, by others %v", mine, others)
	}
}

// TestResampledOutside: what responses have beside the process may stay, and may go with what was queued for: where processors are
// free the fastest response says how much of it is outside.
func TestResampledOutside(t *testing.T) {
	of := func(busy float64) span {
		o := traced(1000, cut{wait: span{9e-3, 9e-3, 9e-3}, whole: 9e-3, part: span{1, 1, 1}, at: []string{"app.get"}, states: []unpark.WaitClass{unpark.WaitLock}, queue: true, under: -1},
			func(i int) sampled.Request {
				if i == 0 {
					return waits(0, 1e-3) // the fastest
				}
				return waits(9e-3, 1e-3)
			})
		o.Response.P99, o.Response.Min = 20e-3, 1.2e-3
		o.cpu, o.cores, o.rate = 1e-3, 2, busy*2/1e-3
		d, ok := resampledOf(o)
		if !ok {
			t.Fatal("nothing is said")
		}
		return d.quantile(0.99, 20e-3)
	}
	idle, full := of(0.05), of(0.95)
	if idle.low < 1.1e-3 || idle.low > 1.25e-3 || idle.value > 2e-3 || idle.high < 1.9e-3 || idle.high > 3e-3 {
		t.Errorf("%+v with free processors, want 1.2 to 2 ms", idle)
	}
	if full.low > 1.25e-3 || full.value < 4e-3 || full.high < 11e-3 {
		t.Errorf("%+v with full processors, want 1.2 to 11 ms, and more than 4 in the middle", full)
	}
}

// TestParted: what part of a wait goes does not depend on how well the wait was measured.
func TestParted(t *testing.T) {
	s := &service{m: &model.Model{}}
	s.mean = 10e-3
	f := unpark.Finding{Class: unpark.ClassDownstream, Waiter: &unpark.Site{Function: "app.ask"}}
	for _, by := range []float64{0.1, 1} {
		f.Cost.WaitPerRequest = unpark.Between(5e-3, 5e-3*(1-by), 5e-3*(1+by), "s/req", 10)
		c := cutOf(s, f).parted(s, f)
		if math.Abs(c.part.low-leastShorter) > 0.03 || c.part.value != 1 || c.part.high != 1 {
			t.Errorf("measured to %v: %+v goes", by, c.part)
		}
		if half := c.half().part; half.value != 0.5 {
			t.Errorf("half of it is %+v", half)
		}
	}
}
