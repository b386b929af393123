package across_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/across"
	"github.com/unpark-go/unpark/internal/judge/model"
)

func at(function string) unpark.Site { return unpark.Site{Function: function, File: "app.go", Line: 7} }

// pair is checkout, whose requests take 20 ms and wait 15 ms for inventory, and inventory.
func pair() (caller, callee across.Side) {
	load := &unpark.Load{
		Mode: unpark.Closed, Seconds: 10, AchievedRPS: 400, OfferedRPS: 400, Requests: 4000,
		Response: unpark.Latency{Mean: 0.02, P50: 0.02, P90: 0.03, P99: 0.05, Max: 0.06, N: 4000},
		Service:  unpark.Latency{Mean: 0.02, P50: 0.02, P90: 0.03, P99: 0.05, Max: 0.06, N: 4000},
	}
	ask := at("shop.(*Client).Stock")
	caller = across.Side{Name: "checkout", Ev: facts.Evidence{
		Seconds: 10, Requests: unpark.Num(4000), CPU: facts.CPU{Cores: unpark.Num(0.2), Allowed: unpark.Num(2), Sampled: unpark.Num(2)},
		Window: unpark.Window{Load: load, Processes: []unpark.Process{{PID: 10}}, Peers: []unpark.Peer{{Address: "127.0.0.1:9", Connections: 8, PID: 20}}},
		Waits:  []facts.Wait{{Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: ask, Delay: 60, Count: 4000, Stack: []unpark.Site{ask}, Source: "block.pb.gz"}},
		Tracing: &unpark.Tracing{
			Requests: 400, Seconds: 1, Wall: unpark.Latency{Mean: 0.02, N: 400}, Tail: unpark.Cohort{N: 20, Mean: 0.05}, Middle: unpark.Cohort{N: 40, Mean: 0.02},
			States: []unpark.StateTime{{Class: unpark.WaitDownstream, All: 0.015, Tail: 0.045, Middle: 0.015}},
		},
	}}
	get := at("stock.(*Cache).Get")
	callee = across.Side{Name: "inventory", Ev: facts.Evidence{
		Seconds: 10, CPU: facts.CPU{Cores: unpark.Num(0.3), Allowed: unpark.Num(2)},
		Window: unpark.Window{Processes: []unpark.Process{{PID: 20}}, Clients: []unpark.Peer{{Address: "127.0.0.1:9", Connections: 8, PID: 10}}},
		Tracing: &unpark.Tracing{
			Requests: 400, Seconds: 1, Wall: unpark.Latency{Mean: 0.014, P50: 0.014, N: 400}, Tail: unpark.Cohort{N: 20, Mean: 0.04}, Middle: unpark.Cohort{N: 40, Mean: 0.014},
			Edges: []unpark.Edge{{Class: unpark.WaitLock, Waiter: get, Tail: 0.03, Share: unpark.Num(0.75)}},
		},
	}}
	return caller, callee
}

// TestJoin: what a service does is its caller's where all its connections are, and where the caller
// waits as long as the answers take; else it is said why not.
func TestJoin(t *testing.T) {
	for name, c := range map[string]struct {
		change func(caller, callee *across.Side)
		unsure string
		share  float64
	}{
		"sure": {func(_, _ *across.Side) {}, "", 0.75},
		"others ask too": {func(_, b *across.Side) {
			b.Ev.Window.Clients = append(b.Ev.Window.Clients, unpark.Peer{PID: 30, Connections: 8})
		}, "8 of the 16 connections", 0.75},
		"one of a hundred": {func(_, b *across.Side) {
			b.Ev.Window.Clients[0].Connections = 99
			b.Ev.Window.Clients = append(b.Ev.Window.Clients, unpark.Peer{PID: 30, Connections: 1})
		}, "", 0.75},
		"not asked":     {func(_, b *across.Side) { b.Ev.Window.Clients[0].PID = 30 }, "checkout has no connection to inventory", 0.75},
		"not seen":      {func(_, b *across.Side) { b.Ev.Window.Clients = nil }, "is not known", 0.75},
		"calls overlap": {func(_, b *across.Side) { b.Ev.Tracing.Requests = 1600 }, "calls overlap", 0.75},
		"no wait":       {func(a, _ *across.Side) { a.Ev.Tracing.States = nil }, "no request of checkout", 0.75},
		"another peer": {func(a, _ *across.Side) {
			a.Ev.Window.Peers = append(a.Ev.Window.Peers, unpark.Peer{PID: 99, Connections: 4})
		}, "", 0.7},
		"no trace": {func(a, b *across.Side) { a.Ev.Tracing, b.Ev.Tracing = nil, nil }, "", 0.75},
	} {
		caller, callee := pair()
		c.change(&caller, &callee)
		j := across.Join(caller, callee)
		if j.How != unpark.ByConnections || c.unsure == "" && j.Unsure != "" || !strings.Contains(j.Unsure, c.unsure) {
			t.Errorf("%s: %q", name, j.Unsure)
		}
		if v := j.Share.Or(0); v < c.share-0.01 || v > c.share+0.01 {
			t.Errorf("%s: share %.3f, want %.2f", name, v, c.share)
		}
	}
	caller, callee := pair()
	j := across.Join(caller, callee)
	if v := j.Tail.Or(0); v < 0.89 || v > 0.91 || len(j.Causes) != 1 || j.Causes[0].Share.Or(0) < 0.67 || j.Causes[0].Share.Or(0) > 0.68 {
		t.Errorf("tail %v, causes %+v", j.Tail, j.Causes)
	}
}

