package predict

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/internal/stats"
)

// A drawn service is one that no model was tuned for: its demands, the spread of
// its holds, the share of its finding, what the collector takes, and what nature
// does to the cost of what stays are all by chance. It is simulated before and
// after the fix, and observed as a profile of fifteen seconds would.
type drawn struct {
	p        plant
	cores    int
	cpu      float64 // s per request
	share    float64 // of it that the finding takes, the collector's part included
	what     unpark.Class
	drag     float64 // of that part, what the collector takes for its bytes
	instead  float64 // part of the removed CPU that something else takes in its place
	cheaper  float64 // part of the most by which what stays gets cheaper
	twoRuns  float64 // what a second run differs by
	given    float64 // the same of throughput: a rate that is given is kept
	measured *rand.Rand
}

const observed = 15.0 // s

func between2(r *rand.Rand, low, high float64) float64 {
	return low * math.Pow(high/low, r.Float64()) // uniform in the logarithm
}

func draw(seed uint64, what unpark.Class, open bool) drawn {
	r := rand.New(rand.NewPCG(seed, 99))
	spread := func() float64 { return []float64{0, 0.3, 1, 2}[r.IntN(4)] }
	d := drawn{
		what: what, cores: 1 + r.IntN(4), cpu: between2(r, 60e-6, 6e-3), share: 0.08 + 0.87*r.Float64(),
		drag: 0.3 * r.Float64(), instead: 0.04 * r.Float64(), cheaper: r.Float64(), twoRuns: math.Exp(0.02 * r.NormFloat64()), measured: r,
	}
	d.given = d.twoRuns
	d.p = plant{cpu: times{d.cpu, spread()}, servers: d.cores, rest: times{d.cpu * between2(r, 0.1, 10), spread()}, n: 12000, seed: seed}
	if what == unpark.ClassLock {
		d.p.hold = times{d.cpu * between2(r, 0.5, 8), spread()}
		d.share = 0
	}
	d.p.clients = 4 + r.IntN(60)
	if open {
		d.p.even = seed%2 == 1
		d.given = math.Exp(0.003 * r.NormFloat64())
		// Between a third of saturation and the cliff.
		most := min(float64(d.cores)/d.cpu, 1/max(d.p.hold.mean, 1e-9))
		d.p.rate, d.p.clients = most*(0.35+0.57*r.Float64()), 0
	}
	return d
}

// fixed is the service after the fix. What stays gets cheaper by something between
// nothing and the most that machines do (see warmed), as far as it runs more often.
func (d drawn) fixed(before outcome) plant {
	p := d.p
	stays := d.cpu
	switch d.what {
	case unpark.ClassLock:
		p.shards = 1 << 20 // no two requests meet
	case unpark.ClassDownstream:
		p.rest.mean = 0
	default:
		stays = d.cpu * (1 - d.share*(1-d.instead))
	}
	p.cpu.mean = stays
	if p.clients == 0 {
		return p // the rate stays, and with it the time in between
	}
	busy := min(1, before.rate*stays/float64(d.cores))
	gap := max(0, float64(d.cores)/before.rate-stays)
	then := min(1, p.run().rate*stays/float64(d.cores))
	most := max(0, then-busy) * (crowding*stays + min(refill, evicting*gap))
	p.cpu.mean = max(min(wireCost, stays), stays-d.cheaper*most)
	return p
}

