package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// A target on another machine is judged by what it says of itself: 2.5 cores are not too
// many for the two of the generator's machine, and the generator takes none of them.
func TestElsewhere(t *testing.T) {
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: 2}, Target: unpark.Target{Elsewhere: true}, Seconds: 10, Requests: unpark.Num(10000),
		CPU: facts.CPU{Cores: unpark.Num(2.5), Allowed: unpark.Num(8), Parallel: unpark.Num(8)},
		Window: unpark.Window{Load: &unpark.Load{
			Mode: unpark.Constant, OfferedRPS: 1000, AchievedRPS: 1000, GeneratorCPU: unpark.Num(1.5), Service: unpark.Latency{N: 10000, Mean: 2e-3},
		}},
	}
	m := model.New(ev)
	if m.Allowed != unpark.Num(8) || m.CPUBound() || m.Machine.Known() || m.MachineFull() {
		t.Errorf("allowed %v, used %v, machine %v", m.Allowed, m.Used, m.Machine)
	}
	// Where it does not say, nothing is known of its processors.
	ev.CPU.Allowed, ev.CPU.Parallel = unpark.Number{}, unpark.Number{}
	if m := model.New(ev); m.Allowed.Known() || m.Used.Known() || m.CPUBound() {
		t.Errorf("allowed %v, used %v", m.Allowed, m.Used)
	}
	// Full is full, also there.
	ev.CPU.Allowed = unpark.Num(2.5)
	if l, ok := cpuBound(model.New(ev), nil); !ok || strings.Contains(l.reason.say(model.New(ev)), "generator") {
		t.Errorf("%v, %q", ok, l.reason.say(model.New(ev)))
	}
	ev.Target.Elsewhere = false
	if l, ok := cpuBound(model.New(ev), nil); !ok || !strings.Contains(l.reason.say(model.New(ev)), "generator, on the same cores") {
		t.Errorf("on one machine: %v, %q", ok, l.reason.say(model.New(ev)))
	}
}

// A closed loop takes what it can get: where nothing says how much CPU there is, nothing
// says that it was not all of it. An open one that is kept up with needs no more.
func TestClosedLoopElsewhere(t *testing.T) {
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: 2}, Target: unpark.Target{Elsewhere: true}, Seconds: 10, Requests: unpark.Num(10000),
		CPU:      facts.CPU{Cores: unpark.Num(1.9)},
		Coverage: map[unpark.Kind]facts.KindCoverage{unpark.KindGoroutine: {State: unpark.Present}},
		Window: unpark.Window{Load: &unpark.Load{
			Mode: unpark.Closed, OfferedRPS: 1000, AchievedRPS: 1000, Service: unpark.Latency{N: 10000, Mean: 2e-3},
		}},
	}
	if l := bind(model.New(ev), nil, nil); l.Kind != unpark.LimitUnknown || !strings.Contains(l.Why, "how many cores") {
		t.Errorf("closed: %s, %s", l.Kind, l.Why)
	}
	ev.Window.Load.Mode = unpark.Constant
	if l := bind(model.New(ev), nil, nil); l.Kind != unpark.LimitNone {
		t.Errorf("open: %s, %s", l.Kind, l.Why)
	}
	ev.Window.Load.Mode, ev.CPU.Allowed = unpark.Closed, unpark.Num(2)
	if l := bind(model.New(ev), nil, nil); l.Kind != unpark.LimitCPU {
		t.Errorf("full: %s, %s", l.Kind, l.Why)
	}
}