// TestFelt: requests and response times are the caller's, waits and locks the callee's, and what a
// trace says of one request is multiplied by the calls.
func TestFelt(t *testing.T) {
	caller, callee := pair()
	callee.Ev.Tracing.Requests = 800
	callee.Ev.Tracing.Wall.Mean = 0.007
	callee.Ev.Waits = []facts.Wait{{Class: unpark.WaitChannel, Side: unpark.RequestPath, Waiter: at("stock.wait"), Delay: 40, Count: 4000, Source: "block.pb.gz"}}
	before := callee.Ev.Tracing.Edges[0].Tail
	j := across.Join(caller, callee)
	ev := across.Felt(callee.Ev, caller.Ev, j)
	m := model.New(ev)
	if m.Requests != 4000 || m.Mean != 0.02 || m.RPS != 400 || m.Along != 0.2 {
		t.Errorf("requests %v, mean %v, rate %v, along %v", m.Requests, m.Mean, m.RPS, m.Along)
	}
	if e := ev.Tracing.Edges[0]; e.Tail < 0.0599 || e.Tail > 0.0601 {
		t.Errorf("two calls a request: the edge has %v", e.Tail)
	}
	if callee.Ev.Tracing.Edges[0].Tail != before {
		t.Error("the argument was changed")
	}
	caller.Ev.Waits = append(caller.Ev.Waits, facts.Wait{Class: unpark.WaitSleep, Side: unpark.RequestPath, Waiter: at("shop.bill"), Delay: 8, Count: 4000})
	if whole := across.Whole(ev, caller.Ev); len(whole.Waits) != 2 || whole.Waits[1].Class != unpark.WaitSleep || len(ev.Waits) != 1 {
		t.Errorf("the whole waits for %+v", whole.Waits)
	}
	if own := across.Along(caller.Ev, callee.Ev); own.Along != 0.3 {
		t.Errorf("beside it %v cores", own.Along)
	}
}

// TestMatch: requests with the same trace are one; too few of them leave the join as it was, and
// what is not the run's makes it unsure.
func TestMatch(t *testing.T) {
	get := at("stock.(*Cache).Get")
	requests := func(n int, wall, inside float64) (caller, callee []across.Request) {
		for i := range n {
			slow := 1.0
			if i%100 == 0 {
				slow = 5
			}
			id := fmt.Sprint(i)
			caller = append(caller, across.Request{Trace: id, Wall: slow * wall})
			callee = append(callee, across.Request{Trace: id, Wall: slow * inside, States: []across.State{
				{Class: unpark.WaitLock, Site: get, Time: slow * inside * 0.9}, {Class: unpark.Running, Time: slow * inside * 0.1},
			}})
		}
		return caller, callee
	}
	left := unpark.Join{How: unpark.ByConnections, Unsure: "others ask it"}
	caller, callee := requests(1000, 0.02, 0.015)
	j := across.Match(caller, callee, "inventory", left)
	if j.How != unpark.ByTraceparent || j.Unsure != "" || j.Calls.Value.Or(0) != 1 || j.Calls.N != 1000 {
		t.Errorf("%+v", j)
	}
	if v := j.Tail.Or(0); v < 0.74 || v > 0.76 || len(j.Causes) != 2 || j.Causes[0].Site != get || j.Causes[0].Share.Or(0) < 0.67 {
		t.Errorf("tail %v, causes %+v", j.Tail, j.Causes)
	}
	if j := across.Match(caller[:50], callee, "inventory", left); j.How != left.How || j.Unsure != left.Unsure {
		t.Errorf("fifty are too few: %+v", j)
	}
	for i := range callee[:200] {
		callee[i].Trace = ""
	}
	if j := across.Match(caller, callee, "inventory", left); !strings.Contains(j.Unsure, "is not of the run's") {
		t.Errorf("a fifth is of others: %q", j.Unsure)
	}
	caller, callee = requests(1000, 0.005, 0.015)
	if j := across.Match(caller, callee, "inventory", left); !strings.Contains(j.Unsure, "at the same time") {
		t.Errorf("longer than the request: %q", j.Unsure)
	}
}

