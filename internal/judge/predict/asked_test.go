package predict

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// asking is a service that uses 1.2 cores, and a process that it asks, 0.8.
func asking(ev *facts.Evidence) {
	ev.Window.Processes = []unpark.Process{{PID: 10, Cores: unpark.Num(1.2)}, {PID: 11, Cores: unpark.Num(0.8)}}
	ev.Window.Profiles = []unpark.ProfileFile{{PID: 10}}
	ev.Window.Peers = []unpark.Peer{{PID: 11, Self: true}}
	ask := []unpark.Site{{Function: "internal/poll.(*FD).Read"}, {Function: "lib.(*conn).recv"}, {Function: "app.ask"}}
	ev.Waits = []facts.Wait{
		{Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: unpark.Site{Function: "app.ask"}, Delay: 30, Stack: ask},
		{Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: unpark.Site{Function: "app.other"}, Delay: 10},
	}
}

// TestAskedProcess: what a process beside the service uses is no share of the service's
// profile, and stays but for what a fix asks less of it.
func TestAskedProcess(t *testing.T) {
	s := full2(asking)
	if math.Abs(s.cpu-0.6e-3) > 1e-9 || math.Abs(s.asked-0.4e-3) > 1e-9 || math.Abs(s.request()-1e-3) > 1e-9 || s.cores != 2 {
		t.Fatalf("%+v", s.processors)
	}
	for _, c := range []struct {
		name     string
		f        unpark.Finding
		messages float64
	}{
		{"the function that asks", unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "app.ask"}}, 0.75},
		{"a library's below it", unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "app.h"}, Culprit: &unpark.Site{Function: "lib.(*conn).recv"}}, 0.75},
		{"the other one", unpark.Finding{Class: unpark.ClassDownstream, Waiter: &unpark.Site{Function: "app.other"}}, 0.25},
		{"one that computes", unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "app.render"}}, 0},
	} {
		c.f.Cost.Cores = unpark.Measured(0.6, "cores", 1000)
		cut := cutOf(s, c.f)
		left := change{s, cut}.cpuLeft(1).asked
		if math.Abs(cut.messages-c.messages) > 1e-9 || left.high != s.asked || math.Abs(left.low-s.asked*(1-c.messages)) > 1e-9 {
			t.Errorf("%s: %v of the messages, left %+v of %v", c.name, cut.messages, left, s.asked)
		}
	}
	if alone := full2(); alone.asked != 0 || messages(alone.m, unpark.Finding{}) != 0 {
		t.Errorf("a service that asks no other: %+v", alone.processors)
	}
}

// TestCrowdedNeighbours: while the processors are full, what a request waits for a process beside
// the service may be that process's queueing for them, but for what it takes of them itself.
func TestCrowdedNeighbours(t *testing.T) {
	for _, c := range []struct {
		name string
		busy float64 // of 2 cores
		want float64 // s a request, at most
	}{{"full", 2, 40.0/30_000 - 0.4e-3}, {"half", 1, 0}} {
		s := full2(asking)
		s.m.Shared, s.m.Machine, s.m.Cores = true, unpark.Num(c.busy/2), unpark.Num(2)
		got := closedLoop{change{s, cut{}}}.crowded()
		if got.low != 0 || math.Abs(got.high-c.want) > 1e-9 || math.Abs(got.value-c.want/2) > 1e-9 {
			t.Errorf("%s: %+v, want up to %v", c.name, got, c.want)
		}
	}
}

