package predict

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// behind is a service whose processors are full and whose requests queue for a lock
// that is held while its holder is away; what is the holder's state.
func behind(t *testing.T, held unpark.WaitClass, scv float64) *service {
	t.Helper()
	site := unpark.Site{Function: "app.get", Line: 7}
	l := unpark.Latency{P50: 32e-3, P99: 66e-3, Mean: 34.3e-3, Min: 5e-3, N: 7000}
	s, err := observe(model.New(facts.Evidence{
		Host: unpark.Host{CPUs: 2}, Target: unpark.Target{CPUs: []int{0, 1}}, Seconds: 15, Requests: unpark.Num(7000),
		Window: unpark.Window{Level: unpark.Level{Connections: 16}, Load: &unpark.Load{
			Mode: unpark.Closed, AchievedRPS: 467, OfferedRPS: 467, Requests: 7000, Response: l, Service: l,
		}},
		CPU: facts.CPU{Cores: unpark.Num(1.8), Allowed: unpark.Num(2), Sampled: unpark.Num(27), RequestPath: unpark.Num(26)},
		Locks: []facts.Lock{{
			Waiter: site, Holder: site, Side: unpark.RequestPath, Delay: 12.2 * 15, Count: 7000, Utilization: unpark.Num(0.92),
		}},
		Waits: []facts.Wait{{Class: unpark.WaitLock, Waiter: site, Side: unpark.RequestPath, Delay: 12.2 * 15, Count: 7000}},
		Tracing: &unpark.Tracing{Edges: []unpark.Edge{{
			Class: unpark.WaitLock, Waiter: site, Holder: site, Delay: 12, Count: 400,
			Held: []unpark.Held{{Class: held, Share: 1}}, Hold: &unpark.Hold{N: 400, Mean: 2.3e-3, SCV: unpark.Num(scv)},
		}}},
	}), unpark.LimitCPU)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRelief: where no processor was free a sleeping holder wakes late; less CPU
// makes its hold shorter, and that is worth more than its ceiling says now.
func TestRelief(t *testing.T) {
	ceiling := 1 / 0.92
	gain := func(s *service) span { return closedLoop{change{s, ofCPU(0.78)}}.throughput() }
	asleep := gain(behind(t, unpark.WaitSleep, 0.2))
	if asleep.low > 1.2 || asleep.value < 1.5 || asleep.value > 3 || asleep.high < asleep.value || asleep.high > 6 {
		t.Errorf("asleep: %+v", asleep)
	}
	for name, s := range map[string]*service{
		"on a processor":      behind(t, unpark.Running, 0.2),
		"holds do not differ": behind(t, unpark.WaitSleep, 0),
	} {
		if x := gain(s); x.value > 1.3*ceiling {
			t.Errorf("%s: %+v, the lock's ceiling is %v", name, x, ceiling)
		}
	}
	idle := behind(t, unpark.WaitSleep, 0.2)
	idle.cpu /= 10
	c := change{idle, ofCPU(0.78)}
	if x := c.relief(c.cpuLeft(1)); x.value > 20e-6 {
		t.Errorf("processors were free: %+v", x)
	}
	wait := change{idle, cut{wait: span{1e-3, 1e-3, 1e-3}, under: -1}}
	if x := wait.relief(wait.cpuLeft(1)); x != (span{}) {
		t.Errorf("no CPU goes: %+v", x)
	}
}

// TestLate: the first of m runs that are somewhere in the middle ends after b/(m+1).
func TestLate(t *testing.T) {
	p := processors{cores: 2}
	if x := p.late(3e-3, 1e6); x.low != 0 || math.Abs(x.value-1e-3) > 1e-9 || math.Abs(x.high-3e-3) > 1e-9 {
		t.Errorf("two full processors: %+v", x)
	}
	if x := p.late(50e-3, 1e6); x.high > preempted {
		t.Errorf("a run is preempted: %+v", x)
	}
	if x := (processors{}).late(1, 1); x != (span{}) {
		t.Errorf("no cores known: %+v", x)
	}
}

// TestLoadOfAll: a service has the requests of void parts of the load too, which wait and compute in it like the others.
func TestLoadOfAll(t *testing.T) {
	l := unpark.Load{Mode: unpark.Closed, Requests: 1000, Seconds: 10, AchievedRPS: 100, Response: unpark.Latency{N: 1000, Mean: 0.05}}
	for beside, want := range map[unpark.Number]float64{{}: 5, unpark.Num(500): 7.5} {
		l.Beside = beside
		got, err := loadOf(model.New(facts.Evidence{Window: unpark.Window{Load: &l}}))
		if err != nil || got.population != want || got.rate != want/0.05 {
			t.Errorf("beside %v: %v requests under way at %v/s, want %v: %v", beside, got.population, got.rate, want, err)
		}
	}
}
