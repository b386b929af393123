package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestOrderOfThought: which of several signs is the limit.
func TestOrderOfThought(t *testing.T) {
	full := func(ev *facts.Evidence) { ev.CPU.Cores = unpark.Num(2.95) }
	lock := func(ev *facts.Evidence) { ev.Locks = []facts.Lock{contended(80, 0.95)} }
	crowd := func(cores float64) func(*facts.Evidence) {
		return func(ev *facts.Evidence) {
			ev.Target.CPUs = nil
			ev.CPU.Cores, ev.Window.Machine.Busy = unpark.Num(cores), unpark.Num(3.95)
		}
	}
	closed := func(ev *facts.Evidence) { ev.Window.Load.Mode = unpark.Closed }
	stolen := func(cores float64) func(*facts.Evidence) {
		return func(ev *facts.Evidence) {
			ev.Target.CPUs, ev.CPU.Cores, ev.Window.Load.GeneratorCPU = nil, unpark.Num(2.2), unpark.Num(0.9)
			ev.Window.Machine.Busy, ev.Window.Machine.Steal = unpark.Num(3.15), unpark.Num(cores)
		}
	}
	cases := []struct {
		name string
		with []func(*facts.Evidence)
		void []unpark.Notice
		want unpark.LimitKind
		says string
	}{
		{"calm", nil, nil, unpark.LimitNone, "nothing is wrong"},
		{"void before all", []func(*facts.Evidence){full, lock}, []unpark.Notice{{Code: "generator-late", Message: "it was late"}}, unpark.LimitGenerator, "it was late"},
		{"void for another reason", nil, []unpark.Notice{{Code: "target-died", Message: "it died"}}, unpark.LimitUnknown, "it died"},
		{"full CPU before the lock that it causes", []func(*facts.Evidence){full, lock}, nil, unpark.LimitCPU, "2.95 of the 3 cores"},
		{"CPU and lock contradict each other", []func(*facts.Evidence){lock, func(ev *facts.Evidence) { ev.CPU.Cores = unpark.Num(2.7) }}, nil, unpark.LimitUnknown, "90 %"},
		{"lock", []func(*facts.Evidence){lock}, nil, unpark.LimitLock, "held 95 % of the time"},
		{"quota before CPU", []func(*facts.Evidence){func(ev *facts.Evidence) {
			ev.Target.Quota, ev.CPU.Allowed = unpark.Num(1), unpark.Num(1)
			ev.CPU.Cores, ev.CPU.Throttled = unpark.Num(0.98), unpark.Num(0.4)
		}}, nil, unpark.LimitQuota, "GOMAXPROCS 3"},
		{"garbage in a full CPU", []func(*facts.Evidence){full, func(ev *facts.Evidence) { ev.CPU.Shares.GC = unpark.Num(0.28) }}, nil, unpark.LimitGC, "28 %"},
		{"shared machine, hungry generator", []func(*facts.Evidence){func(ev *facts.Evidence) {
			ev.Target.CPUs = nil
			ev.CPU.Cores, ev.Window.Load.GeneratorCPU, ev.Window.Machine.Busy = unpark.Num(1.2), unpark.Num(2.5), unpark.Num(3.9)
		}}, nil, unpark.LimitCPU, "more than the service"},
		{"closed loop that others leave some of the machine", []func(*facts.Evidence){crowd(1.5), closed}, nil, unpark.LimitCPU, "neither the service's"},
		{"closed loop that others leave little of the machine", []func(*facts.Evidence){crowd(0.6), closed}, nil, unpark.LimitUnknown, "neither the service's"},
		{"open loop that others leave little of the machine", []func(*facts.Evidence){crowd(0.6)}, nil, unpark.LimitNone, "nothing is wrong"},
		{"closed loop on a machine of which others on its host have what is left", []func(*facts.Evidence){stolen(0.8), closed}, nil, unpark.LimitCPU, "0.8 stolen by other machines"},
		{"closed loop on the same of which they have nothing", []func(*facts.Evidence){stolen(0), closed}, nil, unpark.LimitCPU, "the processors are 78 % busy"},
		{"downstream", []func(*facts.Evidence){func(ev *facts.Evidence) {
			ev.Waits = []facts.Wait{waits(unpark.WaitDownstream, 80, 10000, "block.pb.gz", "runtime.selectgo", "net/http.(*persistConn).roundTrip", "app.ask", "net/http.(*conn).serve")}
		}}, nil, unpark.LimitDownstream, "not in this process"},
		{"network", []func(*facts.Evidence){func(ev *facts.Evidence) { ev.Waits[0].Delay = 90 }}, nil, unpark.LimitNetwork, "taken slower"},
		{"answered less than offered, no reason seen", []func(*facts.Evidence){func(ev *facts.Evidence) {
			ev.Window.Load.OfferedRPS, ev.Window.Load.AchievedRPS = 1000, 900
		}}, nil, unpark.LimitUnknown, "neither CPU"},
		{"no load", []func(*facts.Evidence){func(ev *facts.Evidence) { ev.Window.Load, ev.Requests = nil, unpark.Number{} }}, nil, unpark.LimitUnknown, "no load"},
		{"waits not measured", []func(*facts.Evidence){func(ev *facts.Evidence) {
			ev.Coverage[unpark.KindBlock] = facts.KindCoverage{State: unpark.Off}
			ev.Coverage[unpark.KindGoroutine] = facts.KindCoverage{State: unpark.Absent}
		}}, nil, unpark.LimitUnknown, "neither block"},
		{"half of the time has no name", []func(*facts.Evidence){func(ev *facts.Evidence) {
			ev.Waits, ev.Window.Load.Service.Mean = nil, 0.1
		}}, nil, unpark.LimitUnknown, "neither CPU nor a wait"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ev := calm()
			for _, with := range c.with {
				with(&ev)
			}
			limit, _, _ := diagnose.Verdict(ev, c.void)
			if limit.Kind != c.want || !strings.Contains(limit.Why, c.says) {
				t.Errorf("%s: %s\nwant %s with %q", limit.Kind, limit.Why, c.want, c.says)
			}
		})
	}
}

