package compare_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// closed is a profiled run of a closed loop that a limit binds.
func closed(kind unpark.LimitKind, cores float64, findings ...unpark.Finding) unpark.Run {
	r := arm(480, 0.09, cores, findings...)
	r.Plan = unpark.Plan{Mode: unpark.Closed, Connections: 32}
	r.Host.CPUs = 2
	r.Limit.Kind = kind
	return r
}

func computing(function string, perRequest float64) unpark.Finding {
	return unpark.Finding{
		Rule: "cpu", Class: unpark.ClassCPU, Site: unpark.Site{Function: function},
		Cost: unpark.Cost{CPUPerRequest: unpark.Measured(perRequest, "s/req", 100)},
	}
}

// TestWhy reads the sentence for every way in which throughput does or does not
// follow a change.
func TestWhy(t *testing.T) {
	lock := finding("lock", "example.com/a/store.(*DB).Get", 10, 31.0/450) // 31 waiters
	less := finding("lock", "example.com/a/store.(*DB).Get", 10, 4.0/450)
	faint := finding("lock", "a.Log", 3, 0.3/450)
	promised := faint
	promised.Prediction.Throughput = unpark.Between(1.3, 1.2, 1.4, "ratio", 1)
	rate := func(r unpark.Run) unpark.Run {
		r.Plan = unpark.Plan{Mode: unpark.Poisson, RateRPS: 480}
		return r
	}
	void := closed(unpark.LimitUnknown, 1)
	for _, c := range []struct {
		name          string
		change        compare.Sample
		before, after unpark.Run
		want          string
	}{
		{
			"the lock was not the limit", nil, closed(unpark.LimitCPU, 1.98, lock), closed(unpark.LimitCPU, 1.98),
			"the lock in store.(*DB).Get is gone (was 31 waiters), no difference of throughput was shown (floor ±0.5 %): CPU was and is the limit at 1.98 of 2 cores",
		},
		{
			"the lock was the limit",
			compare.Sample{"throughput": 1.52},
			closed(unpark.LimitLock, 1, lock), closed(unpark.LimitCPU, 1.97),
			"throughput +52 %: the lock in store.(*DB).Get that held it at 480 req/s is gone; now CPU binds at 1.97 of 2 cores",
		},
		{
			"part of the lock is left",
			compare.Sample{"throughput": 3.5},
			closed(unpark.LimitLock, 1, lock), closed(unpark.LimitLock, 1.5, less),
			"throughput ×3.5: the lock in store.(*DB).Get shrank (4 waiters, was 31 waiters); a lock was and is the limit",
		},
		{
			"less CPU",
			compare.Sample{"throughput": 1.25, "cpu_per_request": 0.8},
			closed(unpark.LimitCPU, 1.98), closed(unpark.LimitCPU, 1.98),
			"throughput +25 %: a request takes 20 % less CPU, and CPU was the limit; CPU was and is the limit at 1.98 of 2 cores",
		},
		{
			"a finding of CPU is gone",
			compare.Sample{"throughput": 1.25, "cpu_per_request": 0.8},
			closed(unpark.LimitCPU, 1.98, computing("main.digest", 38e-6)), closed(unpark.LimitNetwork, 1.5),
			"throughput +25 %: the computing in main.digest that held it at 480 req/s is gone; now the network binds",
		},
		{
			"a faint lock explains nothing",
			compare.Sample{"throughput": 1.25},
			closed(unpark.LimitCPU, 1.98, faint), closed(unpark.LimitCPU, 1.98),
			"throughput +25 %: the lock in a.Log is gone (was 0.3 waiters), which does not explain it; CPU was and is the limit at 1.98 of 2 cores",
		},
		{
			"it was forecast",
			compare.Sample{"throughput": 1.25},
			closed(unpark.LimitUnknown, 1, promised), closed(unpark.LimitNone, 1),
			"throughput +25 %: the lock in a.Log is gone (was 0.3 waiters); now nothing in the service is near its limit",
		},
		{
			"nothing explains it",
			compare.Sample{"throughput": 1.25},
			void, void,
			"throughput +25 %: no finding of either run explains it",
		},
		{
			"a new lock",
			compare.Sample{"throughput": 0.7},
			closed(unpark.LimitCPU, 1.9), closed(unpark.LimitLock, 1.2, lock),
			"throughput −30 %: the lock in store.(*DB).Get is new (31 waiters); now a lock binds",
		},
		{
			"a lock grew",
			compare.Sample{"throughput": 0.7},
			closed(unpark.LimitLock, 1.9, less), closed(unpark.LimitLock, 1.2, lock),
			"throughput −30 %: the lock in store.(*DB).Get grew (31 waiters, was 4 waiters); a lock was and is the limit",
		},
		{
			"more CPU",
			compare.Sample{"throughput": 0.8, "cpu_per_request": 1.25},
			closed(unpark.LimitQuota, 1), closed(unpark.LimitQuota, 1),
			"throughput −20 %: a request takes 25 % more CPU, and the CPU quota was the limit; the CPU quota was and is the limit at 1 of 2 cores",
		},
		{
			"the generator", nil, closed(unpark.LimitLock, 1, lock), closed(unpark.LimitGenerator, 1),
			"the lock in store.(*DB).Get is gone (was 31 waiters), no difference of throughput was shown (floor ±0.5 %): the load generator binds now, where a lock did",
		},
		{
			"nothing changed", nil, void, void, "no difference of throughput was shown (floor ±0.5 %), and what limits it is not known",
		},
		{
			"cheaper all the same",
			compare.Sample{"cpu_per_request": 0.5},
			closed(unpark.LimitNone, 1), closed(unpark.LimitNone, 0.5),
			"no difference of throughput was shown (floor ±0.5 %): nothing in the service is near its limit; a request takes 50 % less CPU",
		},
		{
			"a given rate",
			compare.Sample{"p99": 0.14},
			rate(closed(unpark.LimitLock, 1, lock)), rate(closed(unpark.LimitNone, 1)),
			"the rate is given and kept (480 req/s), p99 ×0.14: the lock in store.(*DB).Get is gone (was 31 waiters)",
		},
		{
			"a given rate, no effect", nil, rate(closed(unpark.LimitLock, 1, lock)), rate(closed(unpark.LimitNone, 1)),
			"the rate is given and kept (480 req/s), no difference of p99 was shown (floor ±0.5 %), though the lock in store.(*DB).Get is gone (was 31 waiters)",
		},
		{
			"a given rate, worse",
			compare.Sample{"p99": 3},
			rate(closed(unpark.LimitNone, 1)), rate(closed(unpark.LimitLock, 1, lock)),
			"the rate is given and kept (480 req/s), p99 ×3: the lock in store.(*DB).Get is new (31 waiters)",
		},
		{
			"an overload that ended",
			compare.Sample{"throughput": 1.5},
			rate(closed(unpark.LimitLock, 1, lock)), rate(closed(unpark.LimitNone, 1)),
			"throughput +50 %: the lock in store.(*DB).Get that held it at 480 req/s is gone; now nothing in the service is near its limit",
		},
		{"no profiled runs", nil, unpark.Run{}, unpark.Run{}, "no difference of throughput was shown (floor ±0.5 %)"},
	} {
		// So little noise that the figures in the sentences are those of the table.
		pairs := noisy(rand.New(rand.NewPCG(1, 1)), 14, 1e-5, c.change)
		got := compare.Rounds(pairs, nil, c.before, c.after, compare.Options{})
		if got.Why != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got.Why, c.want)
		}
		if known := len(c.before.Windows) > 0; known != (got.Limits != nil) {
			t.Errorf("%s: limits %v", c.name, got.Limits)
		}
	}
}

