package predict_test

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/internal/stats"
)

// TestLockTail holds the tail model against simulated services: constant and
// exponential holds, below and near saturation, many seeds. Nine in ten of the
// true ratios must lie within the stated interval.
func TestLockTail(t *testing.T) {
	cases := []struct {
		name string
		rho  float64
		s    service
	}{
		{"M/D/1", 0.60, service{hold: constant(2e-3), beside: constant(0.3e-3)}},
		{"M/D/1", 0.80, service{hold: constant(2e-3), beside: constant(0.3e-3)}},
		{"M/D/1", 0.90, service{hold: constant(2e-3), beside: exponential(0.3e-3)}},
		{"M/D/1", 0.95, service{hold: constant(2e-3), beside: exponential(0.3e-3)}},
		{"M/D/1", 0.98, service{hold: constant(2e-3), beside: exponential(0.3e-3)}},
		{"M/M/1", 0.60, service{hold: exponential(2e-3), beside: constant(0.3e-3)}},
		{"M/M/1", 0.80, service{hold: exponential(2e-3), beside: exponential(0.3e-3)}},
		{"M/M/1", 0.95, service{hold: exponential(2e-3), beside: exponential(0.3e-3)}},
		{"M/G/1", 0.90, service{hold: constant(2e-3), beside: exponential(4e-3)}},
	}
	total, inside, seeds := 0, 0, uint64(3)
	if rota.Long(0, 3) {
		seeds = 12
	}
	for _, c := range cases {
		for seed := range seeds {
			s := c.s
			s.seed, s.rate, s.locked, s.arrivals = seed, c.rho/2e-3, true, 8000
			ev, f := s.evidence()
			p := predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitLock}, f)
			s.locked = false
			after, _, _ := s.run()
			before := ev.Window.Load.Response
			for _, m := range []struct {
				name  string
				q     unpark.Quantity
				truth float64
			}{
				{"p50", p.P50, stats.Quantile(after, 0.5) / before.P50},
				{"p99", p.P99, stats.Quantile(after, 0.99) / before.P99},
			} {
				total++
				if m.q.Contains(m.truth) {
					inside++
				} else {
					t.Logf("%s at ρ %.2f, seed %d: %s after ÷ before is %.3f, predicted %v (%v–%v)", c.name, c.rho, seed, m.name, m.truth, m.q.Value, m.q.Low, m.q.High)
				}
			}
		}
	}
	if part := float64(inside) / float64(total); part < 0.9 {
		t.Errorf("%.0f %% of the true ratios are inside the interval, want 90 %%", part*100)
	}
}

// TestLockTailIsUseful: an interval that holds everything says nothing. Near
// saturation the gain must come out as large as it is.
func TestLockTailIsUseful(t *testing.T) {
	s := service{rate: 475, hold: constant(2e-3), beside: exponential(0.3e-3), locked: true, arrivals: 8000, seed: 7}
	ev, f := s.evidence()
	p := predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitLock}, f)
	if v := p.P99.Value.Or(1); v > 0.2 {
		t.Errorf("p99 ratio %v, want an improvement of five times or more", p.P99)
	}
	if high := p.P99.High.Or(1); high > 0.4 {
		t.Errorf("the interval ends at %v", high)
	}
	if p.Throughput.Value.Or(0) != 1 || !strings.Contains(p.Summary, "cut p99 from") || !strings.Contains(p.Summary, "because that is what is offered") {
		t.Errorf("throughput %v; %s", p.Throughput, p.Summary)
	}
}

