package predict

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestUnclaimed: on a full machine, busy time that no process has may be the kernel's for
// connections; with processors to spare nothing is.
func TestUnclaimed(t *testing.T) {
	busy := func(cores float64) closedLoop {
		s := full2(func(ev *facts.Evidence) {
			ev.Target.CPUs, ev.Window.Machine = nil, unpark.Machine{CPUs: 2, Busy: unpark.Num(cores)}
		})
		return closedLoop{change{s, cut{under: -1}}}
	}
	before := span{1.2, 1.4, 1.5}
	cpu := span{0.2e-3, 0.3e-3, 0.4e-3} // of the 1 ms that the machine has for a request
	if x := busy(2).unclaimed(cpu, before); x.low != before.low || x.value < 1.9 || x.value > 2.4 || x.high < 4.9 || x.high > 5.1 {
		t.Errorf("a full machine: %+v", x)
	}
	if x := busy(1).unclaimed(cpu, before); x != before {
		t.Errorf("half of it idle: %+v", x)
	}
}

// TestUnnamedTime: a closed loop whose time has no name may queue for processors that
// are four fifths full, and does not for ones that are nearly idle.
func TestUnnamedTime(t *testing.T) {
	s := full2()
	s.limit = unpark.LimitNone
	c := closedLoop{change{s, ofCPU(0.8)}}
	c.cut.binds = false
	s.m.Ev.CPU.Cores, s.cpu = unpark.Num(1.6), 0.8e-3
	if x := c.throughput(); x.low > 1.6 || x.value < 1.7 || x.high < 4 {
		t.Errorf("four fifths full: %+v", x)
	}
	s.m.Ev.CPU.Cores, s.cpu = unpark.Num(0.2), 0.1e-3
	if x := c.throughput(); x.high > 1.2 {
		t.Errorf("nearly idle: %+v", x)
	}
}

// TestSleepBoundsNoRate: beside a sleep another wait is worth its time in a closed loop; beside
// a limiter it is worth nothing.
func TestSleepBoundsNoRate(t *testing.T) {
	gain := func(class unpark.WaitClass, limit unpark.LimitKind) span {
		site := unpark.Site{Function: "app.work"}
		s := full2(func(ev *facts.Evidence) {
			ev.Waits = []facts.Wait{{Side: unpark.RequestPath, Class: class, Waiter: site, Delay: 20e-3 * 30_000, Count: 30_000, Stack: []unpark.Site{site}}}
		})
		s.limit, s.cpu = limit, 0.05e-3
		return closedLoop{change{s, cut{wait: span{2.4e-3, 2.5e-3, 2.6e-3}, queue: true, waits: 0.5, under: -1}}}.throughput()
	}
	if x := gain(unpark.WaitSleep, unpark.LimitConnections); x.value < 1.05 || x.value > 1.15 {
		t.Errorf("a tenth of a request beside a sleep: %+v", x)
	}
	if x := gain(unpark.WaitRateLimit, unpark.LimitRateLimit); x.value != 1 {
		t.Errorf("beside a limiter: %+v", x)
	}
}

// TestWaitsThatOverlap: several goroutines of a request that wait at once wait longer than
// it takes, all together, and hold it up no longer than that.
func TestWaitsThatOverlap(t *testing.T) {
	gain := func(times float64) span {
		site := unpark.Site{Function: "app.ask"}
		s := full2(func(ev *facts.Evidence) {
			for range int(times) {
				ev.Waits = append(ev.Waits, facts.Wait{Side: unpark.RequestPath, Class: unpark.WaitDownstream, Waiter: site, Delay: 0.5 * ev.Window.Load.Response.Mean * 30_000, Count: 30_000, Stack: []unpark.Site{site}})
			}
		})
		wait := 0.5 * s.mean
		c := change{s, ofCPU(0.5)}
		c.cut.wait = span{0.95 * wait, wait, 1.05 * wait}
		return closedLoop{c}.throughput()
	}
	if one, eight := gain(1), gain(8); one.low < 1.2 || eight.low < 1.2 {
		t.Errorf("one of them: %+v, eight: %+v", one, eight)
	}
}