func TestWhyOfSingleRuns(t *testing.T) {
	lock := finding("lock", "a.Get", 10, 31.0/450)
	c := compare.Runs(closed(unpark.LimitLock, 1, lock), closed(unpark.LimitCPU, 1.04))
	if want := "the lock in a.Get is gone (was 31 waiters), no difference of throughput was shown (floor ±20 %): CPU binds now at 1.04 of 2 cores, where a lock did"; c.Why != want {
		t.Errorf("got %s\nwant %s", c.Why, want)
	}
	if c := compare.Runs(closed(unpark.LimitLock, 1, lock), unpark.Run{}); !strings.HasPrefix(c.Why, "not compared: ") {
		t.Errorf("refused: %s", c.Why)
	}
}

// TestWhyOfAGenericType: slashes and dots in type arguments are no path.
func TestWhyOfAGenericType(t *testing.T) {
	lock := finding("lock", "example.com/a/pkg.(*Map[example.com/b.Key,go.shape.[]uint8]).Get", 10, 31.0/450)
	c := compare.Runs(closed(unpark.LimitLock, 1, lock), closed(unpark.LimitCPU, 1.04))
	if want := "the lock in pkg.(*Map[...]).Get is gone (was 31 waiters)"; !strings.HasPrefix(c.Why, want) {
		t.Errorf("got %s\nwant %s", c.Why, want)
	}
}

func TestWhyOfOneRound(t *testing.T) {
	pairs := noisy(rand.New(rand.NewPCG(1, 1)), 1, 1e-5, nil)
	got := compare.Rounds(pairs, nil, unpark.Run{}, unpark.Run{}, compare.Options{}).Why
	if want := "1 round cannot tell whether throughput moved"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestWhyPerRequest: a change is judged per request, and told so where with less throughput fewer wait on average.
func TestWhyPerRequest(t *testing.T) {
	cost := func(waiters, waiting float64) unpark.Cost {
		return unpark.Cost{MeanWaiters: unpark.Measured(waiters, "waiters", 100), WaitPerRequest: unpark.Measured(waiting, "s/req", 100)}
	}
	f := unpark.Changed{Was: cost(0.622, 0.0005), Finding: unpark.Finding{Cost: cost(0.574, 0.0007)}}
	if was, now := f.Costs(); was.MeanWaiters.Known() || now.MeanWaiters.Known() || !was.WaitPerRequest.Known() || !now.WaitPerRequest.Known() {
		t.Errorf("%+v and %+v", was, now)
	}
	f.Cost = cost(0.9, 0.0007)
	if was, now := f.Costs(); !was.MeanWaiters.Known() || !now.MeanWaiters.Known() {
		t.Errorf("%+v and %+v", was, now)
	}
}