// TestLead: what binds in the service that is asked binds the run where the caller only waits; its
// findings are called by its name, and take the place of the wait where they are worth something.
func TestLead(t *testing.T) {
	wait := unpark.Finding{Class: unpark.ClassDownstream, Title: "Requests wait for another service"}
	own := unpark.Finding{Class: unpark.ClassLock, Title: "a lock of its own"}
	lock := unpark.Finding{Class: unpark.ClassLock, Title: "Requests queue for the lock"}
	lock.Prediction.Throughput, lock.Prediction.P99 = unpark.Measured(2, "ratio", 9), unpark.Measured(0.5, "ratio", 9)
	nothing := lock
	nothing.Prediction.Throughput, nothing.Prediction.P99 = unpark.Measured(1, "ratio", 9), unpark.Measured(1, "ratio", 9)
	verdict := func(kind unpark.LimitKind, unsure string, fs ...unpark.Finding) across.Verdict {
		return across.Verdict{Service: unpark.Service{Name: "inventory", Limit: unpark.Limit{Kind: kind}, Join: unpark.Join{How: unpark.ByConnections, Unsure: unsure, Share: unpark.Num(0.7)}}, Findings: fs, Cores: 1}
	}
	for name, c := range map[string]struct {
		limit   unpark.LimitKind
		v       across.Verdict
		in      string // service of the limit
		classes []unpark.Class
	}{
		"its lock":           {unpark.LimitDownstream, verdict(unpark.LimitLock, "", lock), "inventory", []unpark.Class{unpark.ClassLock, unpark.ClassLock}},
		"the caller's own":   {unpark.LimitLock, verdict(unpark.LimitLock, "", nothing), "", []unpark.Class{unpark.ClassDownstream, unpark.ClassLock, unpark.ClassLock}},
		"healthy":            {unpark.LimitDownstream, verdict(unpark.LimitNone, ""), "", []unpark.Class{unpark.ClassDownstream, unpark.ClassLock}},
		"not sure":           {unpark.LimitDownstream, verdict(unpark.LimitLock, "others ask it", lock), "", []unpark.Class{unpark.ClassDownstream, unpark.ClassLock, unpark.ClassLock}},
		"the processors":     {unpark.LimitCPU, verdict(unpark.LimitCPU, "", lock), "inventory", []unpark.Class{unpark.ClassLock, unpark.ClassLock}},
		"of both, its fewer": {unpark.LimitCPU, func() across.Verdict { v := verdict(unpark.LimitCPU, "", nothing); v.Cores = 0.1; return v }(), "", []unpark.Class{unpark.ClassDownstream, unpark.ClassLock, unpark.ClassLock}},
	} {
		limit, fs := across.Lead("checkout", unpark.Limit{Kind: c.limit}, []unpark.Finding{wait, own}, 0.5, c.v)
		var classes []unpark.Class
		for _, f := range fs {
			classes = append(classes, f.Class)
			if named := strings.HasPrefix(f.Title, "inventory: "); named != (f.Service == "inventory") || named && len(f.Facts) == 0 {
				t.Errorf("%s: %q of %q, facts %v", name, f.Title, f.Service, f.Facts)
			}
		}
		if limit.Service != c.in || fmt.Sprint(classes) != fmt.Sprint(c.classes) {
			t.Errorf("%s: limit in %q, findings %v", name, limit.Service, classes)
		}
	}
}
