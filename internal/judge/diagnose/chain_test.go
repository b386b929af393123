package diagnose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// chained is the evidence of requests that wait for a group in app.commit, in
// which somebody did these things for so much of the time.
func chained(edges ...unpark.Edge) facts.Evidence {
	ev := calm()
	ev.Waits = append(ev.Waits, waits(unpark.WaitGroup, 60, 10000, "block.pb.gz", "sync.(*WaitGroup).Wait", "app.commit", "net/http.(*conn).serve"))
	ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: edges}
	return ev
}

func edge(class unpark.WaitClass, waiter, holder string, held ...unpark.Held) unpark.Edge {
	return unpark.Edge{Class: class, Waiter: fn(waiter), Holder: fn(holder), Delay: 5, Count: 900, Held: held}
}

func sync(share float64) unpark.Held {
	return unpark.Held{Class: unpark.WaitSyscall, Site: fn("app.flush"), Call: unpark.Site{Function: "golang.org/x/sys/unix.Fdatasync"}, Share: share}
}

// few is an edge that few requests waited at themselves.
func few(e unpark.Edge) unpark.Edge {
	e.Count, e.Chained = 5, 40
	return e
}

func TestJoinsBehindSystemCalls(t *testing.T) {
	compute := unpark.Held{Class: unpark.Running, Share: 0.6}
	tests := []struct {
		name  string
		edges []unpark.Edge
		class unpark.Class
		limit unpark.LimitKind
	}{
		{"who ends the wait was syncing", []unpark.Edge{edge(unpark.WaitGroup, "app.commit", "app.done", sync(0.9))}, unpark.ClassIO, unpark.LimitIO},
		{"it waited for one that was", []unpark.Edge{
			edge(unpark.WaitGroup, "app.commit", "app.own", unpark.Held{Class: unpark.WaitChannel, Site: fn("app.own"), Share: 0.95}),
			edge(unpark.WaitChannel, "app.own", "app.done", sync(0.9)),
		}, unpark.ClassIO, unpark.LimitIO},
		{"its worker was idle until somebody told it, who waited for one that was, or for a processor", []unpark.Edge{
			edge(unpark.WaitGroup, "app.commit", "app.reply", unpark.Held{Class: unpark.WaitSelect, Site: fn("app.work"), Share: 0.9}, unpark.Held{Class: unpark.Running, Share: 0.1}),
			few(edge(unpark.WaitSelect, "app.work", "app.loop", unpark.Held{Class: unpark.WaitScheduler, Share: 0.5}, unpark.Held{Class: unpark.WaitChannel, Site: fn("app.own"), Share: 0.5})),
			few(edge(unpark.WaitChannel, "app.own", "app.done", sync(0.9))),
		}, unpark.ClassIO, unpark.LimitIO},
		{"its worker was idle until somebody told it, who computed", []unpark.Edge{
			edge(unpark.WaitGroup, "app.commit", "app.reply", unpark.Held{Class: unpark.WaitSelect, Site: fn("app.work"), Share: 0.9}),
			few(edge(unpark.WaitSelect, "app.work", "app.loop", compute, sync(0.3))),
		}, unpark.ClassChannel, unpark.LimitChannel},
		{"its calls are little beside the want of a processor", []unpark.Edge{
			edge(unpark.WaitGroup, "app.commit", "app.done", unpark.Held{Class: unpark.WaitScheduler, Share: 0.9}, sync(0.1)),
		}, unpark.ClassChannel, unpark.LimitChannel},
		{"its calls are most of what is known", []unpark.Edge{
			edge(unpark.WaitGroup, "app.commit", "app.done", unpark.Held{Class: unpark.WaitUnknown, Share: 0.45}, sync(0.4), unpark.Held{Class: unpark.Running, Share: 0.15}),
		}, unpark.ClassIO, unpark.LimitIO},
		{"little is known", []unpark.Edge{
			edge(unpark.WaitGroup, "app.commit", "app.done", unpark.Held{Class: unpark.WaitUnknown, Share: 0.6}, sync(0.4)),
		}, unpark.ClassChannel, unpark.LimitChannel},
		{"it computed", []unpark.Edge{edge(unpark.WaitGroup, "app.commit", "app.done", compute, sync(0.3))}, unpark.ClassChannel, unpark.LimitChannel},
		{"no trace of it", nil, unpark.ClassChannel, unpark.LimitChannel},
		{"a handful of waits of requests, and many of others", []unpark.Edge{few(edge(unpark.WaitGroup, "app.commit", "app.done", sync(0.9)))}, unpark.ClassChannel, unpark.LimitChannel},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			limit, findings, _ := diagnose.Verdict(chained(tt.edges...), nil)
			if len(findings) != 1 || findings[0].Class != tt.class || limit.Kind != tt.limit {
				t.Fatalf("limit %s (%s), findings %+v; want %s and one %s", limit.Kind, limit.Why, findings, tt.limit, tt.class)
			}
			if named := strings.Contains(findings[0].Title, "unix.Fdatasync in app.flush"); named != (tt.class == unpark.ClassIO) {
				t.Error(findings[0].Title)
			}
		})
	}
}

