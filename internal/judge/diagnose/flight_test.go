package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestFlights: many requests that wait for one which computes for all of them are not
// helped by more goroutines. Who waits on whom tells them from a fan-out, from a queue
// before a worker and from requests that take turns.
func TestFlights(t *testing.T) {
	join := func(class unpark.WaitClass, names ...string) func(*facts.Evidence) {
		return func(ev *facts.Evidence) {
			ev.Waits = append(ev.Waits[:1], waits(class, 60, 10000, "block.pb.gz", append(names, "app.current", "net/http.(*conn).serve")...))
		}
	}
	computes := func(cpu float64) func(*facts.Evidence) {
		return func(ev *facts.Evidence) {
			ev.CPU.Sites = []facts.CPUSite{{Site: fn("app.current"), Self: 0.1, Cum: cpu, Side: unpark.RequestPath}}
		}
	}
	ended := func(class, did unpark.WaitClass, by ...string) func(*facts.Evidence) {
		return func(ev *facts.Evidence) {
			e := edge(class, "app.current", by[0], unpark.Held{Class: did, Site: fn(by[0]), Share: 0.9})
			e.HolderStack = stack(by...)
			ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
		}
	}
	const group, channel, cond = unpark.WaitGroup, unpark.WaitChannel, unpark.WaitCond
	const stale, depends = "Serve what was made last", "If one computes for all that wait"
	request := []string{"sync.(*WaitGroup).Done", "app.current", "net/http.(*conn).serve"}
	again := func(ev *facts.Evidence) { ev.Tracing.Edges[0].Again = 850 }
	tests := []struct {
		name string
		with []func(*facts.Evidence)
		want string // the first remedy
	}{
		{"a group that one of the requests ends", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait"), computes(4), ended(group, unpark.Running, request...)}, stale},
		{"the same by the library's frames, without a trace", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait", "golang.org/x/sync/singleflight.(*Group).Do"), computes(4)}, stale},
		{"a broadcast", []func(*facts.Evidence){join(cond, "sync.(*Cond).Wait"), computes(4), ended(cond, unpark.Running, "sync.(*Cond).Broadcast", "app.current")}, stale},
		{"a channel: closed for all, or handed on", []func(*facts.Evidence){join(channel, "runtime.chanrecv1"), computes(4), ended(channel, unpark.Running, "app.current", "net/http.(*conn).serve")}, depends},
		{"one is let go at a time", []func(*facts.Evidence){join(cond, "sync.(*Cond).Wait"), computes(4), ended(cond, unpark.Running, "sync.(*Cond).Signal", "app.current")}, "Start the slowest part"},
		{"a fan-out: members that the request started", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait"), computes(4), ended(group, unpark.Running, "sync.(*WaitGroup).Done", "app.current.func1")}, "Start the slowest part"},
		{"a worker that serves a queue", []func(*facts.Evidence){join(channel, "runtime.chanrecv1"), computes(4), ended(channel, unpark.Running, "app.work")}, "Do less per item"},
		{"requests that compute as long as they wait", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait"), computes(40), ended(group, unpark.Running, request...)}, "Start the slowest part"},
		{"one that waits itself", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait"), computes(4), ended(group, unpark.WaitDownstream, request...)}, "Start the slowest part"},
		{"one that waits itself, and then lets all go", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait"), ended(group, unpark.WaitDownstream, request...), again}, stale},
		{"one that waits for others, and then lets all go", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait"), ended(group, unpark.WaitChannel, request...), again}, "Start the slowest part"},
		{"a part of the request that lets all go", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait"), ended(group, unpark.WaitDownstream, "sync.(*WaitGroup).Done", "app.current.func1"), again}, "Start the slowest part"},
		{"a channel that one closes when its answer is there", []func(*facts.Evidence){join(channel, "runtime.chanrecv1"), ended(channel, unpark.WaitDownstream, "app.current", "net/http.(*conn).serve"), again}, stale},
		{"a channel to which one sends when its answer is there", []func(*facts.Evidence){join(channel, "runtime.chanrecv1"), ended(channel, unpark.WaitDownstream, "runtime.chansend1", "app.current", "net/http.(*conn).serve"), again}, "Let more goroutines"},
		{"no trace and no library", []func(*facts.Evidence){join(group, "sync.(*WaitGroup).Wait"), computes(4)}, "Start the slowest part"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ev := calm()
			for _, with := range tt.with {
				with(&ev)
			}
			_, findings, _ := diagnose.Verdict(ev, nil)
			f := of(unpark.ClassChannel, findings)
			if len(f) != 1 || !strings.HasPrefix(f[0].Remedies[0].Title, tt.want) {
				t.Fatalf("%+v, want %q first", findings, tt.want)
			}
			if told := strings.Contains(f[0].Title, "until one of them has made"); told != (tt.want == stale) {
				t.Error(f[0].Title)
			}
			check(t, f[0])
		})
	}
}