// TestMoving: a service that stands still for half of the time does twice as much when the
// world does not stop, and more where starting it again is as long.
func TestMoving(t *testing.T) {
	s := full2(func(ev *facts.Evidence) {
		at := unpark.Site{Function: "runtime.ReadMemStats"}
		ev.Stops = []facts.Stop{{Call: at, Share: 0.5, Rate: 1000}}
	})
	at := unpark.Site{Function: "runtime.ReadMemStats"}
	c := cutOf(s, unpark.Finding{Class: unpark.ClassCPU, Culprit: &at})
	if c.stopped != 0.5 || c.empty() {
		t.Fatalf("%+v", c)
	}
	if x := (closedLoop{change{s, c}}).throughput(); x.value < 1.9 || x.value > 2.1 || x.low < 1.6 || x.low > x.value || x.high < 3.5 || x.high > 4.5 {
		t.Errorf("%+v", x)
	}
}

// TestEachWaitsForAll: in a closed loop each request waits for all others in turn at a lock that is nearly always held, and even the
// shortest has queued, though the lock is let go a hundredth of the time. One that takes no longer than the mean but for its wait may have met none.
func TestEachWaitsForAll(t *testing.T) {
	for shortest, want := range map[float64]float64{24e-3: 0, 1e-3: 1e-3} {
		s := full2()
		s.took.Min = shortest
		c := change{s, cut{queue: true, wait: span{22e-3, 23e-3, 24e-3}, station: station{demand: 0.99 / s.rate}, under: -1}}
		if got := c.shortest(); got != want {
			t.Errorf("the shortest took %v: without a queue %v, want %v", shortest, got, want)
		}
		if rest := c.residual(); rest.high > 10e-3 {
			t.Errorf("the shortest took %v: without the queue it takes %+v", shortest, rest)
		}
	}
}

// TestAcceptedConnections: connections that the service closes are opened and closed by others as well, so that only the least is said
// of keeping them; of those that it opens itself both ends are.
func TestAcceptedConnections(t *testing.T) {
	for culprit, open := range map[string]bool{"net.(*TCPListener).Accept": true, "net.(*Dialer).DialContext": false} {
		s := full2()
		s.limit = unpark.LimitCPU
		fix := ofCPU(0.2)
		fix.churn = true
		p := unpark.Prediction{Throughput: unpark.Between(1.2, 1.1, 1.4, "ratio", 100)}
		closedLoop{change{s, fix}}.silent(&p, unpark.Finding{Class: unpark.ClassPool, Site: unpark.Site{Function: "app.main"}, Culprit: &unpark.Site{Function: culprit}})
		if q := p.Throughput; q.High.Known() == open || q.Low != unpark.Num(1.1) {
			t.Errorf("%s: %+v", culprit, q)
		}
	}
}

// TestNotYours: what is yours is told by where its file lies.
func TestNotYours(t *testing.T) {
	for file, not := range map[string]bool{
		"/go/pkg/mod/example.org/lib@v1.2.3/parse.go": true, "example.org/lib@v1.2.3/parse.go": true, "/src/app/vendor/example.org/lib/parse.go": true, "": true,
		"/src/lib/parse.go": false, "example.org/lib/parse.go": false,
	} {
		f := unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "main.serve"}, Culprit: &unpark.Site{Function: "example.org/lib.Parse", File: file}}
		if notYours(f) != not {
			t.Errorf("%q: not yours: %v", file, !not)
		}
	}
	f := unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "main.serve"}, Culprit: &unpark.Site{Function: "time.Parse", File: "time/format.go"}}
	if !notYours(f) {
		t.Error("Go's own is yours")
	}
}