// TestCeilings: a limit that has a ceiling gives one that is not below what was
// reached.
func TestCeilings(t *testing.T) {
	ev := calm()
	limit, _, _ := diagnose.Verdict(ev, nil)
	v, ok := limit.Ceiling.Value.Get()
	if !ok || v < 5900 || v > 6100 {
		t.Errorf("ceiling %v, want 1000 × 3 ÷ 0.5", limit.Ceiling)
	}
	if !limit.Ceiling.Contains(v) || limit.Ceiling.Low.Or(0) < 1000 {
		t.Errorf("interval %v", limit.Ceiling)
	}
	ev.Locks = []facts.Lock{contended(80, 0.95)}
	limit, _, _ = diagnose.Verdict(ev, nil)
	if v := limit.Ceiling.Value.Or(0); v < 1040 || v > 1060 {
		t.Errorf("lock ceiling %v, want 1000 ÷ 0.95", v)
	}
}

func TestMissingKinds(t *testing.T) {
	ev := calm()
	ev.Coverage[unpark.KindBlock] = facts.KindCoverage{State: unpark.Off, Why: "its rate is 0"}
	delete(ev.Coverage, unpark.KindAllocs)
	_, _, notices := diagnose.Verdict(ev, nil)
	if len(notices) != 2 {
		t.Fatalf("%d notices, want one for block and one for allocs: %+v", len(notices), notices)
	}
	if n := notices[0]; n.Code != "kind-block" || !strings.Contains(n.Message, "lock contention") || !strings.Contains(n.Message, "its rate is 0") || n.Cure == "" {
		t.Errorf("notice %+v", n)
	}
}

// TestMissingOfAProcess: what a process that is read by its number does not record is had by flags of unpark, not by code in it.
func TestMissingOfAProcess(t *testing.T) {
	byNumber := &unpark.Attach{PIDs: []int{4711}, ReadOnly: true}
	for _, c := range []struct {
		name       string
		kind       unpark.Kind
		state      unpark.Coverage
		target     unpark.Target
		want, none string
	}{
		{"it cannot ask", unpark.KindAllocs, unpark.Off, unpark.Target{Attach: &unpark.Attach{PIDs: []int{4711}}}, "--memory-rate", "probe"},
		{"nothing is written", unpark.KindBlock, unpark.Off, unpark.Target{Attach: byNumber}, "--read-only", "probe"},
		{"the kernel does not sample", unpark.KindCPU, unpark.Absent, unpark.Target{Attach: byNumber}, "docs/attach.md", "net/http/pprof"},
		{"an endpoint beside it", unpark.KindBlock, unpark.Off, unpark.Target{Attach: byNumber, Pprof: []string{"http://127.0.0.1:6060"}}, "probe", "--read-only"},
		{"an endpoint", unpark.KindCPU, unpark.Absent, unpark.Target{}, "net/http/pprof", "docs/attach.md"},
	} {
		ev := calm()
		ev.Target = c.target
		ev.Coverage[c.kind] = facts.KindCoverage{State: c.state, Offered: true}
		_, _, notices := diagnose.Verdict(ev, nil)
		if len(notices) != 1 || !strings.Contains(notices[0].Cure, c.want) || strings.Contains(notices[0].Cure, c.none) {
			t.Errorf("%s: %+v, want a cure with %q", c.name, notices, c.want)
		}
	}
}

