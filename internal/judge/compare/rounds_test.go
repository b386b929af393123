package compare_test

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// noisy returns n rounds of a service whose figures vary by sd (of the logarithm) in
// each arm, the arm after changed by the factors of change.
func noisy(random *rand.Rand, n int, sd float64, change compare.Sample) []compare.Pair {
	base := compare.Sample{"throughput": 480, "p50": 0.004, "p99": 0.02, "cpu_per_request": 0.002, "bytes_per_request": 20000, "mean_waiters": 2}
	out := make([]compare.Pair, n)
	for i := range out {
		out[i] = compare.Pair{Before: compare.Sample{}, After: compare.Sample{}}
		// In a fixed order: the draws of a seed must not depend on the map's.
		for _, m := range slices.Sorted(maps.Keys(base)) {
			by, ok := change[m]
			if !ok {
				by = 1
			}
			out[i].Before[m] = base[m] * math.Exp(sd*random.NormFloat64())
			out[i].After[m] = base[m] * by * math.Exp(sd*random.NormFloat64())
		}
	}
	return out
}

func judged(pairs, identical []compare.Pair) unpark.Comparison {
	return compare.Rounds(pairs, identical, unpark.Run{}, unpark.Run{}, compare.Options{})
}

func TestRounds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 14))
	identical := noisy(random, 4, 0.02, nil)
	c := judged(noisy(random, 14, 0.02, compare.Sample{"throughput": 1.5, "cpu_per_request": 0.8, "p99": 1.4}), identical)
	want := map[string]string{
		"throughput": "better", "p50": "same", "p99": "worse",
		"cpu_per_request": "better", "bytes_per_request": "same", "wait_per_request": "better", "mean_waiters": "unknown",
	}
	if got := verdicts(c); !maps.Equal(got, want) {
		t.Errorf("verdicts %v, want %v", got, want)
	}
	for _, e := range c.Effects {
		truth := map[string]float64{"throughput": 1.5, "cpu_per_request": 0.8, "p99": 1.4, "wait_per_request": 1 / 1.5}[e.Metric]
		if truth == 0 {
			truth = 1
		}
		v, low, high := e.Ratio.Value.Or(0), e.Ratio.Low.Or(9), e.Ratio.High.Or(0)
		if math.Abs(v/truth-1) > 0.03 || low > v || high < v || high/low > 1.06 || e.Ratio.N != 14 {
			t.Errorf("%s: ratio %v (%v to %v), %d rounds, want about %v", e.Metric, v, low, high, e.Ratio.N, truth)
		}
		if got := e.After.Value.Or(0) / e.Before.Value.Or(1); math.Abs(got/v-1) > 1e-9 {
			t.Errorf("%s: the figures %v and %v have the ratio %v, %v is reported", e.Metric, e.Before.Value, e.After.Value, got, v)
		}
		if p := e.P.Or(-1); p < 0 || p > 1 || (e.Verdict == "better" || e.Verdict == "worse") != (p <= 0.01) {
			t.Errorf("%s: %s with p %v", e.Metric, e.Verdict, p)
		}
		if f, ok := c.Floor[e.Metric]; !ok || !f.Contains(f.Value.Or(0)) || f.Value.Or(0) < 0.005 || f.Value.Or(1) > 0.05 {
			t.Errorf("%s: floor %+v", e.Metric, f)
		}
	}
	if c.Schema != unpark.SchemaAB || c.Rounds != 14 || len(c.Warnings) != 0 || c.Limits != nil || c.Findings == nil {
		t.Errorf("%+v", c)
	}
}