// TestClosedLoop holds throughput against a simulated closed loop in which a lock
// binds, cores bind, or nothing does.
func TestClosedLoop(t *testing.T) {
	const cores = 2
	for _, c := range []struct {
		name            string
		n               int
		hold, cpu, rest float64
		least           bool // is all that is said
	}{
		{"lock binds, then cores", 16, 2e-3, 0.8e-3, 1e-3, true},
		{"lock binds, nothing after it", 8, 2e-3, 0.1e-3, 2e-3, false},
		{"cores bind", 16, 0.05e-3, 1e-3, 1e-3, false},
		{"nothing binds", 4, 0.2e-3, 0.2e-3, 5e-3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(5) {
				before, wait := shop(c.n, cores, c.hold, c.cpu, c.rest, true, seed)
				after, _ := shop(c.n, cores, c.hold, c.cpu, c.rest, false, seed)
				ev, f := closedEvidence(c.n, cores, before, wait, c.hold, c.cpu)
				kind := unpark.LimitLock
				if before*c.cpu > 0.85*cores {
					kind = unpark.LimitCPU
				}
				p := predict.Predict(model.New(ev), unpark.Limit{Kind: kind}, f)
				truth := after / before
				low, _ := p.Throughput.Low.Get()
				least := c.least && !p.Throughput.Known() && low <= truth && low >= 0.8*truth
				if !least && (c.least || !p.Throughput.Contains(truth)) {
					t.Errorf("seed %d: throughput after ÷ before is %.3f, predicted %v (%v–%v)", seed, truth, p.Throughput.Value, p.Throughput.Low, p.Throughput.High)
				}
				if kind == unpark.LimitCPU && !strings.Contains(p.Summary, "CPU is what binds") {
					t.Errorf("summary: %s", p.Summary)
				}
			}
		})
	}
}

func closedEvidence(n, cores int, rate, wait, hold, cpu float64) (facts.Evidence, unpark.Finding) {
	site := unpark.Site{Function: "app.commit", File: "/src/app.go", Line: 5}
	mean := float64(n) / rate
	const seconds = 10
	l := unpark.Latency{P50: mean, P99: 2 * mean, Mean: mean, Min: mean / 3, Max: 3 * mean, N: int64(rate * seconds)}
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: cores + 2}, Target: unpark.Target{CPUs: make([]int, cores)}, Seconds: seconds, Requests: unpark.Num(rate * seconds),
		Plan: unpark.Plan{Mode: unpark.Closed, Connections: n},
		Window: unpark.Window{
			Machine: unpark.Machine{CPUs: cores + 2},
			Load:    &unpark.Load{Mode: unpark.Closed, OfferedRPS: rate, AchievedRPS: rate, Requests: int64(rate * seconds), Response: l, Service: l, GeneratorCPU: unpark.Num(0.2)},
		},
		CPU: facts.CPU{Cores: unpark.Num(rate * cpu), Allowed: unpark.Num(float64(cores)), Sampled: unpark.Num(rate * cpu * seconds)},
		Locks: []facts.Lock{{
			Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: site, Holder: site, Delay: wait * rate * seconds,
			Count: rate * seconds / 2, Utilization: unpark.Num(min(1, rate*hold)),
		}},
	}
	return ev, unpark.Finding{
		Rule: "lock", Class: unpark.ClassLock, Site: site, Waiter: &site, Holder: &site,
		Cost: unpark.Cost{WaitPerRequest: unpark.Measured(wait, "s/req", 1000)},
	}
}

// cpuFinding takes a share of the target's CPU.
func cpuFinding(ev facts.Evidence, class unpark.Class, share float64) unpark.Finding {
	return unpark.Finding{
		Rule: string(class), Class: class, Site: unpark.Site{Function: "app.render"}, Share: unpark.Num(share),
		Cost: unpark.Cost{Cores: unpark.Measured(share*ev.CPU.Cores.Or(0), "cores", 500)},
	}
}