// TestDenseChains: who waits for whom may be a thicket, in which there are more ways than
// can be gone.
func TestDenseChains(t *testing.T) {
	const n = 30
	name := func(i int) string { return fmt.Sprintf("app.step%d", i) }
	edges := []unpark.Edge{edge(unpark.WaitGroup, "app.commit", "app.done", unpark.Held{Class: unpark.WaitLock, Site: fn(name(0)), Share: 1})}
	for i := range n {
		var held []unpark.Held
		for j := range n {
			held = append(held, unpark.Held{Class: unpark.WaitLock, Site: fn(name(j)), Share: 1.0 / n})
		}
		edges = append(edges, edge(unpark.WaitLock, name(i), "app.done", held...))
	}
	if limit, _, _ := diagnose.Verdict(chained(edges...), nil); limit.Kind != unpark.LimitChannel {
		t.Errorf("limit %s: %s", limit.Kind, limit.Why)
	}
}

// TestJoinsBehindAnswers: requests that wait for a goroutine which reads answers from a
// connection wait for the other side, whatever syncs come with it.
func TestJoinsBehindAnswers(t *testing.T) {
	reads := unpark.Held{Class: unpark.WaitNetwork, Site: fn("app.(*conn).readLoop"), Call: fn("bufio.(*Reader).ReadByte"), Share: 0.5}
	more := reads
	more.Share = 0.6
	for _, tt := range []struct {
		name  string
		held  []unpark.Held
		class unpark.Class
		limit unpark.LimitKind
	}{
		{"half of it, and a sync before", []unpark.Held{reads, sync(0.3), {Class: unpark.Running, Share: 0.2}}, unpark.ClassDownstream, unpark.LimitDownstream},
		{"half of it, and computing before", []unpark.Held{reads, {Class: unpark.Running, Share: 0.5}}, unpark.ClassChannel, unpark.LimitChannel},
		{"three fifths of it, and computing before", []unpark.Held{more, {Class: unpark.Running, Share: 0.4}}, unpark.ClassDownstream, unpark.LimitDownstream},
		{"half of it, for the want of a processor", []unpark.Held{reads, {Class: unpark.WaitScheduler, Share: 0.4}, {Class: unpark.Running, Share: 0.1}}, unpark.ClassDownstream, unpark.LimitDownstream},
	} {
		limit, findings, _ := diagnose.Verdict(chained(edge(unpark.WaitGroup, "app.commit", "app.reply", tt.held...)), nil)
		if len(findings) != 1 || findings[0].Class != tt.class || limit.Kind != tt.limit {
			t.Errorf("%s: limit %s (%s), findings %+v", tt.name, limit.Kind, limit.Why, findings)
			continue
		}
		if told := strings.Contains(findings[0].Title, "ReadByte in app.(*conn).readLoop"); told != (tt.class == unpark.ClassDownstream) {
			t.Errorf("%s: %s", tt.name, findings[0].Title)
		}
	}
}

// A lock that is held while its holder waits for a group that waits for the disk
// is held across I/O.
func TestLockHeldAcrossAChain(t *testing.T) {
	ev := chained(
		edge(unpark.WaitLock, "app.(*Cache).Get", "app.(*Cache).Get", unpark.Held{Class: unpark.WaitGroup, Site: fn("app.commit"), Call: fn("db.(*Batch).Commit"), Share: 0.9}),
		edge(unpark.WaitGroup, "app.commit", "app.done", sync(0.9)),
	)
	ev.Locks = []facts.Lock{contended(30, 0.5)}
	_, findings, _ := diagnose.Verdict(ev, nil)
	locks := of(unpark.ClassLock, findings)
	if len(locks) != 1 || !strings.HasSuffix(locks[0].Title, "held across I/O of app.flush") || !strings.Contains(locks[0].Remedies[0].Title, "wait for app.flush outside of the lock in app.(*Cache).Get") {
		t.Fatalf("%+v", locks)
	}
	// Of what the holder does itself there is no other.
	itself := chained(edge(unpark.WaitLock, "app.(*Cache).Get", "app.(*Cache).Get", sync(0.9)))
	itself.Locks = ev.Locks
	_, findings, _ = diagnose.Verdict(itself, nil)
	if l := of(unpark.ClassLock, findings); len(l) != 1 || !strings.HasSuffix(l[0].Title, "held across I/O") || !strings.Contains(l[0].Remedies[0].Title, "out of the lock in") {
		t.Errorf("what the holder does itself: %+v", l)
	}
	ev.Tracing.Edges = ev.Tracing.Edges[:1] // nobody knows what the group waits for
	_, findings, _ = diagnose.Verdict(ev, nil)
	if l := of(unpark.ClassLock, findings); strings.Contains(l[0].Title, "across I/O") {
		t.Error(l[0].Title)
	}
}

