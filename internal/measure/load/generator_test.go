package load

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// serve starts a server on loopback and returns its URL.
func serve(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

// everyEngine runs a test on all engines; start reads the name.
func everyEngine(t *testing.T, test func(*testing.T)) {
	t.Helper()
	for _, name := range []string{"pollers", "crew"} {
		t.Run(name, test)
	}
}

func start(t testing.TB, plan unpark.Plan) *Generator {
	t.Helper()
	s, err := newSettings(plan)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(t.Name(), "/crew") {
		s.engine = engineCrew
	}
	g, err := s.start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Stop)
	return g
}

func closed(n int, rs ...unpark.Request) unpark.Plan {
	return unpark.Plan{Mode: unpark.Closed, Connections: n, Requests: rs, Timeout: 20}
}

// soon is a deadline for what should take no time.
func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// until waits for a condition without assuming how long it takes.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	const patience = time.Minute // beside other tests, under the race detector, on two processors
	deadline := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s", what, patience)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestClosedLoop(t *testing.T) {
	t.Parallel()
	everyEngine(t, testClosedLoop)
}

func testClosedLoop(t *testing.T) {
	t.Parallel()
	var served atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { served.Add(1); hello(w, r) })
	g := start(t, closed(4, unpark.Request{URL: url}))
	s := g.Begin("window")
	begun := served.Load()
	until(t, "500 requests", func() bool { return served.Load() > begun+500 })
	next := g.Begin("rest")
	l := s.Load(soon(t))
	g.Stop()
	rest := next.Load(soon(t))

	if l.Mode != unpark.Closed || l.Requests == 0 || l.Errors != 0 || l.Unfinished != 0 {
		t.Errorf("window: %+v", l)
	}
	if l.OfferedRPS != l.AchievedRPS || math.Abs(l.AchievedRPS*l.Seconds-float64(l.Requests)) > 0.01 {
		t.Errorf("offered %g, achieved %g in %g s for %d requests", l.OfferedRPS, l.AchievedRPS, l.Seconds, l.Requests)
	}
	if l.Status["200"] != l.Response.N || l.Service.N != l.Response.N || l.Lag.N != l.Response.N {
		t.Errorf("counts differ: %v, response %d, service %d, lag %d", l.Status, l.Response.N, l.Service.N, l.Lag.N)
	}
	// At either end, up to four requests are in flight.
	if d := l.Response.N - l.Requests; d < -4 || d > 4 {
		t.Errorf("%d intended against %d answered with 4 connections", l.Response.N, l.Requests)
	}
	if mean := l.Lag.Mean + l.Service.Mean; math.Abs(mean/l.Response.Mean-1) > 0.01 {
		t.Errorf("lag %g + service %g is not response %g", l.Lag.Mean, l.Service.Mean, l.Response.Mean)
	}
	checkBuckets(t, "response", l.Response)
	if b, _ := l.BytesPerResponse.Get(); b != 5 {
		t.Errorf("bytes per response = %v", l.BytesPerResponse)
	}
	if r, _ := l.Repeated.Get(); r != 1 {
		t.Errorf("repeated = %v, want 1 for a constant body", l.Repeated)
	}
	if c, ok := l.GeneratorCPU.Get(); !ok || c <= 0 {
		t.Errorf("generator CPU = %v", l.GeneratorCPU)
	}
	if rest.Unfinished > 4 || rest.Unfinished+rest.Response.N == 0 {
		t.Errorf("stopped in the middle: %+v", rest)
	}
	if again := s.Load(soon(t)); again.Requests != l.Requests || again.Response.N != l.Response.N {
		t.Error("a second Load gives another result")
	}
}

func TestRepeatedIsZeroForChangingAnswers(t *testing.T) {
	everyEngine(t, testRepeatedIsZeroForChangingAnswers)
}

