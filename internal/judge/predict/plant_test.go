package predict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark/internal/stats"
)

// long is enough requests for means of a queue at ρ 0.8 to be right to a few percent.
func long() int {
	if testing.Short() {
		return 100_000
	}
	return 400_000
}

func within(t *testing.T, name string, got, want, rel float64) {
	t.Helper()
	if math.Abs(got-want) > rel*want {
		t.Errorf("%s: %.5g, want %.5g", name, got, want)
	}
}

// TestTimes: mean and squared coefficient of variation are those that were asked for.
func TestTimes(t *testing.T) {
	for _, scv := range []float64{0, 0.1, 0.5, 1, 2, 4} {
		r := rand.New(rand.NewPCG(3, 4))
		v := make([]float64, 200_000)
		for i := range v {
			v[i] = times{2e-3, scv}.draw(r)
		}
		within(t, "mean", stats.Mean(v), 2e-3, 0.02)
		if got := math.Pow(stats.StdDev(v)/stats.Mean(v), 2); math.Abs(got-scv) > 0.05*scv+1e-12 {
			t.Errorf("squared coefficient of variation %v, want %v", got, scv)
		}
	}
}

// TestOneServer holds the simulated lock against Pollaczek and Khinchine: the mean
// wait of M/G/1 is ρS(1+c²)÷2(1−ρ).
func TestOneServer(t *testing.T) {
	const hold = 1e-3
	for _, c := range []struct{ rho, scv float64 }{{0.3, 1}, {0.5, 0}, {0.8, 0}, {0.8, 1}, {0.8, 2}, {0.6, 4}} {
		o := plant{rate: c.rho / hold, hold: times{hold, c.scv}, n: long(), seed: 7}.run()
		within(t, "M/G/1 wait", o.wait, c.rho*hold*(1+c.scv)/2/(1-c.rho), 0.08)
		within(t, "rate", o.rate, c.rho/hold, 0.02)
	}
	// The response of M/M/1 is exponential.
	o := plant{rate: 800, hold: times{hold, 1}, n: long(), seed: 8}.run()
	within(t, "M/M/1 p50", o.p50, math.Ln2*hold/0.2, 0.08)
	within(t, "M/M/1 p99", o.p99, math.Log(100)*hold/0.2, 0.10)
}

// TestManyServers holds the simulated processors against Erlang's C formula.
func TestManyServers(t *testing.T) {
	const cpu = 1e-3
	for _, c := range []struct {
		servers int
		rho     float64
	}{{2, 0.8}, {4, 0.8}, {8, 0.7}} {
		m := float64(c.servers)
		load := m * c.rho
		term, sum := 1.0, 0.0
		for k := range c.servers {
			sum += term
			term *= load / float64(k+1)
		}
		queued := term / (1 - c.rho) / (sum + term/(1-c.rho)) // probability of having to wait
		o := plant{rate: load / cpu, cpu: times{cpu, 1}, servers: c.servers, n: long(), seed: 9}.run()
		within(t, "M/M/c response", o.mean, cpu+queued*cpu/(m*(1-c.rho)), 0.06)
	}
}

// TestClosedNetwork holds the simulation against exact mean value analysis, which
// is right for exponential times.
func TestClosedNetwork(t *testing.T) {
	for _, c := range []struct {
		n               int
		hold, cpu, rest float64
	}{{4, 1e-3, 1e-3, 2e-3}, {16, 1e-3, 0.7e-3, 5e-3}, {16, 0.2e-3, 1e-3, 30e-3}, {1, 1e-3, 1e-3, 1e-3}} {
		o := plant{
			clients: c.n, hold: times{c.hold, 1}, cpu: times{c.cpu, 1}, servers: 1, rest: times{c.rest, 1}, n: long(), seed: 11,
		}.run()
		want := network{think: c.rest, stations: []times{{c.hold, 1}}, cpu: c.cpu, cores: 1}.throughput(float64(c.n))
		within(t, "throughput", o.rate, want, 0.02)
		within(t, "Little's law", o.mean*o.rate, float64(c.n), 0.02)
	}
	// Holds that are not exponential are an approximation as well.
	for _, scv := range []float64{0, 0.3, 2} {
		p := plant{clients: 10, hold: times{1e-3, scv}, rest: times{9e-3, 1}, n: long(), seed: 13}
		got := network{think: 9e-3, stations: []times{{1e-3, scv}}}.throughput(10)
		within(t, "holds that are not exponential", got, p.run().rate, 0.03)
		if taken := (network{think: 9e-3, stations: []times{{1e-3, 1}}}).throughput(10); scv < 1 && got <= taken || scv > 1 && got >= taken {
			t.Errorf("scv %v: %v a second, %v if exponential", scv, got, taken)
		}
	}
	// Two servers are Seidmann's approximation in the analysis: a few percent.
	o := plant{clients: 12, cpu: times{1e-3, 1}, servers: 2, rest: times{4e-3, 1}, n: long(), seed: 12}.run()
	within(t, "two processors", network{think: 4e-3, cpu: 1e-3, cores: 2}.throughput(12), o.rate, 0.05)
}

// TestFIFOLock: readers share a lock, shards are locks of their own, and a writer
// waits for readers.
func TestFIFOLock(t *testing.T) {
	base := plant{rate: 800, hold: times{1e-3, 1}, n: long() / 4, seed: 5}
	readers := base
	readers.reads = 1
	if o := readers.run(); o.wait > 1e-12 {
		t.Errorf("readers wait %v", o.wait)
	}
	split := base
	split.shards = 8
	within(t, "a shard is M/M/1 at an eighth of the rate", split.run().wait, 0.1*1e-3/0.9, 0.1)
	mixed := base
	mixed.reads = 0.9
	if w, alone := mixed.run().wait, base.run().wait; w <= 0 || w >= alone {
		t.Errorf("nine in ten readers: wait %v, all writers %v", w, alone)
	}
	var lock fifoLock
	for i, c := range []struct {
		at, hold, in float64
		read         bool
	}{{0, 10, 0, true}, {1, 10, 1, true}, {2, 5, 11, false}, {3, 1, 16, true}, {4, 1, 16, true}, {30, 1, 30, false}} {
		if in := lock.acquire(c.at, c.hold, c.read); in != c.in {
			t.Errorf("request %d got in at %v, want %v", i, in, c.in)
		}
	}
}

// TestSimulationRepeats: the same seed, the same figures.
func TestSimulationRepeats(t *testing.T) {
	p := plant{clients: 8, hold: times{1e-3, 0.5}, cpu: times{1e-3, 1}, servers: 2, rest: times{1e-3, 2}, n: 2000, seed: 3}
	if a, b := p.run(), p.run(); a != b {
		t.Errorf("%+v and %+v", a, b)
	}
}