// TestTooFewRounds: five rounds that all agree on a large change are no proof at 1 %,
// and the comparison says how many are.
func TestTooFewRounds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	clear := compare.Sample{"throughput": 2, "p50": 0.5, "p99": 0.5, "cpu_per_request": 0.5, "bytes_per_request": 0.5, "mean_waiters": 0.5}
	for _, c := range []struct {
		rounds  int
		code    string
		verdict string // of the throughput
	}{{1, "too-few-rounds", "same"}, {5, "too-few-rounds", "same"}, {7, "too-few-rounds", "same"}, {8, "few-rounds", "better"}, {11, "", "better"}} {
		got := judged(noisy(random, c.rounds, 0.01, clear), noisy(random, 3, 0.01, nil))
		if v := verdicts(got)["throughput"]; v != c.verdict {
			t.Errorf("%d rounds: throughput %s, want %s", c.rounds, v, c.verdict)
		}
		if has := codes(got.Warnings); c.code != "" && !slices.Contains(has, c.code) || c.code == "" && len(has) > 0 {
			t.Errorf("%d rounds: warnings %v, want %q", c.rounds, has, c.code)
		}
		if c.rounds == 1 && !strings.HasPrefix(got.Warnings[0].Message, "1 round cannot") {
			t.Errorf("one round: %q", got.Warnings[0].Message)
		}
		if c.code == "too-few-rounds" && (!strings.Contains(got.Warnings[0].Cure, "11 rounds") || !strings.Contains(got.Why, "cannot tell")) {
			t.Errorf("%d rounds: cure %q, why %q", c.rounds, got.Warnings[0].Cure, got.Why)
		}
	}
	if c := judged(nil, nil); c.Rounds != 0 || len(c.Effects) != 0 {
		t.Errorf("no rounds: %+v", c)
	}
}

// TestFloor: a change that every round agrees on is still none when identical arms
// of this host differ as much.
func TestFloor(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	change := compare.Sample{"cpu_per_request": 1.02}
	pairs := noisy(random, 16, 0.002, change)
	if v := verdicts(judged(pairs, noisy(random, 5, 0.002, nil)))["cpu_per_request"]; v != "worse" {
		t.Errorf("+2 %% on a quiet host: %s", v)
	}
	loud := judged(pairs, noisy(random, 5, 0.1, nil))
	e := loud.Effects[slices.IndexFunc(loud.Effects, func(e unpark.Effect) bool { return e.Metric == "cpu_per_request" })]
	if e.Verdict != "same" || e.P.Or(1) > 0.01 || loud.Floor["cpu_per_request"].Value.Or(0) < 0.02 {
		t.Errorf("+2 %% where identical arms differ by 14 %%: %+v, floor %+v", e, loud.Floor["cpu_per_request"])
	}
	// A change of a hundredth of a percent is none, however sure.
	tiny := noisy(random, 16, 1e-6, compare.Sample{"bytes_per_request": 1.0001})
	if v := verdicts(judged(tiny, nil))["bytes_per_request"]; v != "same" {
		t.Errorf("+0.01 %% bytes: %s", v)
	}
	if got := codes(judged(tiny, nil).Warnings); !slices.Equal(got, []string{"floor-from-rounds"}) {
		t.Errorf("without identical rounds: %v", got)
	}
}

// TestFloorHolds: estimates of identical arms stay within the floor nineteen times in
// twenty, with few rounds of identical arms and with many.
func TestFloorHolds(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for _, identical := range []int{0, 3, 10} {
		const trials = 800
		within := 0
		for range trials {
			c := judged(noisy(random, 8, 0.05, nil), noisy(random, identical, 0.05, nil))
			if v := c.Effects[0].Ratio.Value.Or(9); math.Abs(math.Log(v)) <= math.Log1p(c.Floor["throughput"].Value.Or(0)) {
				within++
			}
		}
		if share := float64(within) / trials; share < 0.92 || share > 0.98 {
			t.Errorf("%d rounds of identical arms: %.3f of the estimates within the floor, want 0.95", identical, share)
		}
	}
}

