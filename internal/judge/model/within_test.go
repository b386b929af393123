package model_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// calling is a way through functions, the innermost first, each with a value of CPU.
func calling(value float64, functions ...string) *facts.Node {
	var inner *facts.Node
	for _, f := range functions {
		n := &facts.Node{Site: at(f, 1), Value: value}
		if inner != nil {
			n.Calls, inner.Caller = []*facts.Node{inner}, n
		}
		inner = n
	}
	return inner
}

func frames(functions ...string) []unpark.Site {
	var out []unpark.Site
	for i, f := range functions {
		out = append(out, at(f, i+1))
	}
	return out
}

// TestKeeper: what is computed between taking a lock in one function and letting it go in
// another keeps it, if it runs for most of that time, and never twice at a time.
func TestKeeper(t *testing.T) {
	lock := func(cpu, held float64, series ...float64) model.Lock {
		ev := loaded()
		taken := frames("sync.(*Mutex).Lock", "db.begin", "db.Update", "app.put")
		given := frames("sync.(*Mutex).Unlock", "db.close", "db.Update", "app.put")
		ev.Locks = []facts.Lock{{
			Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: at("db.begin", 1), Holder: at("db.close", 2), Delay: 5, Count: 900,
			WaiterAll: taken, HolderAll: given, Utilization: unpark.Num(held),
		}}
		ev.CPU.Tree = facts.Tree{Total: cpu, Roots: []*facts.Node{calling(cpu, "sort.Sort", "db.Update", "app.put")}}
		ev.Goroutines = []facts.GoroutineGroup{{Side: unpark.RequestPath, Series: series, Stack: frames("sort.Sort", "db.Update", "app.put")}}
		return model.New(ev).Locks[0]
	}
	for _, c := range []struct {
		name      string
		cpu, held float64
		met       []float64
		kept      bool
	}{
		{"most of the hold", 8, 0.95, []float64{1, 1, 0, 1}, true},
		{"a little of it", 3, 0.95, []float64{1, 0, 0, 1}, false},
		{"more than it lasts", 8, 0.5, []float64{1, 1, 0, 1}, false},
		{"two at a time", 8, 0.95, []float64{1, 3, 0, 1}, false},
	} {
		q := lock(c.cpu, c.held, c.met...)
		if q.Within != "db.Update" || q.Kept != c.kept || c.kept && q.Under.Culprit.Function != "sort.Sort" {
			t.Errorf("%s: within %s, kept %v, under %+v", c.name, q.Within, q.Kept, q.Under)
		}
	}
}

// TestPlacesAreHeld: the places of a pool are held for what is computed below the function
// that takes one, where that is most of the time; of a pool that seldom is full nothing is said.
func TestPlacesAreHeld(t *testing.T) {
	pool := func(delay, cpu float64) model.Wait {
		ev := loaded() // one request under way on average
		ev.Window.Load.Response.Mean = 0.05
		ev.Waits = []facts.Wait{{
			Side: unpark.RequestPath, Class: unpark.WaitPool, Waiter: at("app.put", 1), Delay: delay, Count: 900,
			Stack: frames("sql.(*DB).conn", "app.put"), Source: "block.pb.gz",
		}}
		ev.CPU.Tree = facts.Tree{Total: cpu, Roots: []*facts.Node{calling(cpu, "sqlite.bind", "app.put")}}
		return model.New(ev).Pool[0]
	}
	// Five requests are under way, and four of them wait.
	if p := pool(40, 8); p.Under == nil || p.Under.Culprit.Function != "sqlite.bind" || p.Busy < 0.99 || p.Busy > 1.01 {
		t.Errorf("a place that is always held for computing: %+v", p)
	}
	if p := pool(40, 2); p.Under != nil {
		t.Errorf("a fifth of the time is not what it is held for: %+v", p)
	}
	if p := pool(2, 40); p.Under != nil {
		t.Errorf("places that are mostly free: %+v", p)
	}
}