// TestManyCalls: with small calls may go what sets their goroutines aside and what they are
// answered with; calls on a file have no other end.
func TestManyCalls(t *testing.T) {
	s := full2(func(ev *facts.Evidence) { ev.CPU.Shares.Scheduler = unpark.Num(0.2) })
	f := unpark.Finding{Class: unpark.ClassSyscall, Cost: unpark.Cost{Cores: unpark.Measured(0.8, "cores", 1000)}}
	if c := cutOf(s, f); c.sync.low != 0 || c.sync.high < 0.15 || c.sync.high > 0.3 || c.messages < 0.9 {
		t.Errorf("sockets: %+v, %v of the messages", c.sync, c.messages)
	}
	f.Path = []unpark.Site{{Function: "os.(*File).Write"}}
	if c := cutOf(s, f); c.sync != (span{}) || c.messages != 0 {
		t.Errorf("a file: %+v, %v of the messages", c.sync, c.messages)
	}
}

// TestStopsMakeTheTail: stops that more than one request in a hundred meets are its p99.
func TestStopsMakeTheTail(t *testing.T) {
	s := &service{m: &model.Model{}}
	s.Response, s.population, s.rate = unpark.Latency{P90: 10e-3, P99: 80e-3}, 16, 1500
	for _, c := range []struct {
		name string
		stop facts.Stop
		want float64
	}{
		{"75 ms, twice a second", facts.Stop{Share: 0.15, Rate: 2}, 75.0 / 80},
		{"too seldom", facts.Stop{Share: 0.05, Rate: 0.5}, 0},
		{"shorter than what many take", facts.Stop{Share: 0.15, Rate: 30}, 0},
		{"longer than the p99", facts.Stop{Share: 0.2, Rate: 1}, 1},
	} {
		if got := stoppedTail(s, c.stop); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestWaitsThatStay: another service goes on being asked, and a limit goes on being one; a lock
// that nothing waits for is none.
func TestWaitsThatStay(t *testing.T) {
	s := full2(asking)
	for class, low := range map[unpark.Class]float64{unpark.ClassDownstream: 0.5, unpark.ClassRateLimit: 0.5, unpark.ClassIO: 0.95} {
		f := unpark.Finding{Class: class, Waiter: &unpark.Site{Function: "app.ask"}, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(1e-3, "s/req", 1000)}}
		if c := cutOf(s, f); c.wait.value != 1e-3 || math.Abs(c.wait.low-low*1e-3) > 1e-9 {
			t.Errorf("%s: %+v, want from %v", class, c.wait, low)
		}
	}
}

// TestLibrary: what a library's package takes on the way to its culprit may be done in another
// way as well; not what another package takes, or Go's own.
func TestLibrary(t *testing.T) {
	way := func(culprit string, outer string) unpark.Finding {
		return unpark.Finding{Culprit: &unpark.Site{Function: culprit}, Way: []unpark.Part{
			{Site: unpark.Site{Function: outer}, Share: 1.5}, {Site: unpark.Site{Function: culprit}, Share: 1},
		}}
	}
	for _, c := range []struct {
		f    unpark.Finding
		want float64
	}{
		{way("example.com/list.(*Rule).Match", "example.com/list.Domain"), 1.5},
		{way("example.com/list.(*Rule).Match", "example.com/web.Serve"), 1},
		{way("encoding/json.Marshal", "encoding/json.(*Encoder).Encode"), 0},
		{unpark.Finding{}, 0},
	} {
		if got := library(c.f); got != c.want {
			t.Errorf("%+v: %v, want %v", c.f.Culprit, got, c.want)
		}
	}
}

// TestManyStarts: with a function that starts a goroutine for each of many items goes what the
// scheduler does for them; a few are what a request needs.
func TestManyStarts(t *testing.T) {
	f := unpark.Finding{
		Class: unpark.ClassCPU, Culprit: &unpark.Site{Function: "lo/parallel.Map[...]"},
		Cost: unpark.Cost{Cores: unpark.Measured(0.8, "cores", 1000)},
	}
	for each, want := range map[float64]float64{100: 0.3, 4: 0} {
		s := full2(func(ev *facts.Evidence) {
			ev.CPU.Shares.Scheduler = unpark.Num(0.4)
			ev.Starts = []facts.SiteSum{
				{Site: unpark.Site{Function: "lo/parallel.Map[go.shape.int]"}, Value: each * 2000},
				{Site: unpark.Site{Function: "net/http.(*Server).Serve"}, Value: each * 2000 / 3},
			}
		})
		if c := cutOf(s, f); math.Abs(c.sync.high-want) > 1e-9 || c.sync.low != 0 {
			t.Errorf("%v for each request: %+v, want %v", each, c.sync, want)
		}
	}
}

// TestAlsoAsked: what a client's function is asked for elsewhere may go as well; what it is asked for here, what
// another client is, and a wait that is the user's own code are no part of that.
func TestAlsoAsked(t *testing.T) {
	at := func(app, client string, delay float64) model.Wait {
		stack := []unpark.Site{{Function: client}, {Function: app}}
		return model.Wait{Heaviest: facts.Wait{Waiter: unpark.Site{Function: app}, Stack: stack}, Delay: delay}
	}
	m := &model.Model{Requests: 10, Answers: []model.Wait{at("app.a", "db.recv", 30), at("app.b", "db.recv", 20), at("app.c", "cache.recv", 40)}}
	f := unpark.Finding{Class: unpark.ClassDownstream, Site: unpark.Site{Function: "app.a"}, Culprit: &unpark.Site{Function: "db.recv"}}
	if got := alsoAsked(m, f); got != 2 {
		t.Errorf("%v s per request, want 2", got)
	}
	for answers, open := range map[int]bool{1: false, 2: true} {
		s := full2()
		s.m.Requests, s.m.Answers = m.Requests, m.Answers[:answers]
		p := unpark.Prediction{Throughput: unpark.Between(1.21, 1.07, 1.85, "ratio", 100)}
		closedLoop{change{s, cut{}}}.silent(&p, f)
		if p.Throughput.High.Known() == open {
			t.Errorf("a client that is asked in %d places: %+v", answers, p.Throughput)
		}
	}
	f.Culprit = &f.Site
	if got := alsoAsked(m, f); got != 0 {
		t.Errorf("of the user's own code: %v", got)
	}
}

// TestDeviceOfLibrary: of a wait for a disk inside of a library of which nothing is sure no end is said.
func TestDeviceOfLibrary(t *testing.T) {
	for function, want := range map[string]bool{"lib.Apply": false, "app.handle": true} {
		p := unpark.Prediction{Throughput: unpark.Between(1.2, 0.98, 1.8, "ratio", 100)}
		f := unpark.Finding{Class: unpark.ClassIO, Site: unpark.Site{Function: "app.handle"}, Culprit: &unpark.Site{Function: function}}
		closedLoop{change{full2(), cut{}}}.silent(&p, f)
		if p.Throughput.Known() != want {
			t.Errorf("%s: %+v", function, p.Throughput)
		}
	}
}

// TestTriesAgain: of a wait between tries for what others may have all the time nothing is sure to go; of a sleep that each request has
// half is, which its program can choose.
func TestTriesAgain(t *testing.T) {
	at := unpark.Site{Function: "store.(*lock).take"}
	for _, c := range []struct {
		name  string
		count float64 // of 10 s of waits
		none  bool
	}{{"a few requests, several times", 10, true}, {"each request", 30_000, false}} {
		s := full2(func(ev *facts.Evidence) {
			ev.Window.Load.Response.Max = 3
			ev.Waits = []facts.Wait{{Class: unpark.WaitSleep, Side: unpark.RequestPath, Waiter: at, Delay: 10, Count: c.count, Stack: []unpark.Site{{Function: "time.Sleep"}, at}}}
		})
		f := unpark.Finding{Class: unpark.ClassRateLimit, Site: at, Waiter: &at}
		f.Cost.WaitPerRequest = unpark.Between(0.3e-3, 0.29e-3, 0.31e-3, "s/req", 9)
		if low := cutOf(s, f).wait.low; (low == 0) != c.none {
			t.Errorf("%s: at least %v s a request go", c.name, low)
		}
	}
}

// TestAskedAtOnce: where a request asks the same again and again, what asking for all at once would do is said beside what is
// sure; where it asks once, or where that was not counted, it is not.
func TestAskedAtOnce(t *testing.T) {
	for _, c := range []struct {
		name  string
		count float64 // waits in the window, of 30,000 requests that take 1 ms
		by    string  // what waits for the answer
		slept string  // what sleeps as often as it asks
		want  float64 // throughput, ×; 0: not said
	}{
		{"ten", 300_000, "lib.ask", "", 1 / (0.2 + 0.8/10)},
		{"two", 60_000, "lib.ask", "", 1 / (0.2 + 0.8/2)},
		{"one", 30_000, "lib.ask", "", 0},
		{"one, by net/http", 60_000, "net/http.(*persistConn).roundTrip", "", 0},
		{"ten, by net/http", 600_000, "net/http.(*persistConn).roundTrip", "", 1 / (0.2 + 0.8/10)},
		{"not counted", 0, "lib.ask", "", 0},
		{"ten tries", 300_000, "lib.ask", "lib.(*Client).Do", 0},
		{"ten, and something else that sleeps", 300_000, "lib.ask", "app.pace", 1 / (0.2 + 0.8/10)},
	} {
		ask := []unpark.Site{{Function: c.by}, {Function: "net/http.(*Client).Do"}, {Function: "lib.(*Client).Do"}, {Function: "app.ask"}}
		m := model.New(facts.Evidence{
			Host: unpark.Host{CPUs: 8}, Seconds: 15, Requests: unpark.Num(30_000),
			Window: unpark.Window{Level: unpark.Level{Connections: 2}, Load: &unpark.Load{
				Mode: unpark.Closed, AchievedRPS: 2000, OfferedRPS: 2000, Requests: 30_000,
				Response: unpark.Latency{N: 30_000, Mean: 1e-3, P50: 1e-3, P90: 1e-3, P99: 1e-3, Min: 1e-3},
			}},
			CPU:   facts.CPU{Cores: unpark.Num(0.2), Allowed: unpark.Num(8), Sampled: unpark.Num(3), RequestPath: unpark.Num(3)},
			Waits: []facts.Wait{{Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: unpark.Site{Function: "app.ask"}, Delay: 24, Count: c.count, Stack: ask}},
		})
		if c.slept != "" {
			m.Ev.Waits = append(m.Ev.Waits, facts.Wait{
				Class: unpark.WaitSleep, Side: unpark.RequestPath, Waiter: unpark.Site{Function: "app.h"}, Delay: 1e-3, Count: c.count,
				Stack: []unpark.Site{{Function: "time.Sleep"}, {Function: c.slept}, {Function: "app.h"}},
			})
		}
		f := unpark.Finding{
			Class: unpark.ClassDownstream, Site: unpark.Site{Function: "app.ask"}, Waiter: &unpark.Site{Function: "app.ask"},
			Cost: unpark.Cost{WaitPerRequest: unpark.Measured(0.8e-3, "s/req", 30_000)},
		}
		p := Predict(m, unpark.Limit{Kind: unpark.LimitDownstream}, f)
		var got unpark.Quantity
		for _, a := range p.Alternatives {
			if a.Fix == unpark.FixTogether {
				got = a.Throughput
			}
		}
		if c.want == 0 && got.Known() || c.want > 0 && (math.Abs(got.Value.Or(0)/c.want-1) > 0.1 || !got.Contains(c.want)) {
			t.Errorf("%s: %+v, want ×%v", c.name, got, c.want)
		}
		if c.want > 2 && got.Low.Or(0) <= p.Throughput.Low.Or(0) {
			t.Errorf("%s: at least ×%v, which is one question less", c.name, got.Low)
		}
		if told := strings.Contains(strings.Join(p.Assumptions, "; "), "asked at once"); told != (c.want > 0) {
			t.Errorf("%s: %q", c.name, p.Assumptions)
		}
	}
}
