package evidence

import (
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

// noteParts says that traces were read to a part.
func (n *notices) noteParts(ts *traces) {
	parts, longest := 0, 0.0
	for _, t := range ts.all {
		if t.Part {
			parts, longest = parts+1, max(longest, t.Seconds)
		}
	}
	if parts > 0 {
		n.add("trace-part", "for all of one process, diagnose its folder alone: unpark diagnose RUN/window-01/PID",
			"Of %d of %d traces the beginning was read, at most %s: more of so many adds requests of the same kind.", parts, len(ts.all), units.Say(longest, "s"))
	}
}

// noteTraces compares what profiles and traces say of the same locks.
func (n *notices) noteTraces(ts *traces) {
	t := n.ev.Tracing
	requests, known := n.ev.Requests.Get()
	if t == nil || !known || requests == 0 || !n.has(unpark.KindBlock) || t.Requests < comparableWaits {
		return
	}
	scale := ts.scale()
	locks := byWaiter(n.ev.Locks)
	for _, function := range slices.Sorted(maps.Keys(locks)) {
		l := locks[function]
		var traced float64
		var count int64
		var main unpark.Edge
		for _, e := range t.Edges {
			if e.Class != unpark.WaitLock || roles.Outer(e.Waiter.Function) != function {
				continue
			}
			traced += e.Delay * scale
			count += e.Count
			if e.Delay > main.Delay {
				main = e
			}
		}
		least := leastCompared * t.Wall.Mean * requests
		if max(traced, l.Delay) < least || max(float64(count), l.Count) < comparableWaits {
			continue
		}
		if ratio := traced / l.Delay; ratio < tracedLow || ratio > tracedHigh {
			n.add("trace-block-disagree", "take a longer trace ("+t.Longer()+"); if they still differ, believe the trace: it records every wait, and only those of requests",
				"Requests waited %s each for the lock in %s by the block profile, %s by the execution trace of the %s that followed.",
				units.Say(l.Delay/requests, "s"), function, units.Say(traced/requests, "s"), units.Say(t.Seconds, "s"))
		}
		held, traceHeld := roles.Outer(l.Holder.Function), roles.Outer(main.Holder.Function)
		if held != "" && traceHeld != "" && held != traceHeld && main.Delay >= mainHolder*traced/scale {
			n.add("trace-mutex-disagree", "believe the trace: it joins the two ends by the event, profiles by how long they took",
				"By the profiles %s lets the waiters of %s go, by the execution trace %s does in %d of %d waits.",
				held, function, traceHeld, main.Count, count)
		}
	}
}

// byWaiter joins the locks of the request path by the function that waits; the
// largest of each lends its holder.
func byWaiter(locks []facts.Lock) map[string]facts.Lock {
	out := map[string]facts.Lock{}
	for _, l := range locks {
		if l.Side != unpark.RequestPath || l.Type == facts.RuntimeLock || l.Type == facts.DescriptorLock || l.Waiter.IsZero() || l.Delay == 0 {
			continue
		}
		f := roles.Outer(l.Waiter.Function)
		sum := out[f]
		if sum.Delay < l.Delay {
			l.Delay, l.Count = l.Delay+sum.Delay, l.Count+sum.Count
			out[f] = l
			continue
		}
		sum.Delay += l.Delay
		sum.Count += l.Count
		out[f] = sum
	}
	return out
}
