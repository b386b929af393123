package compare_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// crowded is arm on a machine of two cores of which other programs and the hypervisor took
// some.
func crowded(rate, others, steal float64, findings ...unpark.Finding) unpark.Run {
	r := arm(rate, 0.1, 0.5, findings...)
	w := &r.Windows[0]
	w.Load.GeneratorCPU = unpark.Num(0.25)
	w.Machine = unpark.Machine{CPUs: 2, Busy: unpark.Num(0.75 + others), Steal: unpark.Num(steal)}
	return r
}

// TestDisturbed: a run that shared the machine with other programs says nothing of times,
// however large the change; bytes are compared.
func TestDisturbed(t *testing.T) {
	unknown := func(change func(*unpark.Window)) unpark.Run {
		r := crowded(450, 0.9, 0)
		change(&r.Windows[0])
		return r
	}
	for _, c := range []struct {
		name          string
		before, after unpark.Run
		want          []string
	}{
		{"quiet", crowded(450, 0.02, 0), crowded(1700, 0.02, 0), nil},
		{"just quiet", crowded(450, 0.19, 0), crowded(1700, 0.1, 0.09), nil},
		{"before", crowded(450, 0.21, 0), crowded(1700, 0, 0), []string{"neighbours"}},
		{"after", crowded(450, 0, 0), crowded(1700, 1.1, 0), []string{"neighbours"}},
		{"stolen", crowded(450, 0, 0), crowded(1700, 0.1, 0.11), []string{"neighbours"}},
		{"both", crowded(450, 1, 0), crowded(1700, 1, 0), []string{"neighbours", "neighbours"}},
		{"a machine that is not known", unknown(func(w *unpark.Window) { w.Machine.Busy = unpark.Number{} }), crowded(1700, 0, 0), nil},
		{"a process that is not known", unknown(func(w *unpark.Window) { w.Processes[0].Cores = unpark.Number{} }), crowded(1700, 0, 0), nil},
		{"a generator that is not known", unknown(func(w *unpark.Window) { w.Load.GeneratorCPU = unpark.Number{} }), crowded(1700, 0, 0), nil},
	} {
		got := compare.Runs(c.before, c.after)
		if !slices.Equal(codes(got.NotComparable), c.want) {
			t.Errorf("%s: %v, want %v", c.name, codes(got.NotComparable), c.want)
		}
		said := verdicts(got)
		if silent := len(c.want) > 0; silent != (said["throughput"] == "unknown") || silent != strings.HasPrefix(got.Why, "times are not compared: ") {
			t.Errorf("%s: throughput %s, %q", c.name, said["throughput"], got.Why)
		}
		for _, n := range got.NotComparable {
			if n.Cure == "" || !strings.Contains(n.Message, " of 2 cores (") {
				t.Errorf("%s: %+v", c.name, n)
			}
		}
	}
}

// TestTimesWithoutVerdict: where times cannot be compared no metric of time has a ratio
// or a verdict, no forecast is judged and nothing is said of findings but allocation.
func TestTimesWithoutVerdict(t *testing.T) {
	went := promising(finding("lock", "a.Get", 10, 0.08), ratio(1.5, 1.3, 1.7), ratio(0.1, 0.05, 0.2))
	elsewhere := crowded(1700, 0, 0, finding("lock", "a.Put", 10, 0.01), finding("io", "a.Sync", 1, 0.01))
	elsewhere.Host.Model = "another"
	for name, after := range map[string]unpark.Run{
		"neighbours": crowded(1700, 0.9, 0, finding("lock", "a.Put", 10, 0.01), finding("io", "a.Sync", 1, 0.01)), "different-hosts": elsewhere,
	} {
		got := compare.Runs(crowded(450, 0, 0, went, finding("lock", "a.Put", 10, 0.04), finding("alloc", "a.copy", 10, 0.04)), after)
		for _, e := range got.Effects {
			times := e.Metric != "bytes_per_request"
			if _, floor := got.Floor[e.Metric]; times != (e.Verdict == "unknown") || times == e.Ratio.Known() || times == floor || !e.Before.Known() {
				t.Errorf("%s: %+v", name, e)
			}
		}
		var found []string
		for _, f := range got.Findings {
			found = append(found, f.Site.Function+" "+f.Change)
		}
		if !slices.Equal(found, []string{"a.Get unknown", "a.Put unknown", "a.copy gone", "a.Sync unknown"}) || len(got.Forecast) != 0 || !slices.Equal(codes(got.NotComparable), []string{name}) {
			t.Errorf("%s: %v, %v, %v", name, found, got.Forecast, codes(got.NotComparable))
		}
	}
}