// TestCPUBound: R/(1−f), since what stays can get cheaper, and an interval that grows as f
// nears 1; of most of the CPU only the least is said.
func TestCPUBound(t *testing.T) {
	width := 1.0
	for _, c := range []struct{ f, most, least float64 }{{0.1, 1.4, 0}, {0.3, 1.55, 0}, {0.5, 2.3, 0}, {0.7, 0, 2}, {0.97, 0, 3}} {
		ev, _ := closedEvidence(50, 2, 1000, 0, 0, 1.99e-3)
		ev.Locks = nil
		p := predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitCPU}, cpuFinding(ev, unpark.ClassCPU, c.f))
		want := 1 / (1 - c.f)
		low, value, high := p.Throughput.Low.Or(0), p.Throughput.Value.Or(0), p.Throughput.High.Or(0)
		if c.most == 0 {
			if p.Throughput.Known() || p.P50.Known() || p.P99.Known() || p.P99.Low.Known() || p.P99.High.Or(1) >= 1 || low < c.least || low > want || !strings.Contains(p.Summary, "or more") {
				t.Errorf("f = %v: %+v", c.f, p)
			}
			continue
		}
		if value < want || value > want*math.Sqrt(high/low) || low > want {
			t.Errorf("f = %v: throughput %v (%v–%v), want %.2f or more", c.f, value, low, high, want)
		}
		if w := high / low; w <= width || w > c.most {
			t.Errorf("f = %v: the interval is a factor of %.3f wide, want more than at a smaller f (%.3f) and at most %v", c.f, w, width, c.most)
		} else {
			width = w
		}
		if p.NextLimit != unpark.LimitCPU {
			t.Errorf("f = %v: next limit %s", c.f, p.NextLimit)
		}
	}
}

// TestElsewhere: removing a wait never raises a ceiling of another sort.
func TestElsewhere(t *testing.T) {
	for _, kind := range []unpark.LimitKind{unpark.LimitCPU, unpark.LimitNetwork, unpark.LimitRateLimit} {
		// The CPU is full: 1.97 of 2 cores; the lock takes 0.3 % of a request's time.
		ev, f := closedEvidence(100, 2, 10000, 30e-6, 20e-6, 197e-6)
		p := predict.Predict(model.New(ev), unpark.Limit{Kind: kind}, f)
		if v := p.Throughput.High.Or(9); v > 1.08 {
			t.Errorf("limit %s: up to ×%.3f by removing 0.3 %% of waiting", kind, v)
		}
		if v := p.P99.Value.Or(0); v < 0.97 {
			t.Errorf("limit %s: p99 ×%.3f by removing 0.3 %% of waiting", kind, v)
		}
		worthless := f
		worthless.Prediction, worthless.Share = p, unpark.Num(1)
		worth := cpuFinding(ev, unpark.ClassCPU, 0.1)
		worth.Prediction = predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitCPU}, worth)
		if ranked := predict.Rank([]unpark.Finding{worthless, worth}); ranked[0].Class != unpark.ClassCPU {
			t.Errorf("limit %s: a lock that is worth nothing comes before 10 %% of the CPU", kind)
		}
		if !strings.HasPrefix(p.Summary, "Real, and worth") || p.NextLimit != kind {
			t.Errorf("limit %s: next %s; %s", kind, p.NextLimit, p.Summary)
		}
	}
}

// TestOverloaded: an open loop that offers more than the lock allows gets what
// is offered once the lock is gone.
func TestOverloaded(t *testing.T) {
	s := service{rate: 480, hold: constant(2.2e-3), beside: exponential(0.3e-3), locked: true, arrivals: 5000, seed: 3}
	ev, f := s.evidence()
	ev.Window.Load.AchievedRPS = 1 / 2.2e-3
	p := predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitLock}, f)
	if v := p.Throughput.Value.Or(0); !near(v, 480*2.2e-3, 0.02) {
		t.Errorf("throughput %v, want what is offered", p.Throughput)
	}
	s.locked = false
	after, _, _ := s.run()
	truth := stats.Quantile(after, 0.99) / ev.Window.Load.Response.P99
	if p.P99.Low.Or(0) > truth || p.P99.High.Or(0) < truth || p.P99.High.Or(1) > 0.05 {
		t.Errorf("p99 after ÷ before is %.4f, predicted %v (%v–%v)", truth, p.P99.Value, p.P99.Low, p.P99.High)
	}
}

