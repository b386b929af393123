package predict

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestTailFollowsMean: the p99 of a closed loop falls with its mean, and by less; without a
// gain it stays, and a forecast that is wide has a wide p99.
func TestTailFollowsMean(t *testing.T) {
	s := &service{m: &model.Model{Ev: facts.Evidence{}}, limit: unpark.LimitCPU}
	s.mean, s.Mode, s.Response = 5e-3, unpark.Closed, unpark.Latency{P99: 25e-3, N: 1000}
	c := closedLoop{change{s, cut{under: -1, binds: true}}}
	for _, k := range []struct {
		name   string
		x      span
		p99    float64
		widest float64
	}{
		{"no gain", span{0.97, 1, 1.03}, 1, 3.3},
		{"a gain of two", span{1.8, 2, 2.2}, math.Pow(2, -tailFollows), 3.5},
		{"a gain of ten", span{8, 10, 12}, math.Pow(10, -tailFollows), 3.6},
		{"who knows", span{2, 4, 8}, math.Pow(4, -tailFollows), 6},
	} {
		q := c.tail(k.x)
		v, low, high := q.Value.Or(0), q.Low.Or(0), q.High.Or(0)
		if math.Abs(v/k.p99-1) > 1e-6 || low > v/tailLess || high < v*tailMore || high > k.widest*low {
			t.Errorf("%s: %+v, want %.3g and at most a factor of %g", k.name, q, k.p99, k.widest)
		}
	}
	s.Response = unpark.Latency{}
	if q := c.tail(span{1, 2, 3}); q.Known() {
		t.Errorf("a p99 of no responses: %+v", q)
	}
}

// TestSlices: where a fix makes a machine full that the generator shares, the slowest wait for
// its slices; one that was full shows that already, and one that stays idle has none.
func TestSlices(t *testing.T) {
	for _, c := range []struct {
		name     string
		cpu      float64 // s of a request, of 2 cores and 1000 requests per second
		busy     float64 // cores before
		gain     float64
		low, p99 float64 // of 2 ms before
	}{
		{"becomes full", 0.4e-3, 0.8, 5, 1.2, 2.5},
		{"was full", 1e-3, 1.98, 2, 0.5, 0.7},
		{"stays idle", 0.1e-3, 0.2, 2, 0.5, 0.7},
	} {
		s := full2(func(ev *facts.Evidence) {
			ev.Target.CPUs, ev.Window.Machine = nil, unpark.Machine{CPUs: 2, Busy: unpark.Num(c.busy)}
		})
		s.limit, s.cpu, s.rate, s.cores = unpark.LimitLock, c.cpu, 1000, 2
		s.m.Shared = true
		s.mean, s.Mode, s.Response = 1.5e-3, unpark.Closed, unpark.Latency{P99: 2e-3, N: 1000}
		q := closedLoop{change{s, cut{under: -1, binds: true, queue: true, wait: span{1e-3, 1e-3, 1e-3}}}}.tail(span{c.gain, c.gain, c.gain})
		if v := q.Value.Or(0); v < c.low || v > c.p99 || q.Low.Or(2) > 1 {
			t.Errorf("%s: %+v, want %v to %v", c.name, q, c.low, c.p99)
		}
	}
}

// TestHandedOver: of items that channels hand over one by one some are handed over still.
func TestHandedOver(t *testing.T) {
	s := full2()
	f := unpark.Finding{Rule: "cpu", Class: unpark.ClassCPU, Cost: unpark.Cost{Cores: unpark.Measured(1, "cores", 1000)}}
	whole := cutOf(s, f).cpu
	f.Rule = "handoff"
	if c := cutOf(s, f).cpu; c.low > 0.5*whole.low || c.value != whole.value || c.high != whole.high {
		t.Errorf("%+v, of a function %+v", c, whole)
	}
}

// TestFixOfFunction: a fix leaves something of a function's CPU, and may take with it what
// leads there; more than all never goes.
func TestFixOfFunction(t *testing.T) {
	for _, share := range []float64{0.05, 0.3, 0.6, 0.9, 0.99} {
		part := removable(unpark.ClassCPU, false, share)
		if part.low != leastFixed || part.value > 1 || part.high <= 1 || share*part.high >= 1 {
			t.Errorf("of %v: %+v", share, part)
		}
		if left := 1 - share*part.high; math.Abs(left-math.Pow(1-share, mostFixed)) > 1e-9 {
			t.Errorf("of %v there is left %v", share, left)
		}
	}
	if part := removable(unpark.ClassPool, true, 0); part.high != 2.5 {
		t.Errorf("of nothing: %+v", part)
	}
	s, own := full2(), unpark.Site{Function: "app.handle"}
	f := unpark.Finding{Rule: "cpu", Class: unpark.ClassCPU, Site: own, Culprit: &own, Cost: unpark.Cost{Cores: unpark.Measured(1, "cores", 1e6)}}
	mine := cutOf(s, f).cpu
	f.Culprit = &unpark.Site{Function: "lib.Decode"}
	theirs := cutOf(s, f).cpu
	if theirs.low >= mine.low || theirs.value != mine.value {
		t.Errorf("of a library %+v, of the application %+v", theirs, mine)
	}
	// What does two things leaves one of them where that is needed; one that is made for each request is not.
	f.Into = []unpark.Part{{Share: 0.5}, {Share: 0.45}}
	if forked := cutOf(s, f).cpu; math.Abs(forked.low-theirs.low/2) > 0.03 || forked.value != theirs.value || forked.high != theirs.high {
		t.Errorf("of two parts %+v, of one %+v", forked, theirs)
	}
	f.Culprit = &unpark.Site{Function: "lib.NewDecoder"}
	if made := cutOf(s, f).cpu; made != theirs {
		t.Errorf("of what is made for each request %+v, of one part %+v", made, theirs)
	}
}