// evidence is what a window of the service shows, with the errors of sampling.
func (d drawn) evidence(o outcome) (facts.Evidence, unpark.Limit, unpark.Finding) {
	n := o.rate * observed
	noisy := func(v, rel float64) float64 { return v * math.Exp(rel*d.measured.NormFloat64()) }
	mode := unpark.Closed
	if d.p.clients == 0 {
		mode = unpark.Poisson
	}
	if d.p.even {
		mode = unpark.Constant
	}
	l := unpark.Latency{P50: o.p50, P90: o.p90, P99: o.p99, Mean: o.mean, Min: o.least, Max: 2 * o.p99, N: int64(n)}
	target := unpark.Target{}
	for i := range d.cores {
		target.CPUs = append(target.CPUs, i)
	}
	used := o.rate * d.cpu
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: d.cores + 2}, Target: target, Seconds: observed, Requests: unpark.Num(n),
		Coverage: map[unpark.Kind]facts.KindCoverage{unpark.KindGoroutine: {State: unpark.Present}, unpark.KindBlock: {State: unpark.Present}},
		Plan:     unpark.Plan{Mode: mode, Connections: d.p.clients},
		Window: unpark.Window{
			Machine: unpark.Machine{CPUs: d.cores + 2},
			Load: &unpark.Load{
				Mode: mode, OfferedRPS: o.rate, AchievedRPS: o.rate, Requests: int64(n), Response: l, Service: l, GeneratorCPU: unpark.Num(0.2),
			},
		},
		CPU: facts.CPU{Cores: unpark.Num(used), Allowed: unpark.Num(float64(d.cores)), Sampled: unpark.Num(used * observed), RequestPath: unpark.Num(0.9 * used * observed)},
	}
	site := unpark.Site{Function: "app.work"}
	f := unpark.Finding{Class: d.what, Rule: string(d.what), Site: site, Waiter: &site}
	rest := noisy(d.p.rest.mean, 0.03)
	ev.Waits = append(ev.Waits, facts.Wait{Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: site, Delay: rest * n, Count: n})
	if d.p.hold.mean > 0 {
		// What is done under the lock is seen as well: a call, here.
		ev.Waits = append(ev.Waits, facts.Wait{Class: unpark.WaitSyscall, Side: unpark.RequestPath, Waiter: site, Delay: noisy(d.p.hold.mean, 0.05) * n})
	}
	wait := noisy(o.wait, 0.03)
	switch d.what {
	case unpark.ClassLock:
		held := 0.0
		for range 30 { // dumps
			if d.measured.Float64() < o.rate*d.p.hold.mean {
				held += 1.0 / 30
			}
		}
		f.Holder = &site
		f.Cost.WaitPerRequest = unpark.Between(wait, wait*0.95, wait*1.05, "s/req", int64(n))
		ev.Locks = []facts.Lock{{
			Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: site, Holder: site, Delay: wait * n, Count: n * min(1, o.rate*d.p.hold.mean), Utilization: unpark.Num(held),
		}}
		if d.p.seed%4 >= 2 { // a trace of a third of the window
			ev.Tracing = heldFor(site, d.p.hold, int(n/3*min(1, o.rate*d.p.hold.mean)*min(1, o.rate*d.p.hold.mean)), d.p.seed)
		}
	case unpark.ClassDownstream:
		f.Cost.WaitPerRequest = unpark.Between(rest, rest*0.95, rest*1.05, "s/req", int64(n))
	default:
		samples := used * observed * facts.ProfileHz
		seen := d.share + d.measured.NormFloat64()*math.Sqrt(d.share*(1-d.share)/samples)
		seen += 0.1 * d.measured.NormFloat64() * d.drag * d.share // bytes do not cost the collector all the same
		f.Cost.Cores = unpark.Measured(stats.Bound(seen, 0, 1)*used, "cores", int64(samples))
	}
	return ev, unpark.Limit{Kind: d.verdict(o)}, f
}

// heldFor is what a trace says of n holds.
func heldFor(site unpark.Site, hold times, n int, seed uint64) *unpark.Tracing {
	r := rand.New(rand.NewPCG(seed, 77))
	v := make([]float64, n)
	for i := range v {
		v[i] = hold.draw(r)
	}
	e := unpark.Edge{Class: unpark.WaitLock, Waiter: site, Holder: site}
	if n > 1 {
		e.Hold = &unpark.Hold{N: int64(n), Mean: stats.Mean(v), SCV: unpark.Num(math.Pow(stats.StdDev(v)/stats.Mean(v), 2))}
	}
	return &unpark.Tracing{Edges: []unpark.Edge{e}}
}

func (d drawn) verdict(o outcome) unpark.LimitKind {
	switch {
	case o.rate*d.cpu >= model.Saturated*float64(d.cores):
		return unpark.LimitCPU
	case o.rate*d.p.hold.mean >= model.Saturated, o.wait >= o.mean/2:
		return unpark.LimitLock
	case d.p.rest.mean >= o.mean/2:
		return unpark.LimitDownstream
	}
	return unpark.LimitNone
}