func testRepeatedIsZeroForChangingAnswers(t *testing.T) {
	var n atomic.Int64
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, time.Unix(n.Add(1), 0).String())
	})
	g := start(t, closed(2, unpark.Request{URL: url}))
	s := g.First()
	until(t, "requests", func() bool { return n.Load() > 100 })
	g.Begin("rest")
	if l := s.Load(soon(t)); l.Repeated.Or(-1) != 0 {
		t.Errorf("repeated = %v, want 0", l.Repeated)
	}
}

// TestStallShows is the test of coordinated omission: while the server stands
// still, an open plan goes on intending requests, and their waiting counts.
func TestStallShows(t *testing.T) {
	t.Parallel()
	everyEngine(t, testStallShows)
}

func testStallShows(t *testing.T) {
	t.Parallel()
	l := stalled(t)
	// A fifth of the arrivals fall into the stall and wait for 0 to 0.6 s.
	if l.Response.P90 < 0.2 || l.Response.P99 < 0.45 || l.Response.Max < 0.5 {
		t.Errorf("the stall does not show: p90 %.3f, p99 %.3f, max %.3f", l.Response.P90, l.Response.P99, l.Response.Max)
	}
	if l.Unfinished != 0 || math.Abs(l.OfferedRPS-stallRate) > 0.05*stallRate {
		t.Errorf("offered %.1f/s, %d unfinished", l.OfferedRPS, l.Unfinished)
	}
}

const stallRate = 200.0

// stalled loads a server over five connections that stands still for 0.6 of 3 s.
func stalled(t *testing.T) unpark.Load {
	const length, stall = 3 * time.Second, 600 * time.Millisecond
	var gate sync.RWMutex
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		gate.RLock()
		defer gate.RUnlock()
		hello(w, r)
	})
	g := start(t, unpark.Plan{Mode: unpark.Constant, RateRPS: stallRate, Connections: 5, Requests: []unpark.Request{{URL: url}}})
	s := g.Begin("window")
	time.Sleep(length / 3)
	gate.Lock()
	time.Sleep(stall)
	gate.Unlock()
	time.Sleep(length - length/3 - stall)
	g.Begin("rest")
	return s.Load(soon(t))
}

func TestUnfinishedCountWithTheirAge(t *testing.T) {
	t.Parallel()
	everyEngine(t, testUnfinishedCountWithTheirAge)
}

func testUnfinishedCountWithTheirAge(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(hold) })
	g := start(t, unpark.Plan{Mode: unpark.Constant, RateRPS: 100, Connections: 2, Requests: []unpark.Request{{URL: url}}})
	s := g.Begin("window")
	time.Sleep(300 * time.Millisecond)
	if live := g.Live(); live.Phase != "window" || live.InFlight != 2 {
		t.Errorf("live: %+v, want both connections in flight", live)
	}
	g.tick(g.clock.now())
	if tick := g.Ticks()[0]; tick.RPS != 0 || tick.P50 < 0.05 || tick.P99 < 0.2 {
		t.Errorf("a tick of a target that stands still: %+v", tick)
	}
	g.Begin("rest")
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	l := s.Load(ctx)
	if l.Requests != 0 || l.Unfinished < 20 || l.Response.N != l.Unfinished {
		t.Errorf("%d answered, %d unfinished, %d in response", l.Requests, l.Unfinished, l.Response.N)
	}
	if got := l.OfferedRPS * l.Seconds; math.Abs(got-float64(l.Unfinished)) > 2.5 {
		t.Errorf("%.1f offered, %d unfinished: something was dropped", got, l.Unfinished)
	}
	if l.Response.Min < 0.09 || l.Response.Max > 15 {
		t.Errorf("ages from %.3f to %.3f s", l.Response.Min, l.Response.Max)
	}
	if l.Service.N != 0 {
		t.Errorf("service has %d values without an answer", l.Service.N)
	}
}

