package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet"
	"github.com/unpark-go/unpark/internal/fleet/agent"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/rota"
)

// coordinator serves a fleet, and says how agents join it.
func coordinator(t *testing.T) (*fleet.Fleet, hub.Join) {
	t.Helper()
	id, file, _, err := hub.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f, err := fleet.Open(t.Context(), fleet.Options{Identity: id, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	join, err := hub.ReadJoin(file)
	if err != nil {
		t.Fatal(err)
	}
	return f, join
}

// many has agents in this process drive such a load.
func many(t *testing.T, plan unpark.Plan, names ...string) manyLoad {
	t.Helper()
	f, join := coordinator(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, len(names))
	for _, name := range names {
		go func() { ended <- agent.Run(ctx, agent.Options{Name: name, Join: join, Address: f.URL()}) }()
	}
	t.Cleanup(func() {
		cancel()
		for range names {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
	return chosen(t, f, plan, names...)
}

func chosen(t *testing.T, f *fleet.Fleet, plan unpark.Plan, names ...string) manyLoad {
	t.Helper()
	agents, err := f.Choose(t.Context(), strings.Join(names, ","), 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return manyLoad{driver: newDriver(streams{err: io.Discard}, true, plan), fleet: f, agents: agents}
}

// numbered is a plan whose requests have their number for a path, to a service that answers each third, from the first, slowly.
func numbered(t *testing.T) unpark.Plan { return thirds(t, 0) }

// thirds is such a plan; the other two thirds take as long as is said.
func thirds(t *testing.T, others time.Duration) unpark.Plan {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		digits := 0
		for _, c := range strings.TrimPrefix(r.URL.Path, "/") {
			digits += int(c - '0')
		}
		if digits%3 == 0 { // as is the number
			time.Sleep(150 * time.Millisecond)
			return
		}
		time.Sleep(others)
	}))
	t.Cleanup(s.Close)
	path, err := requests.Compile([]byte("/{{counter}}"), requests.Values{})
	if err != nil {
		t.Fatal(err)
	}
	return unpark.Plan{
		Mode: unpark.Constant, RateRPS: 60, Duration: 1, Connections: 12, Timeout: 5, Seed: 1,
		Requests: []unpark.Request{{URL: s.URL + "/", Target: path}},
	}
}

func promised(t *testing.T, text string) search.SLO {
	t.Helper()
	slo, err := search.ParseSLO(text)
	if err != nil {
		t.Fatal(err)
	}
	return slo
}

// namesAgent reports whether an error says which agent did not answer in time, as one does that has no processor for seconds.
func namesAgent(err error) bool {
	return err != nil && regexp.MustCompile(`agent [abc]: .*no answer to "[a-z]+" within`).MatchString(err.Error())
}

// starved watches whether the machine lets this process run, and reports it with what was seen. An agent that does not answer is
// an excuse only then: the agents are in this process.
func starved(t *testing.T) func() (bool, string) {
	t.Helper()
	const every = 10 * time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	var mu sync.Mutex
	var most time.Duration
	ticks, late := 0, 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for before := time.Now(); ctx.Err() == nil; {
			time.Sleep(every)
			now := time.Now()
			mu.Lock()
			over := now.Sub(before) - every
			if ticks++; over > every {
				late++
			}
			most, before = max(most, over), now
			mu.Unlock()
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return func() (bool, string) {
		mu.Lock()
		defer mu.Unlock()
		return most >= 250*time.Millisecond || 5*late >= ticks,
			fmt.Sprintf("a sleep of %v took %v longer at most, and %d of %d took twice as long or more", every, most.Round(time.Millisecond), late, ticks)
	}
}

// TestSearchByAgents: three agents that really ask a service are one search. A probe that the machine let them keep has the verdict
// of all answers together; where it let them keep none, that is said, of the generator and not of the service. What all decide
// together where every rate is kept is TestSearchDecidesByAll.
func TestSearchByAgents(t *testing.T) {
	t.Parallel()
	excused := starved(t)
	o := many(t, numbered(t), "a", "b", "c")
	judged := 0
	for _, c := range []struct {
		slo   string
		holds bool
	}{{"p50<100ms", true}, {"p90<100ms", false}} {
		r, err := o.search(t.Context(), search.Options{SLO: promised(t, c.slo), Start: 60, Min: 30, Max: 60})
		if r == nil {
			if !strings.Contains(fmt.Sprint(err), "no probe can be trusted: no rate was found that holds: the generator was the limit") && !namesAgent(err) {
				t.Errorf("%s: a search without a probe ends with %v", c.slo, err)
			}
		}
		if busy, why := excused(); err != nil && !busy && (r != nil || namesAgent(err)) {
			t.Errorf("%s: %v; the machine was not busy: %s", c.slo, err, why)
		}
		if r == nil {
			continue
		}
		kept := 0
		for _, p := range r.Search.Probes {
			// A rate that was not kept says nothing of latencies, which are what is asked here.
			if p.Void || strings.Contains(fmt.Sprint(p.Violations), "rate was") {
				continue
			}
			if kept++; p.Holds != c.holds {
				t.Errorf("%s at %g req/s: holds is %v: %v", c.slo, p.RateRPS, p.Holds, p.Violations)
			}
		}
		if kept == 0 && r.Search.Held.Known() {
			t.Errorf("%s: no probe kept its rate, and %g req/s hold: %+v", c.slo, r.Search.Held.Or(0), r.Search)
		}
		if r.Search.Ceiling == "service" || r.Search.Ceiling == "budget" {
			t.Errorf("%s holds at every rate or at none: %+v", c.slo, r.Search)
		}
		if len(r.Agents) != 3 {
			t.Errorf("%s: %d agents had the load of the figures", c.slo, len(r.Agents))
		}
		t.Logf("%s: %d of %d probes were kept: %s", c.slo, kept, len(r.Search.Probes), r.Search.Why)
		judged += kept
	}
	if _, why := excused(); judged == 0 && !t.Failed() {
		t.Skipf("the machine let no probe be kept: %s", why)
	}
}

// TestSearchOfWhatCannotBeTrusted: a probe of which every part is void is no answer and is made again, and a search of nothing else
// says so; an agent that leaves ends it with what is known.
func TestSearchOfWhatCannotBeTrusted(t *testing.T) {
	t.Parallel()
	answers := func(sound int, rest error) (n *int, level leveller) {
		n = new(int)
		return n, func(_ context.Context, plan unpark.Plan) (*report.LoadLevel, []unpark.Notice, error) {
			if *n++; *n > sound {
				return nil, nil, rest
			}
			l := unpark.Load{Mode: unpark.Constant, Seconds: 1, Requests: 100, OfferedRPS: plan.RateRPS, AchievedRPS: plan.RateRPS, Status: map[string]int64{}, ErrorKinds: map[string]int64{}}
			l.Response = unpark.Latency{N: 100, P99: 0.001}
			return &report.LoadLevel{Level: plan.Level(), Load: l}, nil, nil
		}
	}
	d := newDriver(streams{err: io.Discard}, true, numbered(t))
	options := search.Options{SLO: promised(t, "p99<1s"), Start: 30}
	n, level := answers(0, fmt.Errorf("%w: %w", search.ErrVoid, errUntrusted))
	if r, _, err := d.highest(t.Context(), options, level); r != nil || err == nil || !strings.Contains(err.Error(), "no probe can be trusted") || *n < 2 {
		t.Errorf("after %d void probes: %+v, %v", *n, r, err)
	}
	_, level = answers(2, errors.New("agent a: no answer"))
	if r, _, err := d.highest(t.Context(), options, level); err == nil || r == nil || r.Search.Ceiling != "interrupted" || r.Search.Held.Or(0) != 60 || !strings.Contains(r.Partial, "no answer") {
		t.Errorf("an agent that left: %+v, %v", r, err)
	}
}

// TestWithinByAgents: the load of two agents that really ask goes on until the p99 of all their answers together is known as well as
// was asked for. Where the machine lets a part not be kept that is said, and the figures are whole all the same.
func TestWithinByAgents(t *testing.T) {
	if !rota.Long(2, 7) {
		t.Skip("its turn is another day: it takes a quarter of a minute")
	}
	t.Parallel()
	plan := thirds(t, 30*time.Millisecond) // of which a stolen millisecond is no trend
	plan.RateRPS, plan.P99Within, plan.Warmup = 150, 0.5, 0.2
	plan.Connections = 100
	excused := starved(t)
	o := many(t, plan, "a", "b")
	l, notices, said, err := o.level(t.Context(), plan)
	if errors.Is(err, errUntrusted) || namesAgent(err) {
		busy, why := excused()
		if namesAgent(err) && !busy {
			t.Fatalf("%v; the machine was not busy: %s", err, why)
		}
		t.Skipf("nothing can be trusted, and it says so: %v; %s", err, why)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := l.Load.Precision
	if p == nil || p.Asked != 0.5 || p.Settled < 4 || !p.P99.Value.Known() || len(said) != 2 {
		t.Fatalf("%+v of %d agents; %+v", p, len(said), notices)
	}
	t.Logf("%+v, void: %+v", p, l.Void)
	if l.Load.Seconds < 0.9*plan.Duration || p.P99.N != l.Load.Response.N {
		t.Errorf("a window of %g s with %d answers, the p99 of %d", l.Load.Seconds, l.Load.Response.N, p.P99.N)
	}
	if p.P99.Value.Or(0) < 0.15 {
		t.Errorf("a third takes 150 ms, and the p99 is %g s", p.P99.Value.Or(0))
	}
	if v, ok := p.Reached.Get(); ok && v <= p.Asked == slices.ContainsFunc(notices, func(n unpark.Notice) bool { return n.Code == "p99-within" }) {
		t.Errorf("known within %g of %g asked for, and the notices are %+v", v, p.Asked, notices)
	}
	sound := 0
	for _, a := range said {
		if a.Void == "" {
			sound++
		}
	}
	if (sound < 2) != (len(l.Void) > 0) {
		t.Errorf("%d of 2 parts are sound, and the level is void for %+v", sound, l.Void)
	}
}