// tally counts how forecasts of one metric did.
type tally struct {
	inside, n int
	widths    []float64
	errors    []float64
}

func (c *tally) add(q unpark.Quantity, truth float64) bool {
	low, high := q.Low.Or(0), q.High.Or(0)
	if low <= 0 && high <= 0 {
		return true // an abstention
	}
	c.n++
	if !q.Known() { // one end is said
		if (low <= 0 || truth >= low) && (high <= 0 || truth <= high) {
			c.inside++
			return true
		}
		return false
	}
	c.widths = append(c.widths, high/low)
	c.errors = append(c.errors, math.Abs(math.Log(q.Value.Or(1)/truth)))
	if q.Contains(truth) {
		c.inside++
		return true
	}
	return false
}

func (c tally) String() string {
	narrow := 0
	for _, w := range c.widths {
		if w <= unpark.NarrowWidth {
			narrow++
		}
	}
	return fmt.Sprintf("%d forecasts, %.0f %% inside, median width ×%.2f, %.0f %% at most ×1.5 wide, median error ×%.2f",
		c.n, 100*float64(c.inside)/float64(c.n), stats.Quantile(c.widths, 0.5), 100*float64(narrow)/float64(c.n), math.Exp(stats.Quantile(c.errors, 0.5)))
}

// TestCoverage draws services, forecasts each from its own window, and holds the
// forecast against the simulated fix: nine in ten must lie within the interval,
// and half of the intervals of throughput must be narrow. docs/prediction.md has
// the figures.
func TestCoverage(t *testing.T) {
	for i, c := range []struct {
		name   string
		what   unpark.Class
		open   bool
		narrow float64 // median width of throughput must not exceed it
	}{
		{"cpu, closed", unpark.ClassCPU, false, 1.6},
		{"lock, closed", unpark.ClassLock, false, 1.9},
		{"wait, closed", unpark.ClassDownstream, false, 1.2},
		{"cpu, open", unpark.ClassCPU, true, 1.1},
		{"lock, open", unpark.ClassLock, true, 1.1},
		{"wait, open", unpark.ClassDownstream, true, 1.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			draws, least := 10, 0.7 // so few may miss by chance
			if rota.Long(i%3, 3) {
				draws, least = 60, 0.9
			}
			by := map[string]*tally{"throughput": {}, "p50": {}, "p99": {}}
			for i := range draws {
				d := draw(uint64(i), c.what, c.open)
				before := d.p.run()
				ev, limit, f := d.evidence(before)
				after := d.fixed(before).run()
				p := Predict(model.New(ev), limit, f)
				for name, m := range map[string]struct {
					q     unpark.Quantity
					truth float64
				}{
					"throughput": {p.Throughput, after.rate / before.rate * d.given},
					"p50":        {p.P50, after.p50 / before.p50 / d.twoRuns},
					"p99":        {p.P99, after.p99 / before.p99 / d.twoRuns},
				} {
					if !by[name].add(m.q, m.truth) && testing.Verbose() {
						t.Logf("%d: %s %.3f, forecast %v (%v–%v), limit %s, %d cores, %d clients, u %.2f, held %.2f, cpu %.3g share %.2f hold %v rest %v",
							i, name, m.truth, m.q.Value, m.q.Low, m.q.High, limit.Kind, d.cores, d.p.clients, before.rate*d.cpu/float64(d.cores), before.rate*d.p.hold.mean, d.cpu, d.share, d.p.hold, d.p.rest)
					}
				}
			}
			for _, name := range slices.Sorted(maps.Keys(by)) {
				v := by[name]
				t.Logf("%s: %v", name, v)
				if float64(v.inside) < least*float64(v.n) {
					t.Errorf("%s: %.0f %% inside, want 90 %%", name, 100*float64(v.inside)/float64(v.n))
				}
			}
			if w := stats.Quantile(by["throughput"].widths, 0.5); w > c.narrow {
				t.Errorf("the median interval of throughput is a factor of %.2f wide, want at most %v", w, c.narrow)
			}
		})
	}
}