func TestAnswerAfterTheEndIsCreditedToItsStart(t *testing.T) {
	everyEngine(t, testAnswerAfterTheEndIsCreditedToItsStart)
}

func testAnswerAfterTheEndIsCreditedToItsStart(t *testing.T) {
	release, arrived := make(chan struct{}), make(chan struct{}, 1)
	var once sync.Once
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() { arrived <- struct{}{}; <-release })
		hello(w, r)
	})
	g := start(t, closed(1, unpark.Request{URL: url}))
	before := g.First()
	<-arrived
	second := g.Begin("second")
	close(release)
	l := before.Load(soon(t))
	if l.Requests != 0 || l.Response.N != 1 || l.Status["200"] != 1 || l.Unfinished != 0 {
		t.Errorf("stretch of the intended start: %d answers, %d latencies, status %v", l.Requests, l.Response.N, l.Status)
	}
	until(t, "answers", func() bool { return g.engine.connections()[0].current.Load() > second.start })
	g.Begin("third")
	if l := second.Load(soon(t)); l.Requests-l.Response.N != 1 && l.Requests-l.Response.N != 0 {
		t.Errorf("stretch of the answer: %d answers, %d latencies", l.Requests, l.Response.N)
	}
}

func TestOpenPlansKeepTheirRate(t *testing.T) { everyEngine(t, testOpenPlansKeepTheirRate) }

func testOpenPlansKeepTheirRate(t *testing.T) {
	url := serve(t, hello)
	for _, plan := range []unpark.Plan{
		{Mode: unpark.Constant, RateRPS: 400},
		{Mode: unpark.Poisson, RateRPS: 400, Seed: 3},
		{Mode: unpark.Ramp, Stages: []unpark.Stage{{From: 300, To: 500, Duration: 0.8}}},
	} {
		t.Run(string(plan.Mode), func(t *testing.T) {
			t.Parallel()
			plan.Requests = []unpark.Request{{URL: url}}
			g := start(t, plan)
			s := g.First()
			time.Sleep(800 * time.Millisecond)
			g.Begin("rest")
			l := s.Load(soon(t))
			if math.Abs(l.OfferedRPS-400) > 60 {
				t.Errorf("offered %.1f/s, want about 400", l.OfferedRPS)
			}
			if got := float64(l.Response.N); math.Abs(got-l.OfferedRPS*l.Seconds) > 0.01 {
				t.Errorf("%.0f latencies for %.1f arrivals", got, l.OfferedRPS*l.Seconds)
			}
			if l.Errors != 0 || l.Unfinished != 0 {
				t.Errorf("%d errors (%s), %d unfinished", l.Errors, l.ErrorSample, l.Unfinished)
			}
		})
	}
}

// TestEveryStretchHasItsOwn: whenever the load changes over, each stretch counts the
// requests that were intended in it and the answers that came in it, none else's.
func TestEveryStretchHasItsOwn(t *testing.T) {
	t.Parallel()
	everyEngine(t, testEveryStretchHasItsOwn)
}

func testEveryStretchHasItsOwn(t *testing.T) {
	t.Parallel()
	var served atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { served.Add(1); hello(w, r) })
	g := start(t, unpark.Plan{Mode: unpark.Poisson, RateRPS: 2000, Seed: 5, Requests: []unpark.Request{{URL: url}}})
	list := []*Stretch{g.First()}
	for range 60 {
		time.Sleep(5 * time.Millisecond)
		list = append(list, g.Begin("window"))
	}
	g.Begin("rest")
	var requests, answers int64
	for i, s := range list {
		l := s.Load(soon(t))
		if offered := l.OfferedRPS * l.Seconds; math.Abs(float64(l.Response.N)-offered) > 0.01 || l.Unfinished != 0 {
			t.Errorf("stretch %d: %d latencies and %d unfinished for %.2f arrivals", i, l.Response.N, l.Unfinished, offered)
		}
		requests, answers = requests+l.Requests, answers+l.Response.N
	}
	if all := served.Load(); requests > answers || answers > all {
		t.Errorf("%d answers in their stretches, %d by intended start, %d served", requests, answers, all)
	}
}