// TestWaitingOfAWin: three times the throughput with half of the waiting for each
// request has more waiters at a time, and is better.
func TestWaitingOfAWin(t *testing.T) {
	waits := func(rate, each float64) unpark.Run {
		r := arm(rate, 0.1, rate/450)
		r.Blocking = &unpark.Blocking{Waiters: unpark.Measured(rate*each, "waiters", 99), PerRequest: unpark.Measured(each, "s/req", 99)}
		return r
	}
	for _, c := range []struct {
		name        string
		rate, each  float64
		wait, total string
	}{
		{"a win", 3 * 450, 0.004, "better", "unknown"},
		{"the same throughput", 450, 0.004, "better", "better"},
		{"more waiting", 450, 0.03, "worse", "worse"},
		{"more waiting of more requests", 3 * 450, 0.03, "worse", "unknown"},
		{"as much for each", 3 * 450, 0.01, "same", "unknown"},
		{"nothing to tell apart", 450, 19e-6, "better", "better"},
	} {
		got := verdicts(compare.Runs(waits(450, 0.01), waits(c.rate, c.each)))
		if got["wait_per_request"] != c.wait || got["mean_waiters"] != c.total {
			t.Errorf("%s: per request %s, at a time %s, want %s and %s", c.name, got["wait_per_request"], got["mean_waiters"], c.wait, c.total)
		}
	}
	if got := verdicts(compare.Runs(waits(450, 1e-9), waits(450, 19e-6))); got["wait_per_request"] != "same" {
		t.Errorf("19 µs where there was nothing: %v", got)
	}
}

// quietest are the recorded rounds that no other program disturbed, by service and load.
func quietest(t *testing.T) map[string][]compare.Sample {
	out := map[string][]compare.Sample{}
	for _, file := range []string{"testdata/rounds.json", "testdata/speed.json"} {
		for name, rounds := range recordings(t, file) {
			for _, r := range rounds {
				if r.Others <= 0.1*2 { // cores; speed.json was recorded on a machine without others
					out[file+" "+name] = append(out[file+" "+name], r.Before, r.After)
				}
			}
		}
	}
	return out
}

// TestOneRoundFloor: the floor of single runs is what the recorded identical runs say:
// of any two of one service, all services counting alike, one in twenty differs by
// more, and no metric's floor is more than half as much again as that takes.
func TestOneRoundFloor(t *testing.T) {
	all := quietest(t)
	runs := 0
	for _, samples := range all {
		runs += len(samples)
	}
	same := compare.Runs(arm(450, 0.1, 1), arm(450, 0.1, 1))
	if n := same.Floor["throughput"].N; n != int64(runs) || len(same.Floor) != len(same.Effects) {
		t.Errorf("the floor of %d metrics rests on %d runs, %d of %d are recorded", len(same.Floor), n, runs, len(same.Effects))
	}
	for metric, least := range map[string]float64{"throughput": 0, "p50": 0, "p99": 0, "cpu_per_request": 0, "bytes_per_request": 128, "wait_per_request": 20e-6} {
		floor := same.Floor[metric].Value.Or(0)
		beyond := func(floor float64) float64 { return share(all, metric, least, floor) }
		t.Logf("%s: floor %.0f %%, %.1f %% of pairs are beyond", metric, 100*floor, 100*beyond(floor))
		if beyond(floor) > 0.05 {
			t.Errorf("%s: %.1f %% of pairs of identical runs differ by more than the floor of %.0f %%", metric, 100*beyond(floor), 100*floor)
		}
		// What is too little to tell apart in most services tells of few of them.
		if metric != "bytes_per_request" && metric != "wait_per_request" && beyond(floor/1.5) <= 0.05 {
			t.Errorf("%s: the floor of %.0f %% could be a third lower", metric, 100*floor)
		}
	}
}

// share is how many pairs of runs of one service differ by more than a floor, services
// counting alike.
func share(all map[string][]compare.Sample, metric string, least, floor float64) float64 {
	sum, services := 0.0, 0.0
	for _, samples := range all {
		pairs, beyond := 0.0, 0.0
		for i, a := range samples {
			for _, b := range samples[:i] {
				x, y := figure(a, metric, least), figure(b, metric, least)
				if x > 0 && y > 0 {
					pairs++
					if math.Max(x/y, y/x) > 1+floor {
						beyond++
					}
				}
			}
		}
		if pairs > 0 {
			sum, services = sum+beyond/pairs, services+1
		}
	}
	return sum / services
}

func figure(s compare.Sample, metric string, least float64) float64 {
	if v, ok := s["mean_waiters"]; ok && metric == "wait_per_request" {
		return math.Max(v/s["throughput"], least)
	}
	if v, ok := s[metric]; ok {
		return math.Max(v, least)
	}
	return 0
}