func TestWaitersNearNone(t *testing.T) {
	var pairs []compare.Pair
	for i := range 12 {
		pairs = append(pairs, compare.Pair{
			Before: compare.Sample{"mean_waiters": 0.001 * float64(i+1)}, After: compare.Sample{"mean_waiters": 0},
		})
	}
	if e := judged(pairs, nil).Effects[0]; e.Verdict != "same" || e.Ratio.Low.Known() || e.Before.Value.Or(1) > 0.01 || e.Ratio.Value.Or(9) != e.After.Value.Or(0)/e.Before.Value.Or(1) {
		t.Errorf("a hundredth of a waiter that went: %+v", e)
	}
	for _, p := range pairs {
		p.Before["mean_waiters"] += 31
	}
	if e := judged(pairs, nil).Effects[0]; e.Verdict != "better" || e.Ratio.Value.Or(1) > 0.002 {
		t.Errorf("31 waiters that went: %+v", e)
	}
}

func TestUnmeasuredRounds(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 2))
	pairs := noisy(random, 14, 0.01, compare.Sample{"throughput": 1.3})
	pairs[3].Before = nil
	delete(pairs[5].After, "p99")
	for i := range pairs {
		delete(pairs[i].After, "bytes_per_request")
	}
	c := judged(pairs, noisy(random, 3, 0.01, nil))
	got := map[string]int64{}
	for _, e := range c.Effects {
		got[e.Metric] = e.Ratio.N
	}
	want := map[string]int64{"throughput": 13, "p50": 13, "p99": 12, "cpu_per_request": 13, "wait_per_request": 13, "mean_waiters": 13}
	if !maps.Equal(got, want) || verdicts(c)["throughput"] != "better" {
		t.Errorf("rounds by metric %v, want %v; throughput %s", got, want, verdicts(c)["throughput"])
	}
	if !slices.Equal(codes(c.Warnings), []string{"unmeasured-rounds"}) {
		t.Errorf("warnings %v", codes(c.Warnings))
	}
}

// TestEnough: rounds end when intervals are narrow or the budget is spent, and the
// answer is the same with the arms of any round swapped.
func TestEnough(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 1))
	quiet, loud := noisy(random, 30, 0.01, compare.Sample{"throughput": 3}), noisy(random, 30, 0.2, nil)
	for _, c := range []struct {
		name  string
		pairs []compare.Pair
		o     compare.Options
		done  bool
		why   string
	}{
		{"nothing yet", nil, compare.Options{}, false, "0 of at least 14"},
		{"ten", quiet[:10], compare.Options{}, false, "10 of at least 14"},
		{"quiet", quiet[:14], compare.Options{}, true, "narrow enough"},
		{"loud", loud[:19], compare.Options{}, false, "is wanted"},
		{"budget", loud[:20], compare.Options{}, true, "the budget of 20 rounds is spent; the interval of throughput and CPU per request"},
		{"a larger budget", loud[:20], compare.Options{MaxRounds: 30}, false, "wanted"},
		{"a small budget", loud[:5], compare.Options{MaxRounds: 5}, true, "budget of 5"},
		{"a surer answer", quiet[:14], compare.Options{Alpha: 0.0001}, false, "of at least 21"},
		{"a wide interval will do", loud[:14], compare.Options{Width: 2}, true, "narrow enough"},
		{"nothing to judge by", []compare.Pair{{}, {}, {}}, compare.Options{MinRounds: 2, MaxRounds: 3}, true, "budget of 3"},
	} {
		done, why := compare.Enough(c.pairs, c.o)
		if done != c.done || !strings.Contains(why, c.why) {
			t.Errorf("%s: %v %q, want %v %q", c.name, done, why, c.done, c.why)
		}
		swapped := slices.Clone(c.pairs)
		for i, p := range swapped {
			if i%3 != 0 {
				swapped[i] = compare.Pair{Before: p.After, After: p.Before}
			}
		}
		if again, same := compare.Enough(swapped, c.o); again != done || same != why {
			t.Errorf("%s: %v %q with arms swapped, %v %q before", c.name, again, same, done, why)
		}
	}
}

