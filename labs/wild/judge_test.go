package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func regexps(texts ...string) patterns {
	var p patterns
	for _, t := range texts {
		p = append(p, regexp.MustCompile(t))
	}
	return p
}

func found(class unpark.Class, culprit, site string, remedies ...string) unpark.Finding {
	f := unpark.Finding{Class: class, Culprit: &unpark.Site{Function: culprit}, Site: unpark.Site{Function: site}}
	for _, r := range remedies {
		f.Remedies = append(f.Remedies, unpark.Remedy{Title: r})
	}
	return f
}

func loaded(limit unpark.LimitKind, rps, p99 float64, fs ...unpark.Finding) unpark.Run {
	ranked := slices.Clone(fs)
	for i := range ranked {
		ranked[i].Rank = i + 1
	}
	return unpark.Run{
		Limit: unpark.Limit{Kind: limit}, Findings: ranked,
		Windows: []unpark.Window{{Load: &unpark.Load{AchievedRPS: rps, Response: unpark.Latency{P99: p99}}}},
	}
}

// TestJudge: what counts as right in the first place, among the first three, as a limit,
// as advice, and as a false alarm.
func TestJudge(t *testing.T) {
	f := fault{Name: "a", Expect: expect{Class: []string{"alloc", "cpu"}, Culprit: regexps(`flate\.NewWriter`), Limit: []string{"gc", "cpu"}, Forbid: regexps(`^main\.run$`)}, Remedy: regexps("reset")}
	f.Expect.After.Limit, f.Expect.After.Forbid, f.Expect.After.ForbidClass, f.Expect.After.ForbidRank = []string{"none"}, regexps(`flate\.`), []string{"any"}, 1
	gzip := found(unpark.ClassAlloc, "compress/flate.NewWriter", "main.h", "Update", "Reuse writers with Reset")
	other := found(unpark.ClassCPU, "json.Marshal", "main.h")
	parked := found(unpark.ClassChannel, "main.run", "main.run")
	for _, c := range []struct {
		name, variant             string
		run                       unpark.Run
		top1, top3, limit, advice mark
		alarms                    int
	}{
		{"right", "before", loaded(unpark.LimitGC, 1, 1, gzip, other), right, right, right, right, 0},
		{"second", "before", loaded(unpark.LimitCPU, 1, 1, other, gzip), wrong, right, right, right, 0},
		{"fourth", "before", loaded(unpark.LimitCPU, 1, 1, other, other, other, gzip), wrong, wrong, right, wrong, 0},
		{"another class", "before", loaded(unpark.LimitLock, 1, 1, found(unpark.ClassLock, "compress/flate.NewWriter", "main.h")), wrong, wrong, wrong, wrong, 0},
		{"a worker that is parked", "before", loaded(unpark.LimitCPU, 1, 1, gzip, parked), right, right, right, right, 1},
		{"fixed", "after", loaded(unpark.LimitConnections, 1, 1, other, gzip), notAsked, notAsked, right, notAsked, 0},
		{"told although fixed", "after", loaded(unpark.LimitCPU, 1, 1, gzip), notAsked, notAsked, wrong, notAsked, 1},
	} {
		r := judge(f, c.variant, c.run, nil)
		if r.top1 != c.top1 || r.top3 != c.top3 || r.limit != c.limit || r.advice != c.advice || r.alarms != c.alarms {
			t.Errorf("%s: top 1 %v, top 3 %v, limit %v, advice %v, alarms %d", c.name, r.top1, r.top3, r.limit, r.advice, r.alarms)
		}
	}
	for silent, want := range map[bool]mark{true: right, false: wrong} {
		f.Expect.Silent = silent
		if r := judge(f, "before", loaded(unpark.LimitCPU, 1, 1), nil); r.top1 != want || r.top3 != want || (r.advice == wrong) == silent {
			t.Errorf("silence, which is right %t: %v, %v, advice %v", silent, r.top1, r.top3, r.advice)
		}
		if r := judge(f, "before", loaded(unpark.LimitCPU, 1, 1, other), nil); r.top1 != wrong {
			t.Errorf("something else is told, and silence is right %t: %v", silent, r.top1)
		}
	}
}