func TestTicksAndLive(t *testing.T) {
	t.Parallel()
	everyEngine(t, testTicksAndLive)
}

func testTicksAndLive(t *testing.T) {
	t.Parallel()
	url := serve(t, hello)
	g := start(t, closed(2, unpark.Request{URL: url}))
	g.Begin("window")
	until(t, "a tick", func() bool { return len(g.Ticks()) > 0 })
	live := g.Live()
	g.Stop()
	tick := g.Ticks()[0]
	if tick.Phase != "window" || tick.RPS <= 0 || tick.P99 <= 0 || tick.P50 > tick.P99 || tick.At < 0.9 || tick.Errors != 0 {
		t.Errorf("tick: %+v", tick)
	}
	if c, ok := tick.Generator.Get(); !ok || c <= 0 {
		t.Errorf("generator cores: %v", tick.Generator)
	}
	if tick.Cores.Known() {
		t.Error("the generator cannot know the target's cores")
	}
	if live.Phase != "window" || live.RPS <= 0 || live.P99 <= 0 {
		t.Errorf("live: %+v", live)
	}
}

func TestStopLeavesNothing(t *testing.T) { everyEngine(t, testStopLeavesNothing) }

func testStopLeavesNothing(t *testing.T) {
	hold := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hold" {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}
		hello(w, r)
	}))
	defer server.Close()
	defer close(hold)
	before := runtime.NumGoroutine()
	for _, plan := range []unpark.Plan{
		{Mode: unpark.Closed, Connections: 8},
		{Mode: unpark.Constant, RateRPS: 500},
		{Mode: unpark.Constant, RateRPS: 0.001},
		{Mode: unpark.Closed, Connections: 2, Protocol: "h2c"},
	} {
		for _, path := range []string{"/", "/hold"} {
			plan.Requests = []unpark.Request{{URL: server.URL + path}}
			g, err := Start(context.Background(), plan)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond)
			var both sync.WaitGroup
			both.Go(g.Stop)
			both.Go(g.Stop)
			both.Wait()
			if l := g.Begin("late").Load(context.Background()); l.Requests != 0 || l.Seconds != 0 {
				t.Errorf("a stretch after Stop has %+v", l)
			}
		}
	}
	server.CloseClientConnections()
	until(t, "goroutines ended", func() bool { return runtime.NumGoroutine() <= before })
}

func TestContextStops(t *testing.T) {
	url := serve(t, hello)
	ctx, cancel := context.WithCancel(context.Background())
	g, err := Start(ctx, closed(2, unpark.Request{URL: url}))
	if err != nil {
		t.Fatal(err)
	}
	s := g.Begin("window")
	cancel()
	select {
	case <-g.stopped:
	case <-time.After(15 * time.Second):
		t.Fatal("the load goes on after its context ended")
	}
	if l := s.Load(context.Background()); l.Errors != 0 {
		t.Errorf("stopping made errors: %+v", l)
	}
	if _, err := Start(ctx, closed(1, unpark.Request{URL: url})); err == nil {
		t.Error("Start succeeds with a context that is done")
	}
}

// TestLoadBeforeTheEnd: whoever does not wait gets what there is, and it is final.
func TestLoadBeforeTheEnd(t *testing.T) {
	url := serve(t, hello)
	g := start(t, closed(1, unpark.Request{URL: url}))
	s := g.Begin("window")
	done, cancel := context.WithCancel(context.Background())
	cancel()
	l := s.Load(done)
	g.Begin("rest")
	if again := s.Load(soon(t)); again.Seconds != l.Seconds || again.Requests != l.Requests {
		t.Errorf("the stretch went on: %+v, then %+v", l, again)
	}
}
