package diagnose_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// group is goroutines of one stack over the snapshots.
func group(name string, idle, connection bool, series ...float64) facts.GoroutineGroup {
	return facts.GoroutineGroup{
		Class: unpark.WaitChannel, Side: unpark.Background, Idle: idle, Connection: connection, Site: fn(name),
		First: series[0], Last: series[len(series)-1], Mean: series[len(series)/2], Snapshots: len(series), Series: series, Stack: stack(name),
	}
}

// TestLeakTakesTwoSignals: growth in the dumps and by the runtime's own count, each for
// certain.
func TestLeakTakesTwoSignals(t *testing.T) {
	grows := group("app.forgotten", true, false, 100, 200, 300, 400, 500, 600)
	conns := group("net/http.(*conn).serve", true, true, 100, 200, 300, 400, 500, 600)
	counted := func(from, to float64) []unpark.Process {
		return []unpark.Process{{PID: 1, State: "whole", GOMAXPROCS: unpark.Num(2), Metrics: unpark.Metrics{GoroutineStart: unpark.Num(from), GoroutineEnd: unpark.Num(to)}}}
	}
	for _, c := range []struct {
		name      string
		groups    []facts.GoroutineGroup
		processes []unpark.Process
		leak      bool
		unproven  bool
	}{
		{"both grow", []facts.GoroutineGroup{grows}, counted(110, 620), true, false},
		{"a shell started it", []facts.GoroutineGroup{grows}, append(counted(110, 620), unpark.Process{PID: 2, Cores: unpark.Num(0)}), true, false},
		{"the dumps alone, one left behind by each third request", []facts.GoroutineGroup{group("app.forgotten", true, false, 100, 800, 1500, 2200, 2900, 3600)}, []unpark.Process{{PID: 1, Cores: unpark.Num(0.5)}}, true, false},
		{"the dumps alone, without a probe", []facts.GoroutineGroup{grows}, []unpark.Process{{PID: 1, Cores: unpark.Num(0.5)}}, false, true},
		{"one of two processes does not say", []facts.GoroutineGroup{grows}, append(counted(110, 620), unpark.Process{PID: 2, GOMAXPROCS: unpark.Num(2)}), false, true},
		{"the runtime's count stays", []facts.GoroutineGroup{grows}, counted(600, 602), false, true},
		{"the runtime's count falls", []facts.GoroutineGroup{grows}, counted(700, 600), false, true},
		{"the runtime's count grows, the dumps show none", []facts.GoroutineGroup{group("app.work", true, false, 100, 101, 99, 100, 101, 100)}, counted(110, 620), false, false},
		{"idle connections", []facts.GoroutineGroup{conns}, counted(110, 620), false, false},
		{"idle connections are what the runtime counts more of", []facts.GoroutineGroup{grows, conns}, counted(210, 720), false, true},
		{"both, beside idle connections", []facts.GoroutineGroup{grows, conns}, counted(210, 1240), true, false},
		{"chance", []facts.GoroutineGroup{group("app.work", false, false, 10, 90, 91, 92, 93, 24)}, counted(110, 620), false, false},
		{"it grows by less than it varies", []facts.GoroutineGroup{
			group("app.forgotten", true, false, 10, 13, 16, 19, 22, 25),
			group("app.handle", false, false, 900, 300, 800, 100, 700, 400),
		}, counted(500, 520), false, true},
	} {
		ev := calm()
		ev.Goroutines, ev.Window.Processes = c.groups, c.processes
		_, findings, notices := diagnose.Verdict(ev, nil)
		leaks := of(unpark.ClassLeak, findings)
		unproven := false
		for _, n := range notices {
			unproven = unproven || n.Code == "leak-unproven"
		}
		if len(leaks) > 0 != c.leak || unproven != c.unproven {
			t.Errorf("%s: %d leaks, unproven %v, want %v, %v", c.name, len(leaks), unproven, c.leak, c.unproven)
			continue
		}
		if c.leak {
			if q := leaks[0].Cost.GrowthPerSecond; q.Low.Or(-1) <= 0 || leaks[0].Site.Function != "app.forgotten" {
				t.Errorf("%s: %+v", c.name, leaks[0])
			}
		}
	}
}
