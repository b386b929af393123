package investigate

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/judgetest"
)

// TestDrawnVerdictsDoNotContradictThemselves draws evidence of services that there are
// not, with waits, locks, CPU and garbage in any proportion, and judges it.
func TestDrawnVerdictsDoNotContradictThemselves(t *testing.T) {
	draws := 200
	if testing.Short() {
		draws = 60
	}
	limits := map[unpark.LimitKind]int{}
	findings := 0
	for seed := range uint64(draws) {
		d := draw{rand.New(rand.NewPCG(seed, 16))}
		ev := d.evidence()
		run := unpark.Run{Plan: ev.Plan, Windows: []unpark.Window{ev.Window}}
		judge(&run, ev)
		limits[run.Limit.Kind]++
		findings += len(run.Findings)
		for _, what := range judgetest.Contradictions(run) {
			t.Errorf("seed %d: %s", seed, what)
		}
	}
	t.Logf("%d findings; limits %v", findings, limits)
	for _, kind := range []unpark.LimitKind{unpark.LimitCPU, unpark.LimitGC, unpark.LimitLock, unpark.LimitIO, unpark.LimitConnections} {
		if limits[kind] == 0 {
			t.Errorf("no drawn service has the limit %s: the draws see too little", kind)
		}
	}
}

// draw makes up services.
type draw struct{ r *rand.Rand }

// upTo is 0 half of the time, else evenly below a bound.
func (d draw) upTo(most float64) float64 {
	if d.r.IntN(2) == 0 {
		return 0
	}
	return most * d.r.Float64()
}

func (d draw) site() unpark.Site {
	packages := []string{"example.com/app", "example.com/lib", "database/sql", "encoding/json", "net/http"}
	return unpark.Site{
		Function: fmt.Sprintf("%s.f%d", packages[d.r.IntN(len(packages))], d.r.IntN(6)),
		File:     "/src/f.go", Line: 1 + d.r.IntN(50),
	}
}

// stack is a way from a leaf to the server.
func (d draw) stack(leaf ...string) []unpark.Site {
	var out []unpark.Site
	for _, f := range leaf {
		out = append(out, unpark.Site{Function: f, File: "/go/f.go", Line: 1})
	}
	for range 1 + d.r.IntN(4) {
		out = append(out, d.site())
	}
	return append(out, unpark.Site{Function: "example.com/app.(*Server).ServeHTTP", File: "/src/f.go", Line: 9}, unpark.Site{Function: "net/http.(*conn).serve", File: "/go/f.go", Line: 7})
}

func (d draw) evidence() facts.Evidence {
	const seconds, cores = 10.0, 4.0
	mean := 1e-4 * float64(int(1)<<d.r.IntN(10))
	rps := 10 / mean * (0.5 + d.r.Float64())
	mode := unpark.Closed
	if d.r.IntN(3) == 0 {
		mode = unpark.Constant
	}
	latency := unpark.Latency{P50: mean, P90: 1.5 * mean, P95: 2 * mean, P99: 3 * mean, P999: 4 * mean, Max: 6 * mean, Mean: mean, Min: mean / 2, N: int64(rps * seconds)}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	used := 0.1 + (cores-0.1)*d.r.Float64()
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: cores}, Seconds: seconds, Requests: unpark.Num(rps * seconds),
		Plan:     unpark.Plan{Mode: mode, RateRPS: rps, Connections: 10, Requests: []unpark.Request{{URL: "/a"}}},
		Coverage: map[unpark.Kind]facts.KindCoverage{},
		Window: unpark.Window{
			Start: start, End: start.Add(seconds * time.Second), Machine: unpark.Machine{CPUs: cores, Busy: unpark.Num(min(cores, used+0.3))},
			Load: &unpark.Load{
				Mode: mode, Seconds: seconds, OfferedRPS: rps, AchievedRPS: rps, Requests: int64(rps * seconds),
				Response: latency, Service: latency, GeneratorCPU: unpark.Num(0.2), BytesPerResponse: unpark.Num(d.upTo(1e4)), Repeated: unpark.Num(d.r.Float64()),
			},
			Processes: []unpark.Process{{PID: 1, State: "whole", GOMAXPROCS: unpark.Num(cores), Cores: unpark.Num(used)}},
		},
		CPU: facts.CPU{
			Cores: unpark.Num(used), Allowed: unpark.Num(cores), Parallel: unpark.Num(cores), Sampled: unpark.Num(used * seconds),
			RequestPath: unpark.Num(0.8 * used * seconds), Shares: facts.CPUShares{GC: unpark.Num(d.upTo(0.5)), Malloc: unpark.Num(d.upTo(0.25))},
		},
	}
	for _, k := range unpark.Kinds() {
		ev.Coverage[k] = facts.KindCoverage{State: unpark.Present, Files: 1}
	}
	d.work(&ev, 0.8*used*seconds)
	d.waiting(&ev, rps*seconds)
	return ev
}