// TestAlone: a function that one goroutine always runs, and never two, has no more to give;
// one that is idle at times has, and so has one that several run.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		cpu  float64
		met  []float64
		want bool
	}{
		{"always one", 9.6, []float64{1, 1, 1, 1}, true},
		{"idle at times", 5, []float64{1, 0, 1, 0}, false},
		{"two at times", 9.6, []float64{2, 0, 1, 1}, false},
		{"met nowhere", 9.6, nil, false},
	} {
		ev := loaded()
		ev.CPU.Tree = facts.Tree{Total: c.cpu, Roots: []*facts.Node{calling(c.cpu, "store.Compact", "server.loop")}}
		ev.Goroutines = []facts.GoroutineGroup{{Side: unpark.RequestPath, Series: c.met, Stack: frames("store.Compact", "server.loop")}}
		if got := model.Alone(model.New(ev), "store.Compact"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestOneGoroutineWrites: requests of a service that asks itself wait for its one goroutine
// that is always at the disk; not where that is idle at times, or where there are several.
func TestOneGoroutineWrites(t *testing.T) {
	io := func(peer bool, syncing, running, idle float64) []model.Wait {
		ev := loaded()
		ev.Window.Peers = []unpark.Peer{{Address: "127.0.0.1:4222", Connections: 2, Self: peer}}
		ask := at("client.request", 1)
		ev.Waits = []facts.Wait{{
			Side: unpark.RequestPath, Class: unpark.WaitSelect, Waiter: ask, Delay: 8, Count: 1000, Source: "block.pb.gz",
			Stack: frames("runtime.selectgo", "client.request", "app.put"),
		}}
		ev.Tracing = &unpark.Tracing{Requests: 1000, Edges: []unpark.Edge{{
			Class: unpark.WaitSelect, Waiter: ask, Holder: at("client.deliver", 3), Delay: 8, Count: 1000,
			Held: []unpark.Held{{Class: unpark.WaitNetwork, Site: at("client.read", 1), Call: at("net.(*conn).Read", 1), Share: 0.95}},
		}}}
		group := func(class unpark.WaitClass, mean float64, functions ...string) facts.GoroutineGroup {
			return facts.GoroutineGroup{Class: class, Side: unpark.RequestPath, Mean: mean, Site: at(functions[len(functions)-2], 1), Stack: frames(functions...)}
		}
		ev.Goroutines = []facts.GoroutineGroup{
			group(unpark.WaitSyscall, syncing, "syscall.Fsync", "os.(*File).Sync", "store.flush", "stream.loop"),
			group(unpark.WaitUnknown, running, "store.encode", "stream.loop"),
			group(unpark.WaitSelect, idle, "runtime.selectgo", "stream.wait", "stream.loop"),
		}
		return model.New(ev).IO
	}
	if all := io(true, 0.8, 0.2, 0); len(all) != 1 || all[0].Function() != "store.flush" || all[0].Delay != 8 {
		t.Errorf("always at the disk: %+v", all)
	}
	for name, all := range map[string][]model.Wait{
		"idle at times": io(true, 0.5, 0.2, 0.3), "several": io(true, 1.6, 0.4, 0), "mostly computing": io(true, 0.2, 0.8, 0), "another service": io(false, 0.8, 0.2, 0),
	} {
		if len(all) != 0 {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// TestBetweenAttempts: what calls again after a failure waits on purpose for the next attempt, also
// where no trace says that a timer ends it; what it calls does not.
func TestBetweenAttempts(t *testing.T) {
	for name, c := range map[string]struct {
		stack    []unpark.Site
		intended int
	}{
		"between attempts": {frames("runtime.selectgo", "github.com/hashicorp/go-retryablehttp.(*Client).Do", "app.ask"), 1},
		"the attempt":      {frames("runtime.selectgo", "app.(*queue).take", "github.com/hashicorp/go-retryablehttp.(*Client).Do", "app.ask"), 0},
	} {
		ev := loaded()
		ev.Waits = []facts.Wait{{
			Class: unpark.WaitSelect, Side: unpark.RequestPath, Waiter: at("app.ask", 9), Delay: 20, Count: 200, Stack: c.stack, Source: "block.pb.gz",
		}}
		if m := model.New(ev); len(m.Intended) != c.intended || len(m.Joins) != 1-c.intended {
			t.Errorf("%s: %d waits on purpose, %d joins", name, len(m.Intended), len(m.Joins))
		}
	}
}

// TestByTimer: a trace has the goroutine that ends a wait. Where it has none of so many that it would have seen, a
// timer ended them; of few that says nothing.
func TestByTimer(t *testing.T) {
	for name, c := range map[string]struct {
		count    float64 // waits of 10,000 requests; the trace has 1,000 of these
		ended    int64   // by goroutines, in the trace
		by       string  // the begin of the goroutine
		intended int
	}{
		"none of 200":                   {2000, 0, "app.work", 1},
		"none of six":                   {60, 0, "app.work", 1},
		"none of four":                  {40, 0, "app.work", 0},
		"one of six":                    {60, 1, "net/http.(*conn).serve", 0},
		"20 of 200":                     {2000, 20, "net/http.(*conn).serve", 1},
		"some behind others, beside it": {2000, -1, "app.work", 0}, // an edge within a chain has no count
		"20 of 200, beside the request": {2000, 20, "app.work", 0},
		"100 of 200":                    {2000, 100, "net/http.(*conn).serve", 0},
	} {
		ev := loaded()
		ev.Requests = unpark.Num(10_000)
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000}
		if c.ended != 0 {
			ev.Tracing.Edges = []unpark.Edge{{Class: unpark.WaitSelect, Waiter: at("app.poll", 9), Holder: at("app.give", 9), Count: max(0, c.ended), Delay: float64(max(0, c.ended)) * 0.01, Chained: 1}}
		}
		ev.Waits = []facts.Wait{{
			Class: unpark.WaitSelect, Side: unpark.RequestPath, Waiter: at("app.poll", 9), Delay: 20, Count: c.count, Stack: frames("runtime.selectgo", "app.poll", c.by), Source: "block.pb.gz",
		}}
		if m := model.New(ev); len(m.Intended) != c.intended || len(m.Joins) != 1-c.intended {
			t.Errorf("%s: %d waits on purpose, %d joins", name, len(m.Intended), len(m.Joins))
		}
	}
}

// TestEdgesOfGenericFunctions: the profile has the type arguments of a function, the trace has dots.
func TestEdgesOfGenericFunctions(t *testing.T) {
	ev := loaded()
	ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{{Class: unpark.WaitSelect, Waiter: at("queue.(*Queue[...]).Recv", 9), Count: 3, Delay: 1}}}
	m := model.New(ev)
	for function, want := range map[string]int{"queue.(*Queue[go.shape.*uint8]).Recv": 1, "queue.(*Queue[...]).Recv": 1, "queue.(*Queue[go.shape.int]).Send": 0} {
		if got := m.Edges(nil, function); len(got) != want {
			t.Errorf("%s: %d edges, want %d", function, len(got), want)
		}
	}
}