// TestTailOfOneWait: where traces say that one wait makes the slowest requests slow, the p99
// is what is left without it, and not less than the p90.
func TestTailOfOneWait(t *testing.T) {
	get := unpark.Site{Function: "app.get", Line: 3}
	f := unpark.Finding{Class: unpark.ClassLock, Waiter: &get, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(1e-4, "s/req", 100)}}
	for _, k := range []struct {
		name        string
		share, more float64
		want        float64
	}{
		{"nearly all of it", 0.98, 23e-3, 0.25},
		{"most of it", 0.6, 14e-3, 0.5},
		{"a part", 0.3, 7e-3, 1},
	} {
		m := &model.Model{Ev: facts.Evidence{Tracing: &unpark.Tracing{
			Tail: unpark.Cohort{N: 50, Mean: 28e-3},
			Excess: []unpark.Excess{{
				Class: unpark.WaitLock, Site: get, Tail: k.more, Share: unpark.Num(k.share),
				More: unpark.Between(k.more, 0.9*k.more, 1.1*k.more, "s/req", 50),
			}},
		}}}
		s := &service{m: m, limit: unpark.LimitRateLimit}
		s.mean, s.Mode, s.Response = 5e-3, unpark.Closed, unpark.Latency{P90: 6e-3, P99: 24e-3, N: 1000}
		c := closedLoop{change{s, cutOf(s, f)}}
		q := c.tail(span{0.97, 1, 1.03})
		if v := q.Value.Or(0); math.Abs(v-k.want) > 1e-6 || q.High.Or(0) > 3.5*q.Low.Or(1) {
			t.Errorf("%s: %+v, want %.3g", k.name, q, k.want)
		}
	}
}

// TestLockOfFile: a lock that is held for a file may leave the file as serial as it was.
func TestLockOfFile(t *testing.T) {
	low := func(device bool) float64 {
		s := full2()
		s.limit, s.cpu = unpark.LimitLock, 0.1e-3
		c := closedLoop{change{s, cut{wait: span{19e-3, 20e-3, 21e-3}, queue: true, waits: 1, under: -1, binds: true, device: device}}}
		return c.throughput().low
	}
	with, without := low(true), low(false)
	if with >= without || with < 1 || (with-1)/(without-1) > 1.01*besideDevice {
		t.Errorf("%v with a file, %v without", with, without)
	}
}

// TestFixAtTheSite: what other functions ask of the culprit may stay, and may go as well.
func TestFixAtTheSite(t *testing.T) {
	s := &service{m: &model.Model{Ev: facts.Evidence{CPU: facts.CPU{Sampled: unpark.Num(10)}}}}
	s.m.Service = unpark.Num(2)
	f := unpark.Finding{Class: unpark.ClassCPU, Cost: unpark.Cost{Cores: unpark.Measured(1, "cores", 1000)}}
	whole := cutOf(s, f).cpu
	f.From = []unpark.Part{{Share: 0.6}, {Share: 0.4}}
	if part := cutOf(s, f).cpu; part.value != whole.value || part.high != whole.high || math.Abs(part.low-0.6*whole.low) > 0.05 {
		t.Errorf("of all %+v, of a part %+v", whole, part)
	}
}

// TestTracedTail: what traces say of the slowest requests moves the p99 of an open loop: a
// wait that makes them slow takes it to what the others take, a fix of CPU leaves waits for others alone.
func TestTracedTail(t *testing.T) {
	row := unpark.Excess{Class: unpark.WaitSyscall, Tail: 8e-3, Share: unpark.Num(0.75), More: unpark.Between(8e-3, 7e-3, 9e-3, "s/req", 20)}
	s := &service{m: &model.Model{Ev: facts.Evidence{Tracing: &unpark.Tracing{Tail: unpark.Cohort{N: 20, Mean: 10e-3}, Excess: []unpark.Excess{row}}}}}
	s.Response = unpark.Latency{P90: 2e-3, P99: 15e-3, N: 2000}
	before := span{1e-3, 4e-3, 14e-3}
	for _, c := range []struct {
		name      string
		cut       cut
		low, high float64
	}{
		{"the wait itself", cut{tail: 0.8, wait: span{1e-4, 1e-4, 1e-4}}, 2.9e-3, 3.1e-3},   // a fifth is left
		{"more than all of it", cut{tail: 1, wait: span{1e-4, 1e-4, 1e-4}}, 1.9e-3, 2.1e-3}, // the p90
		{"CPU", cut{cpu: span{0.5, 0.5, 0.5}}, 11.9e-3, 12.1e-3},                            // 8 of 10 ms stay
		{"CPU and a wait of its own", cut{cpu: span{0.5, 0.5, 0.5}, wait: span{1e-4, 1e-4, 1e-4}}, 4e-3, 4e-3},
	} {
		got := openLoop{change: change{s, c.cut}}.traced(before)
		if got.value < c.low || got.value > c.high || got.low > got.value || got.high < got.value {
			t.Errorf("%s: %+v, want %v to %v", c.name, got, c.low, c.high)
		}
	}
	row.Share = unpark.Num(0.3)
	s.m.Ev.Tracing.Excess[0] = row
	if got := (openLoop{change: change{s, cut{cpu: span{0.5, 0.5, 0.5}}}}).traced(before); got != before {
		t.Errorf("a third of the tail: %+v, want %+v", got, before)
	}
}