// TestForecasts: the promise of the finding that names the culprit is held against what
// the fix did.
func TestForecasts(t *testing.T) {
	f := fault{Name: "a", Expect: expect{Class: []string{"cpu"}, Culprit: regexps("slow")}}
	slow := found(unpark.ClassCPU, "lib.slow", "main.h")
	slow.Prediction = unpark.Prediction{Throughput: unpark.Between(2, 1.5, 3, "ratio", 9), P99: unpark.Between(0.5, 0.2, 0.7, "ratio", 9)}
	before := judge(f, "before", loaded(unpark.LimitCPU, 100, 0.1, slow), nil)
	got := forecasts(before, judge(f, "after", loaded(unpark.LimitCPU, 250, 0.08), nil))
	if len(got) != 2 || !got[0].inside() || got[0].measured != 2.5 || got[1].inside() {
		t.Errorf("%+v", got)
	}
	var out strings.Builder
	tab := table{out: &out, rows: []row{before, judge(f, "after", loaded(unpark.LimitCPU, 250, 0.08), nil)}}
	if err := tab.totals(); err != nil || !strings.Contains(out.String(), "forecasts 1/2, of one end 0/0 · throughput intervals ×2 wide · p99 intervals ×3.5 wide") {
		t.Errorf("%v: %s", err, out.String())
	}
	busy := loaded(unpark.LimitCPU, 250, 0.08)
	busy.Warnings = []unpark.Notice{{Code: "busy-host"}}
	out.Reset()
	tab.rows[1] = judge(f, "after", busy, nil)
	if err := tab.totals(); err != nil || !strings.Contains(out.String(), "forecasts 0/0, of one end 0/0, 2 disturbed\n") {
		t.Errorf("of a machine that was busy: %v: %s", err, out.String())
	}
}

// TestOneEnd: of a promise of one end that end alone counts, and it has no width.
func TestOneEnd(t *testing.T) {
	f := fault{Name: "a", Expect: expect{Class: []string{"cpu"}, Culprit: regexps("slow")}}
	slow := found(unpark.ClassCPU, "lib.slow", "main.h")
	slow.Prediction = unpark.Prediction{
		Throughput: unpark.Quantity{Low: unpark.Num(1.5), Unit: "ratio"}, P99: unpark.Quantity{High: unpark.Num(0.7), Unit: "ratio"},
	}
	before := judge(f, "before", loaded(unpark.LimitCPU, 100, 0.1, slow), nil)
	var out strings.Builder
	var lines strings.Builder
	tab := table{out: &out, ledger: &lines, rows: []row{before, judge(f, "after", loaded(unpark.LimitCPU, 2500, 0.08), nil)}}
	if err := tab.totals(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`"metric":"throughput","said":{"value":null,"unit":"ratio","low":1.5,"high":null,"n":0},"measured":25,"inside":true`, `"metric":"p99","said":{"value":null,"unit":"ratio","low":null,"high":0.7,"n":0},"measured":0.7`} {
		if got := strings.Split(lines.String(), "\n"); len(got) != 3 || !strings.Contains(got[i], want) {
			t.Errorf("ledger: no %s in:\n%s", want, lines.String())
		}
	}
	for _, want := range []string{"×1.5 or more, measured ×25 inside", "×0.7 or less, measured ×0.8 OUTSIDE", "forecasts 0/0, of one end 1/2\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

// TestCases: every case can be read, is a module of its own, says where its fault is documented, names classes
// and limits that there are, and enough of them are reported without having been worked with.
func TestCases(t *testing.T) {
	cases, err := load("cases")
	if err != nil {
		t.Fatal(err)
	}
	classes := []string{"any", "lock", "channel", "cpu", "alloc", "gc", "syscall", "io", "downstream", "pool", "leak", "ratelimit", "recompute", "quota", "network"}
	limits := []string{"lock", "channel", "cpu", "gc", "io", "downstream", "pool", "ratelimit", "quota", "network", "generator", "connections", "none", "unknown", "syscall", "alloc"} // with the words of accepted
	halves, controls := map[string]int{}, 0
	for _, f := range cases {
		halves[f.half()]++
		if f.Kind == "control" {
			controls++
		} else if f.Source == "" || len(f.Expect.Culprit) == 0 || len(f.variants()) != 2 {
			t.Errorf("%s: a fault has a source, a culprit and two variants", f.Name)
		}
		if _, err := os.Stat(filepath.Join(f.dir, "go.mod")); err != nil {
			t.Errorf("%s is no module of its own, and its imports would be the labs' own: %v", f.Name, err)
		}
		for _, c := range slices.Concat(f.Expect.Class, f.Expect.After.ForbidClass) {
			if !slices.Contains(classes, c) {
				t.Errorf("%s: no class %q", f.Name, c)
			}
		}
		for _, l := range slices.Concat(f.Expect.Limit, f.Expect.After.Limit) {
			if !slices.Contains(limits, l) {
				t.Errorf("%s: no limit %q", f.Name, l)
			}
		}
	}
	if len(cases) < 50 || controls < 10 || halves[halfReport] < 20 {
		t.Errorf("%d cases, %d controls, halves %v", len(cases), controls, halves)
	}
}

// TestContradictions: what cannot be true of any service is printed below its run, and counted.
func TestContradictions(t *testing.T) {
	twice := found(unpark.ClassCPU, "lib.slow", "main.h")
	var out strings.Builder
	tab := table{out: &out}
	tab.add(judge(fault{Name: "a"}, "before", loaded(unpark.LimitCPU, 100, 0.1, twice, twice), nil))
	if err := tab.totals(); err != nil || !strings.Contains(out.String(), "  contradiction: ") || !strings.Contains(out.String(), " · 1 contradictions\n") {
		t.Errorf("%v: %s", err, out.String())
	}
}