// TestGroupCommitIsOneFinding: requests wait for the one who commits for all, and it
// waits for the disk. That is one wait. Two functions in which requests wait for the
// same disk are one cause with both costs, two disks are two.
func TestGroupCommitIsOneFinding(t *testing.T) {
	journal := sync(0.9)
	journal.Site, journal.Call = fn("app.journal"), unpark.Site{Function: "os.(*File).Sync"}
	inOwner := waits(unpark.WaitGroup, 8, 1000, "block.pb.gz", "sync.(*WaitGroup).Wait", "db.(*Batch).Commit", "app.own", "app.serve.gowrap1")
	inOther := waits(unpark.WaitChannel, 20, 5000, "block.pb.gz", "runtime.chanrecv1", "app.second", "net/http.(*conn).serve")
	held := unpark.Held{Class: unpark.WaitGroup, Site: fn("app.own"), Call: fn("db.(*Batch).Commit"), Share: 0.95}
	tests := []struct {
		name    string
		wait    facts.Wait
		edges   []unpark.Edge
		io      int
		waiters float64
		says    string
	}{
		{
			"the owner between", inOwner,
			[]unpark.Edge{edge(unpark.WaitGroup, "app.commit", "app.own", held), edge(unpark.WaitGroup, "app.own", "app.done", sync(0.9))},
			1, 6, "goroutines in app.own that wait for the same",
		},
		{
			"the owner between, who is no request", inOwner,
			[]unpark.Edge{edge(unpark.WaitGroup, "app.commit", "app.own", held), few(edge(unpark.WaitGroup, "app.own", "app.done", sync(0.9)))},
			1, 6, "goroutines in app.own that wait for the same",
		},
		{
			"two functions, one disk", inOther,
			[]unpark.Edge{edge(unpark.WaitGroup, "app.commit", "app.done", sync(0.9)), edge(unpark.WaitChannel, "app.second", "app.done", sync(0.9))},
			1, 8, "part of it in app.second",
		},
		{
			"two disks", inOther,
			[]unpark.Edge{edge(unpark.WaitGroup, "app.commit", "app.done", sync(0.9)), edge(unpark.WaitChannel, "app.second", "app.done", journal)},
			2, 6, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ev := chained(tt.edges...)
			ev.Waits = append(ev.Waits, tt.wait)
			_, findings, _ := diagnose.Verdict(ev, nil)
			f := of(unpark.ClassIO, findings)
			if len(f) != tt.io || len(f) != len(findings) || f[0].Site.Function != "app.commit" {
				t.Fatalf("%d findings, want %d of io: %+v", len(findings), tt.io, findings)
			}
			if got := f[0].Cost.MeanWaiters.Value.Or(0); got != tt.waiters {
				t.Errorf("%v mean waiters, want %v", got, tt.waiters)
			}
			if facts := texts(f[0]); !strings.Contains(facts, tt.says) || tt.says == "" && strings.Contains(facts, "app.second") {
				t.Errorf("no %q in\n%s", tt.says, facts)
			}
		})
	}
}

// TestServedWaitIsNoQueue: workers that are idle until a request comes, and then sleep
// or compute for it alone, or have others do so, are not what requests queue for.
func TestServedWaitIsNoQueue(t *testing.T) {
	asleep := unpark.Held{Class: unpark.WaitSleep, Site: fn("app.work"), Share: 0.9}
	asks := unpark.Held{Class: unpark.WaitDownstream, Site: fn("app.work"), Share: 0.9}
	helped := unpark.Held{Class: unpark.WaitChannel, Site: fn("app.work"), Share: 0.9}
	tests := []struct {
		name   string
		served float64 // of 5 s
		held   unpark.Held
		helper unpark.Held // what those do that the workers wait for
		want   int         // findings
	}{
		{"idle workers", 4.8, asleep, asleep, 0},
		{"busy workers", 0.5, asleep, asleep, 1},
		{"idle workers that ask elsewhere", 4.8, asks, asks, 1},
		{"idle workers with helpers that compute", 4.8, helped, unpark.Held{Class: unpark.Running, Share: 0.9}, 0},
		{"busy workers with such helpers", 0.5, helped, unpark.Held{Class: unpark.Running, Share: 0.9}, 1},
		{"idle workers with helpers that ask elsewhere", 4.8, helped, asks, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := edge(unpark.WaitGroup, "app.commit", "app.work", tt.held)
			e.Served = tt.served
			limit, findings, _ := diagnose.Verdict(chained(e, edge(unpark.WaitChannel, "app.work", "app.helper", tt.helper)), nil)
			if len(findings) != tt.want || (limit.Kind == unpark.LimitChannel) != (tt.want == 1) {
				t.Errorf("limit %s (%s), findings %+v, want %d", limit.Kind, limit.Why, findings, tt.want)
			}
		})
	}
}