// TestLeakHedgesHealth: nothing binds, and yet "nothing is wrong" would be a lie.
func TestLeakHedgesHealth(t *testing.T) {
	ev := calm()
	ev.Goroutines = []facts.GoroutineGroup{{
		Class: unpark.WaitChannel, Side: unpark.RequestPath, Site: fn("app.forgotten"), Created: fn("app.handle.func1"),
		First: 100, Last: 900, Mean: 500, Snapshots: 5, Series: []float64{100, 300, 500, 700, 900},
	}}
	ev.Window.Processes[0].Metrics = unpark.Metrics{GoroutineStart: unpark.Num(120), GoroutineEnd: unpark.Num(1100)}
	limit, findings, _ := diagnose.Verdict(ev, nil)
	if limit.Kind != unpark.LimitNone || !strings.Contains(limit.Why, "leak in app.forgotten") {
		t.Errorf("%s: %s", limit.Kind, limit.Why)
	}
	f := of(unpark.ClassLeak, findings)
	if len(f) != 1 || f[0].Cost.GrowthPerSecond.Value.Or(0) != 100 {
		t.Errorf("findings %+v", f)
	}
}

// TestFindingsHedgeHealth: a lock that costs a tenth of each request binds nothing.
func TestFindingsHedgeHealth(t *testing.T) {
	ev := calm()
	ev.Locks = []facts.Lock{contended(10, 0.2)}
	limit, findings, _ := diagnose.Verdict(ev, nil)
	if len(findings) != 1 || limit.Kind != unpark.LimitNone || !strings.HasPrefix(limit.Why, "nothing binds: a request takes") {
		t.Errorf("%s: %s; %d findings", limit.Kind, limit.Why, len(findings))
	}
}

// TestFullWorker: of several processes one has nearly all of the load and fills its
// processor, on a machine that has room. Two that share it are not full.
func TestFullWorker(t *testing.T) {
	worker := func(pid int, cores float64) unpark.Process {
		return unpark.Process{PID: pid, State: "whole", GOMAXPROCS: unpark.Num(1), Cores: unpark.Num(cores)}
	}
	master := unpark.Process{PID: 1, State: "whole"}
	for _, tt := range []struct {
		name      string
		processes []unpark.Process
		full      bool
	}{
		{"all at one", []unpark.Process{master, worker(2, 0.93), worker(3, 0.01)}, true},
		{"shared", []unpark.Process{master, worker(2, 0.5), worker(3, 0.44)}, false},
		{"one process", []unpark.Process{master, worker(2, 0.94)}, false},
	} {
		ev := calm()
		ev.CPU.Cores = unpark.Num(0.94)
		ev.Window.Processes = tt.processes
		limit, _, _ := diagnose.Verdict(ev, nil)
		if full := limit.Kind == unpark.LimitCPU && strings.Contains(limit.Why, "process 2 is full"); full != tt.full {
			t.Errorf("%s: %s: %s", tt.name, limit.Kind, limit.Why)
		}
	}
}

// TestFullAndNothingStandsOut: a service that is at the end of its processors, and of which no
// function is the cause, is told what they do.
func TestFullAndNothingStandsOut(t *testing.T) {
	ev := calm()
	ev.CPU.Cores, ev.CPU.Service, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(3.9), unpark.Num(3.9), unpark.Num(39), unpark.Num(38)
	ev.CPU.Shares = facts.CPUShares{Syscall: unpark.Num(0.42), Scheduler: unpark.Num(0.11), GC: unpark.Num(0.02), Malloc: unpark.Num(0.01)}
	limit, findings, _ := diagnose.Verdict(ev, nil)
	if want := "of the service's CPU 42 % is system calls, 11 % is the scheduler, and no function"; limit.Kind != unpark.LimitCPU || len(findings) > 0 || !strings.Contains(limit.Why, want) {
		t.Errorf("%s: %s; %v", limit.Kind, limit.Why, findings)
	}
}