// TestPower: at noise that a small machine shows between rounds, a change of 5 % in
// the CPU per request is found within 20 rounds, and one of 2 % where it is quiet. All
// metrics vary on their own here, which is the hardest case for the correction.
func TestPower(t *testing.T) {
	trials := 200
	if testing.Short() {
		trials = 40
	}
	random := rand.New(rand.NewPCG(5, 20))
	for _, c := range []struct{ sd, change, least float64 }{
		{0.02, 1.05, 0.97},
		{0.025, 1.05, 0.95},
		{0.03, 1.05, 0.82},
		{0.04, 1.05, 0.45},
		{0.02, 1.02, 0.05},
		{0.01, 1.02, 0.80},
	} {
		found, rounds := 0, 0
		for range trials {
			pairs := stopped(noisy(random, 20, c.sd, compare.Sample{"cpu_per_request": c.change}), compare.Options{})
			rounds += len(pairs)
			if verdicts(judged(pairs, noisy(random, 4, c.sd, nil)))["cpu_per_request"] == "worse" {
				found++
			}
		}
		share := float64(found) / float64(trials)
		t.Logf("noise %.1f %% of each arm, change %+.0f %%: found in %.3f, %.1f rounds", 100*c.sd, 100*(c.change-1), share, float64(rounds)/float64(trials))
		if slack := 3 * math.Sqrt(c.least*(1-c.least)/float64(trials)); share < c.least-slack {
			t.Errorf("noise %.1f %%: a change of %+.0f %% is found in %.3f, want %.2f", 100*c.sd, 100*(c.change-1), share, c.least)
		}
	}
}

func TestMeasure(t *testing.T) {
	whole := func() unpark.Run {
		r := arm(450, 0.09, 1)
		w := &r.Windows[0]
		w.End = w.Start.Add(2 * time.Second)
		for i := range w.Processes {
			w.Processes[i].Metrics.MutexWait = unpark.Num(3)
		}
		return r
	}
	got, err := compare.Measure(whole())
	want := compare.Sample{"throughput": 450, "p50": 0.03, "p99": 0.09, "cpu_per_request": 1.0 / 450, "bytes_per_request": 2000, "wait_per_request": 0.006, "mean_waiters": 3}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	bare := whole()
	bare.Windows[0].Processes[0] = unpark.Process{Cores: unpark.Num(0.5)}
	bare.Windows[0].Load.Response.N = 50
	got, err = compare.Measure(bare)
	if keys := slices.Sorted(maps.Keys(got)); err != nil || !slices.Equal(keys, []string{"cpu_per_request", "p50", "throughput"}) {
		t.Errorf("without a probe and with 50 answers: %v, %v", keys, err)
	}
	for _, c := range []struct {
		want  string
		spoil func(*unpark.Run)
	}{
		{"the run is void: late: less", func(r *unpark.Run) { r.Void = []unpark.Notice{{Message: "late", Cure: "less"}} }},
		{"did not end", func(r *unpark.Run) { r.Partial = "killed" }},
		{"no request", func(r *unpark.Run) { r.Windows = nil }},
		{"no request", func(r *unpark.Run) { r.Windows[0].Load = nil }},
		{"no request", func(r *unpark.Run) { r.Windows[0].Load.Requests = 0 }},
		{"failed", func(r *unpark.Run) { r.Windows[0].Load.Errors = 20 }},
		{"1.0 % of the requests failed", func(r *unpark.Run) { *r.Windows[0].Load = statuses(101, 10_000) }},
	} {
		r := whole()
		c.spoil(&r)
		if s, err := compare.Measure(r); err == nil || s != nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, compare.ErrVoid) != r.IsVoid() {
			t.Errorf("want an error of %q, have %v, %v", c.want, s, err)
		}
	}
	near := whole()
	*near.Windows[0].Load = statuses(100, 10_000)
	if _, err := compare.Measure(near); err != nil {
		t.Errorf("1 %% of unexpected statuses: %v", err)
	}
}

// statuses is a load some of whose requests were answered with an unexpected status.
func statuses(unexpected, requests int64) unpark.Load {
	return unpark.Load{
		Mode: unpark.Closed, Seconds: 10, AchievedRPS: float64(requests) / 10, Requests: requests,
		Errors: unexpected, ErrorKinds: map[string]int64{"status": unexpected},
		Response: unpark.Latency{P50: 0.01, P99: 0.02, N: requests},
	}
}
