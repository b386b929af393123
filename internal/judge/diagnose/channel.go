package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

func channelRule() Rule {
	return Rule{
		ID: "channel", Title: "channel, select, condition or group wait", Class: unpark.ClassChannel,
		Doc: "Reads request-path waits for another goroutine: channel operations, select, sync.Cond, sync.WaitGroup. " +
			"Fires from a hundredth of a request's time. Silent for parked workers and servers, and for a join whose " +
			"length is the waiting or computing of the goroutines it joins: those are reported where they happen.",
		Needs: []unpark.Kind{unpark.KindBlock},
		Run:   runChannel,
	}
}

// joins are the waits for another goroutine of the same process.
func joins() []unpark.WaitClass {
	return []unpark.WaitClass{unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitGroup}
}

func runChannel(ev facts.Evidence) []unpark.Finding {
	r := read(ev)
	var out []unpark.Finding
	for _, p := range r.joinPauses() {
		if len(out) == maxOfRule {
			break
		}
		f := r.finding("channel", unpark.ClassChannel, p)
		what := joinWord(p.wait.Class)
		f.Title = fmt.Sprintf("Requests wait %s in %s", what, short(p.wait.Waiter.Function))
		f.Remedies = joinRemedies(p.wait.Class)
		if shared, ok := r.flightOf(p); ok {
			shared.tell(&f, p.wait.Class)
		}
		out = append(out, f)
	}
	return out
}

// joinPauses returns the joins that are felt and that nothing below explains.
func (r reading) joinPauses() []pause {
	var out []pause
	behind := r.behind()
	for _, p := range r.pauses(joins()...) {
		calls := slices.ContainsFunc(behind, func(b pause) bool { return b.covers(p.wait.Waiter.Function) })
		if r.felt(p) && !calls && !r.starvedPause(p) && !r.explained(p) {
			out = append(out, p)
		}
	}
	return out
}

// explainedBy is the part of a join that other goroutines' own waits must fill
// before the join is only how a request learns that they are done.
const explainedBy = 0.7

// explained reports whether the goroutines that a join waits for account for
// it: by waits of their own, or by computing. Goroutines of the same sort as the
// waiter (the same outermost frame) are the request's own and explain nothing.
func (r reading) explained(p pause) bool {
	var below float64
	for _, other := range r.pauses(unpark.WaitLock, unpark.WaitDownstream, unpark.WaitPool, unpark.WaitSyscall,
		unpark.WaitSleep, unpark.WaitRateLimit) {
		if root(other.wait.Stack) != root(p.wait.Stack) {
			below += other.delay
		}
	}
	if below >= explainedBy*p.delay || r.served(p) {
		return true
	}
	cpu, ok := r.cpuPerRequest().Get()
	wait, known := r.perRequest(p.delay).Get()
	if !ok || !known || r.mean <= 0 {
		return false
	}
	// Computing and waiting that do not fit side by side into a request's time
	// happen at the same time: the wait is for the computing.
	return cpu >= explainedBy*wait && cpu+wait > 1.1*r.mean
}

// served reports whether those who end a join are idle until it begins and then sleep
// or compute for it alone: it is no queue, and as long as what they do. More of them
// would not shorten it.
func (r reading) served(p pause) bool {
	var all, served, own float64
	var n int64
	for _, e := range r.edgesOf([]unpark.WaitClass{p.wait.Class}, p.wait.Waiter.Function) {
		all, served, n = all+e.Delay, served+e.Served, n+e.Count
		own += e.Delay * (computed(e) + spentIn(e, unpark.WaitSleep))
	}
	return n >= chainWaits && served >= explainedBy*all && own >= explainedBy*all
}

func joinWord(c unpark.WaitClass) string {
	switch c {
	case unpark.WaitCond:
		return "for a condition (sync.Cond)"
	case unpark.WaitGroup:
		return "for other goroutines (sync.WaitGroup)"
	case unpark.WaitSelect:
		return "in a select"
	default:
		return "on a channel"
	}
}

func joinRemedies(c unpark.WaitClass) []unpark.Remedy {
	less := unpark.Remedy{
		Title: "Do less per item on the other side, or several items at a time (64–128)",
		Why:   "the wait is the other side's queue: it shrinks with the time that one item takes there",
		Risk:  "the first item of a batch waits for the last",
	}
	more := unpark.Remedy{
		Title: "Let more goroutines serve the other side",
		Why:   "while CPU is left, n servers divide the queue's load by n",
		Risk:  "order is lost; what they share needs a lock; no gain once the CPU is full",
	}
	if c == unpark.WaitGroup || c == unpark.WaitCond {
		return []unpark.Remedy{{
			Title: "Start the slowest part first, and answer without the parts that may come later",
			Why:   "a join lasts as long as its slowest member",
			Risk:  "work that outlives the request needs its own context and its own bound",
		}, less, more}
	}
	return []unpark.Remedy{less, more, {
		Title: "Give the channel a buffer that holds one burst",
		Why:   "senders then go on while the receiver catches up",
		Risk:  "helps against bursts only: with a receiver that is too slow on average the buffer fills and latency grows",
	}}
}
