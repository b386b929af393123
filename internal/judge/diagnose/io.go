package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

func ioRule() Rule {
	return Rule{
		ID: "io", Title: "file and system call waits", Class: unpark.ClassIO,
		Doc: "Reads request-path goroutines found inside blocking system calls (fsync, file reads and writes), and " +
			"waits for one another at one descriptor. Fires from a hundredth of a request's time. Silent for background writers, and for waits below a lock that binds: they are its hold.",
		Needs: []unpark.Kind{unpark.KindGoroutine, unpark.KindBlock},
		Run:   runIO,
	}
}

func runIO(ev facts.Evidence) []unpark.Finding {
	r := read(ev)
	return r.waitFindings("io", unpark.ClassIO, r.ioPauses(), ioText)
}

// ioPauses are the waits inside system calls, with those for one another at a
// descriptor: one goroutine at a time may write it (internal/poll/fd_mutex.go),
// so that wait is the calls of the requests before.
func (r reading) ioPauses() []pause {
	out := r.pauses(unpark.WaitSyscall)
	for _, q := range r.queuesOf(func(l facts.Lock) bool { return l.Type == descriptor }) {
		at := slices.IndexFunc(out, func(p pause) bool { return p.wait.Waiter.Function == q.lock.Waiter.Function })
		if at < 0 {
			at = len(out)
			out = append(out, pause{sources: map[string]float64{}, wait: facts.Wait{
				Class: unpark.WaitSyscall, Side: unpark.RequestPath, Waiter: q.lock.Waiter,
				Delay: q.delay, Count: q.count, Stack: q.lock.WaiterAll,
			}})
		}
		out[at].delay += q.delay
		out[at].seen += q.count
		out[at].sources[blockFile] += q.delay
	}
	for _, b := range r.behindOf(unpark.WaitSyscall) {
		// The goroutine that makes the calls is met there as well: it is the same wait,
		// seen from its far end.
		out = slices.DeleteFunc(out, func(other pause) bool { return other.wait.Waiter.Function == b.calls.Site.Function })
		out = append(out, b)
	}
	slices.SortStableFunc(out, func(a, b pause) int { return cmp.Compare(b.delay, a.delay) })
	return out
}

// behindOf returns the joins behind calls of one class.
func (r reading) behindOf(class unpark.WaitClass) []pause {
	return slices.DeleteFunc(r.behind(), func(p pause) bool { return p.wait.Class != class })
}

// behind returns the joins that are waits for another goroutine's system calls, or for the
// other end of a connection that it uses, one for each place that makes them.
func (r reading) behind() []pause {
	var out []pause
	var via [][]string // of each of out
	var rest []pause
	for _, p := range r.pauses(joins()...) {
		o, ok := r.behindCalls(p)
		if !ok {
			rest = append(rest, p)
			continue
		}
		p.wait.Class, p.calls = unpark.WaitSyscall, &o.held
		if o.held.Class == unpark.WaitNetwork {
			p.wait.Class = unpark.WaitDownstream
		}
		at := slices.IndexFunc(out, func(b pause) bool {
			return b.calls.Site.Function == o.held.Site.Function && b.calls.Call.Function == o.held.Call.Function
		})
		switch {
		case at < 0:
			out, via = append(out, p), append(via, o.via)
		case slices.Contains(via[at], p.wait.Waiter.Function):
			rest = append(rest, p)
		case slices.Contains(o.via, out[at].wait.Waiter.Function):
			p.between = append(out[at].between, out[at])
			out[at], via[at] = p, o.via
		default:
			out[at].add(p)
		}
	}
	// Who commits for others waits in turn: the same time, seen from a link of the chain
	// in between.
	for _, p := range rest {
		if at := slices.IndexFunc(via, func(v []string) bool { return slices.Contains(v, p.wait.Waiter.Function) }); at >= 0 {
			out[at].between = append(out[at].between, p)
		}
	}
	return out
}

func ioText(p pause) (string, []unpark.Remedy) {
	w := p.wait
	where := short(w.Waiter.Function)
	if p.calls != nil {
		w.Stack = append([]unpark.Site{p.calls.Call, p.calls.Site}, w.Stack...)
		where += fmt.Sprintf(" until another goroutine has made its calls (%s in %s)", short(p.calls.Call.Function), short(p.calls.Site.Function))
	}
	if roles.On(w.Stack, roles.Sync) {
		return "Requests wait for the disk to sync in " + where, []unpark.Remedy{{
			Title: "Group commit: one sync for all requests that wait for one (64–128)",
			Why:   "a sync costs the same for one record and for a hundred",
			Risk:  "each request waits for its group; bound the group by time",
		}, {
			Title: "Sync in the background where losing the last moments is allowed",
			Why:   "then no request waits for the disk",
			Risk:  "a crash loses what was answered but not synced",
		}}
	}
	if roles.On(w.Stack, roles.Descriptor) {
		return "Requests wait for one another to use one file or connection in " + where, []unpark.Remedy{{
			Title: "Let one goroutine write for many: collect records and write them together (64–128)",
			Why:   "one goroutine at a time may write a descriptor, so each request waits for the calls of those before it",
			Risk:  "a crash loses what was collected; requests that need the write done must wait for their group",
		}, {
			Title: "Use several files or connections",
			Why:   "each has a lock of its own",
			Risk:  "order between them is lost",
		}}
	}
	return "Requests wait inside system calls in " + where, []unpark.Remedy{{
		Title: "Keep what is read again in memory, and write behind a buffer",
		Why:   "each call blocks the request and its thread until the kernel is done",
		Risk:  "memory; a bound and an age are needed",
	}, {
		Title: "Fewer, larger calls",
		Why:   "the cost is mostly per call",
		Risk:  "",
	}}
}
