package diagnose_test

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/facts/factstest"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// observed is a service in which one function computes, of a tenth of a core and ten
// requests a second, while 0.2 cores more are the observer's.
func observed(mode unpark.Mode) facts.Evidence {
	ev := calm()
	ev.Requests, ev.Window.Load.Requests = unpark.Num(100), 100
	ev.Window.Load.AchievedRPS, ev.Window.Load.OfferedRPS = 10, 10
	ev.Window.Load.Mode, ev.Plan.Mode = mode, mode
	ev.CPU.Cores, ev.CPU.Service = unpark.Num(0.3), unpark.Num(0.1)
	ev.CPU.Sampled, ev.CPU.Observer, ev.CPU.RequestPath = unpark.Num(1), unpark.Num(2), unpark.Num(1)
	ev.CPU.Sites = []facts.CPUSite{{Site: fn("app.sum"), Side: unpark.RequestPath, Self: 1, Cum: 1, Stack: stack("app.sum", "net/http.(*conn).serve")}}
	return factstest.Plant(ev)
}

// TestCostsLeaveTheObserverOut: shares of the profile are of the service's own cores.
func TestCostsLeaveTheObserverOut(t *testing.T) {
	_, findings, _ := diagnose.Verdict(observed(unpark.Constant), nil)
	cpu := of(unpark.ClassCPU, findings)
	if len(cpu) != 1 || math.Abs(cpu[0].Cost.CPUPerRequest.Value.Or(0)-0.01) > 1e-9 || math.Abs(cpu[0].Cost.Cores.Value.Or(0)-0.1) > 1e-9 {
		t.Fatalf("%+v, want 10 ms a request and 0.1 cores", cpu)
	}
}

// TestCeilingLeavesTheObserverOut: the cores that a capture takes are there without it.
func TestCeilingLeavesTheObserverOut(t *testing.T) {
	for _, c := range []struct {
		name           string
		mode           unpark.Mode
		cores, service float64
		limit          unpark.LimitKind
		ceiling        float64
		says           string
	}{
		{"a rate that is kept, and a capture that fills the cores", unpark.Constant, 2.9, 1.5, unpark.LimitNone, 2000, "1.5 of 3 cores"},
		{"a rate that is kept by a service that is full", unpark.Constant, 3, 2.7, unpark.LimitCPU, 1000 / 0.9, ""},
		{"a closed loop takes what there is", unpark.Closed, 3, 2.4, unpark.LimitCPU, 1000 / 0.8, "0.6 of them for being captured"},
		{"a closed loop, hardly observed", unpark.Closed, 3, 2.9, unpark.LimitCPU, 3000 / 2.9, "uses 3 of the 3 cores it may use, "},
	} {
		ev := calm()
		ev.Window.Load.Mode, ev.Plan.Mode = c.mode, c.mode
		ev.CPU.Cores, ev.CPU.Service = unpark.Num(c.cores), unpark.Num(c.service)
		ev.CPU.Sampled, ev.CPU.Sites = unpark.Num(10*c.service), nil
		ev.Window.Machine.Busy = unpark.Num(c.cores + 0.2)
		limit, _, _ := diagnose.Verdict(ev, nil)
		if limit.Kind != c.limit || math.Abs(limit.Ceiling.Value.Or(0)-c.ceiling) > 1e-6 || !strings.Contains(limit.Why, c.says) {
			t.Errorf("%s: %s at %v req/s, want %s at %v: %s", c.name, limit.Kind, limit.Ceiling.Value, c.limit, c.ceiling, limit.Why)
		}
	}
}

// TestCostsLeaveOutWhatItAsks: no profile is of a process that the service asks, so shares are
// of the rest; the limit counts all that they use, and says whose it is.
func TestCostsLeaveOutWhatItAsks(t *testing.T) {
	ev := observed(unpark.Closed)
	ev.CPU.Cores, ev.CPU.Service, ev.CPU.Observer = unpark.Num(3), unpark.Number{}, unpark.Number{}
	ev.Window.Processes = []unpark.Process{{PID: 10, Cores: unpark.Num(2)}, {PID: 11, Cores: unpark.Num(1)}}
	ev.Window.Profiles, ev.Window.Peers = []unpark.ProfileFile{{PID: 10}}, []unpark.Peer{{PID: 11, Self: true}}
	ev.Window.Machine.Busy = unpark.Num(3.2)
	limit, findings, _ := diagnose.Verdict(factstest.Plant(ev), nil)
	if cpu := of(unpark.ClassCPU, findings); len(cpu) != 1 || math.Abs(cpu[0].Cost.Cores.Value.Or(0)-2) > 1e-9 {
		t.Errorf("%+v, want 2 cores", cpu)
	}
	if want := "1 of it in what it asks here (pid 11, without a profile)"; limit.Kind != unpark.LimitCPU || !strings.Contains(limit.Why, want) {
		t.Errorf("%s: %s, want %s", limit.Kind, limit.Why, want)
	}
}