// work gives the CPU and the garbage to functions.
func (d draw) work(ev *facts.Evidence, cpu float64) {
	ev.CPU.Tree = d.tree(cpu)
	bytes := d.upTo(1e9)
	ev.AllocTree = d.tree(bytes)
	ev.GC.AllocBytes, ev.GC.HeapLive, ev.GC.Cycles = unpark.Num(bytes), unpark.Num(1e6+d.upTo(1e9)), unpark.Num(d.upTo(200))
	for range d.r.IntN(3) {
		id := []facts.SignalID{facts.SignalWrite, facts.SignalRead}[d.r.IntN(2)]
		s := d.stack("syscall.Write")
		ev.Signals = append(ev.Signals, facts.Signal{ID: id, Site: s[1], Leaf: s[0], CPU: d.upTo(cpu / 2), Stack: s})
	}
}

// tree splits a value over functions, each below the one before or beside it.
func (d draw) tree(total float64) facts.Tree {
	root := &facts.Node{Site: unpark.Site{Function: "example.com/app.(*Server).ServeHTTP", File: "/src/f.go", Line: 9}, App: true, Value: total}
	d.branch(root, 4)
	return facts.Tree{Total: total, Roots: []*facts.Node{root}}
}

func (d draw) branch(n *facts.Node, deep int) {
	left := n.Value
	for deep > 0 && left > 0 && d.r.IntN(4) > 0 {
		s := d.site()
		child := &facts.Node{Site: s, App: s.Function[:11] == "example.com", Value: left * d.r.Float64(), Caller: n}
		child.Malloc, child.Kernel = child.Value*d.upTo(0.5), child.Value*d.upTo(0.5)
		left = min(left-child.Value, child.Value)
		n.Calls = append(n.Calls, child)
		d.branch(child, deep-1)
	}
}

// waiting gives requests something to wait for: locks, and anything else.
func (d draw) waiting(ev *facts.Evidence, requests float64) {
	all := 10 * ev.Seconds // connections × time
	for range d.r.IntN(3) {
		wait := all * d.upTo(0.9)
		waiter, holder := d.stack("sync.(*Mutex).Lock"), d.stack("sync.(*Mutex).Unlock")
		ev.Locks = append(ev.Locks, facts.Lock{
			Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: waiter[1], Holder: holder[1], Delay: wait, Released: wait * (0.5 + d.r.Float64()),
			Count: requests * d.r.Float64(), Agreement: unpark.Num(0.5 + d.r.Float64()), Utilization: unpark.Num(d.r.Float64()),
			WaiterAll: waiter, HolderAll: holder,
		})
	}
	for range d.r.IntN(4) {
		class := []unpark.WaitClass{
			unpark.WaitChannel, unpark.WaitSelect, unpark.WaitGroup, unpark.WaitNetwork, unpark.WaitDownstream, unpark.WaitPool,
			unpark.WaitSyscall, unpark.WaitSleep, unpark.WaitRateLimit, unpark.WaitGCAssist,
		}[d.r.IntN(10)]
		s := d.stack("runtime.gopark")
		ev.Waits = append(ev.Waits, facts.Wait{
			Class: class, Side: unpark.RequestPath, Waiter: s[1], Delay: all * d.upTo(0.9), Count: requests, Source: unpark.KindBlock.File(),
			Samples: 16, Stack: s,
		})
	}
}