// TestOpen: of an interval from nothing to several times no middle is said.
func TestOpen(t *testing.T) {
	of := func(value, low, high float64) unpark.Prediction {
		s := full2()
		s.limit = unpark.LimitCPU
		p := unpark.Prediction{Throughput: unpark.Between(value, low, high, "ratio", 100), P50: unpark.Between(0.6, 0.5, 0.8, "ratio", 100)}
		closedLoop{change{s, ofCPU(0.4)}}.silent(&p, unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "app.serve"}})
		return p
	}
	if p := of(2.86, 1, 10); p.Throughput.Known() || p.P50.Known() || p.Throughput.Low != unpark.Num(1) || p.Throughput.High.Known() {
		t.Errorf("from nothing to ten times: %+v", p)
	}
	f := unpark.Finding{Class: unpark.ClassDownstream, Site: unpark.Site{Function: "app.ask"}}
	for value, open := range map[float64]bool{1.46: true, 1.12: false} {
		s := full2()
		p := unpark.Prediction{Throughput: unpark.Between(value, 1.01, 2, "ratio", 100), P50: unpark.Between(0.6, 0.5, 0.8, "ratio", 100)}
		closedLoop{change{s, ofCPU(0.4)}}.silent(&p, f)
		if p.Throughput.High.Known() == open {
			t.Errorf("×%.3g of what may take more with it: %+v", value, p.Throughput)
		}
	}
	if p := of(1.3, 1, 1.8); !p.Throughput.Known() || !p.Throughput.High.Known() {
		t.Errorf("a narrow one: %+v", p)
	}
}

// TestMiddle: what is said to be the least is ranked by what half of the cost buys, and no higher than what
// was too wide to say.
func TestMiddle(t *testing.T) {
	of := func(least, half float64) float64 {
		p := unpark.Prediction{Throughput: unpark.Quantity{Low: unpark.Num(least), Unit: "ratio"}}
		if half > 0 {
			p.Alternatives = []unpark.Alternative{{Fix: unpark.FixHalved, Throughput: unpark.Between(half, half, half, "ratio", 1)}}
		}
		x, ok := middle(p)
		if !ok {
			t.Fatal("nothing is known")
		}
		return x
	}
	if x := of(1.04, 1.07); x < 1.12 || x > 1.2 {
		t.Errorf("a little: %v", x)
	}
	if x := of(1.5, 0); x < 2.5 || x > 2.7 {
		t.Errorf("nothing said of half: %v", x)
	}
	if x := of(1.5, 1.9); x < 2.5 || x > 2.7 {
		t.Errorf("half of nearly all: %v", x)
	}
	if _, ok := middle(unpark.Prediction{}); ok {
		t.Error("nothing is known, and something said")
	}
}

// TestProcs: without a GOMAXPROCS that is too small a process takes what is free; how far a quota is raised
// is open.
func TestProcs(t *testing.T) {
	s := full2(func(ev *facts.Evidence) {
		ev.Host.CPUs, ev.CPU.Cores = 4, unpark.Num(1)
		ev.Window.Machine = unpark.Machine{CPUs: 4, Busy: unpark.Num(1.2)}
	})
	s.m.Cores = unpark.Num(1)
	procs := quota(s, unpark.Finding{Class: unpark.ClassQuota}).Throughput
	stopped := quota(s, unpark.Finding{Class: unpark.ClassQuota, Cost: unpark.Cost{Throttled: unpark.Measured(0.3, "ratio", 1)}}).Throughput
	if procs.Low.Or(0) < 2 || procs.Value.Or(0) < 3 || procs.High.Or(0) < 3.8 {
		t.Errorf("GOMAXPROCS: %+v", procs)
	}
	if stopped.Low.Or(9) > 1 || stopped.Value.Or(9) > procs.Value.Or(0) {
		t.Errorf("a quota: %+v", stopped)
	}
}

// TestStillAnswered: of a wait for what another goroutine does something stays; a place in a pool is had, or not.
func TestStillAnswered(t *testing.T) {
	x := span{14, 17, 20}
	channel := cut{answer: true, under: -1}.answered(x)
	if channel.low < 3 || channel.low > 5 || channel.value != x.value || channel.high != x.high {
		t.Errorf("a channel: %+v", channel)
	}
	if pool := (cut{under: -1}).answered(x); pool != x {
		t.Errorf("a pool: %+v", pool)
	}
	if little := (cut{answer: true, under: -1}).answered(span{0.98, 1, 1.02}); little.low != 0.98 {
		t.Errorf("nothing to gain: %+v", little)
	}
}