// TestOverloadedByConnections: of a queue that grows before the connections, in the generator,
// the service knows nothing: what it does without a wait is said by what it does with them.
func TestOverloadedByConnections(t *testing.T) {
	const offered, answered, wait = 600.0, 300.0, 90e-3 // by 32 connections, each of 107 ms
	ev, f := closedEvidence(32, 2, answered, wait, 0, 0.2e-3)
	ev.Locks = nil
	load := ev.Window.Load
	load.Mode, load.OfferedRPS = unpark.Constant, offered
	load.Response.Mean, load.Response.P50, load.Response.P99, load.Response.Min = 12, 12, 15, 9
	f.Class, f.Rule, f.Holder = unpark.ClassPool, "pool", nil
	f.Cost = unpark.Cost{WaitPerRequest: unpark.Measured(wait, "s/req", 2000)}
	p := predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitPool}, f)
	if v := p.Throughput.Value.Or(0); !near(v, offered/answered, 0.05) {
		t.Errorf("throughput %v, want what is offered", p.Throughput)
	}
	if p.P99.High.Or(1) > 0.02 {
		t.Errorf("p99 %v, want what a request takes", p.P99)
	}
}

// TestDirectWait: a wait of its own takes its time from the mean and from each
// percentile.
func TestDirectWait(t *testing.T) {
	s := service{rate: 100, hold: constant(20e-3), beside: exponential(1e-3), arrivals: 5000, seed: 5}
	ev, f := s.evidence()
	f.Class, f.Rule = unpark.ClassDownstream, "downstream"
	f.Cost = unpark.Cost{WaitPerRequest: unpark.Measured(20e-3, "s/req", 5000)}
	ev.Locks = nil
	p := predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitDownstream}, f)
	s.hold = constant(0)
	after, _, _ := s.run()
	before := ev.Window.Load.Response
	for name, m := range map[string]struct {
		q     unpark.Quantity
		truth float64
	}{
		"p50": {p.P50, stats.Quantile(after, 0.5) / before.P50},
		"p99": {p.P99, stats.Quantile(after, 0.99) / before.P99},
	} {
		if !m.q.Contains(m.truth) {
			t.Errorf("%s after ÷ before is %.3f, predicted %v (%v–%v)", name, m.truth, m.q.Value, m.q.Low, m.q.High)
		}
		if m.q.Low.Or(-1) < 0 {
			t.Errorf("%s: negative time: %v", name, m.q.Low)
		}
	}
}

func TestAbstains(t *testing.T) {
	ev, lock := closedEvidence(8, 2, 500, 10e-3, 2e-3, 0.1e-3)
	none := ev
	none.Window.Load = nil
	ramp := ev
	l := *ev.Window.Load
	l.Mode = unpark.Ramp
	ramp.Window.Load = &l
	leak := unpark.Finding{Class: unpark.ClassLeak, Cost: unpark.Cost{GrowthPerSecond: unpark.Measured(50, "goroutines/s", 5)}}
	for _, c := range []struct {
		name  string
		ev    facts.Evidence
		limit unpark.LimitKind
		f     unpark.Finding
		says  string
	}{
		{"no load", none, unpark.LimitLock, lock, "no load"},
		{"ramp", ramp, unpark.LimitLock, lock, "one level"},
		{"generator", ev, unpark.LimitGenerator, lock, "generator"},
		{"no cost", ev, unpark.LimitLock, unpark.Finding{Class: unpark.ClassCPU}, "not known"},
		{"leak", ev, unpark.LimitNone, leak, "no throughput ratio"},
	} {
		p := predict.Predict(model.New(c.ev), unpark.Limit{Kind: c.limit}, c.f)
		if p.Throughput.Known() || p.P50.Known() || p.P99.Known() {
			t.Errorf("%s: predicted %+v", c.name, p)
		}
		if len(p.Assumptions) == 0 || !strings.Contains(p.Assumptions[0], c.says) {
			t.Errorf("%s: assumptions %q", c.name, p.Assumptions)
		}
	}
	if p := predict.Predict(model.New(ev), unpark.Limit{}, leak); !strings.Contains(p.Summary, "180k goroutines") {
		t.Errorf("leak: %s", p.Summary)
	}
}
