package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// timed parts the joins into waits that a timer ends, as that of a select with a timeout,
// and all others. A trace has no goroutine that ended them: the processor that runs the
// timer does (runtime/time.go, unlockAndRun).
//
// One that is several goroutines away is felt by those between as well: that is the same wait.
func timed(m *Model, all []Wait) (timers, rest []Wait) {
	between := map[string]string{} // a function, and that of the wait that it is a part of
	for _, w := range all {
		o, clock := byClock(m, w)
		if clock || byTimer(m, w) || betweenAttempts(w) {
			w.Paced = clock && paces(m, w, o.Held)
			if clock && (w.Paced || o.Links > 1 || looksAgain(o.Held) || gathers(m, o.Held)) {
				w.Clock = o.Held.Site
				for _, f := range o.Via {
					between[f] = w.Function()
				}
			}
			w.Heaviest.Class = unpark.WaitSleep
			if w.Paced {
				w.Heaviest.Class = unpark.WaitRateLimit
			}
			timers = append(timers, w)
		} else {
			rest = append(rest, w)
		}
	}
	return behindClock(timers, between), behindClock(rest, between)
}

// behindClock leaves out the waits of those between a request and a timer.
func behindClock(all []Wait, between map[string]string) []Wait {
	return slices.DeleteFunc(all, func(w Wait) bool {
		of, ok := between[w.Function()]
		return ok && of != w.Function() && between[of] != w.Function()
	})
}

func byTimer(m *Model, w Wait) bool {
	t, class := m.Ev.Tracing, w.Heaviest.Class
	if t == nil || m.Requests <= 0 || class != unpark.WaitSelect && class != unpark.WaitChannel {
		return false
	}
	traced := w.Count / m.Requests * float64(t.Requests)
	var ended float64
	edges := m.Edges([]unpark.WaitClass{class}, w.Function())
	for _, e := range edges {
		ended += float64(e.Count)
	}
	if len(edges) > 0 && !inServer(w.Heaviest.Stack) {
		return false
	}
	return traced >= ChainWaits && ended < (1-explainedBy)*traced || ended == 0 && traced >= noneByChance
}

// inServer reports whether a stack is that of a goroutine that serves requests itself. Of one that works for a request
// beside it a trace has the waits that the request waited for, at once or through others, and no others: how many of all
// these goroutines ended does not say what ended the rest.
func inServer(stack []unpark.Site) bool {
	return slices.ContainsFunc(stack, func(s unpark.Site) bool {
		return roles.Is(s.Function, roles.ServesOne) || roles.Is(s.Function, roles.ServesInTurn) || roles.Is(s.Function, roles.ServesMany)
	})
}

// betweenAttempts reports whether it is what calls again after a failure that waits itself, and not
// what it calls: for a timer, or for the request to be given up.
func betweenAttempts(w Wait) bool {
	class := w.Heaviest.Class
	i := slices.IndexFunc(w.Heaviest.Stack, func(s unpark.Site) bool { return !roles.Is(s.Function, roles.Runtime) })
	return (class == unpark.WaitSelect || class == unpark.WaitChannel) && i >= 0 && roles.Is(w.Heaviest.Stack[i].Function, roles.Retries)
}

// byClock reports whether a wait is for a goroutine that itself waits for a timer, such as
// one that does something at every tick, or when a batch has waited for more: that requests wait for
// it is how long the answer is meant to take, and no queue. Had another goroutine ended its wait, a
// trace would have that.
func byClock(m *Model, w Wait) (Origin, bool) {
	class := w.Heaviest.Class
	if class != unpark.WaitSelect && class != unpark.WaitChannel || m.Ev.Tracing == nil {
		return Origin{}, false
	}
	var n int64
	for _, e := range m.Edges([]unpark.WaitClass{class}, w.Function()) {
		n += e.Count
	}
	o, ok := m.Origin([]unpark.WaitClass{class}, w.Function())
	clock := (o.Held.Class == unpark.WaitSelect || o.Held.Class == unpark.WaitChannel) && !endedByGoroutine(m, o.Held, o.Seconds) || looksAgain(o.Held)
	return o, ok && clock && n >= ChainWaits && o.Share >= explainedBy
}

// looksAgain reports whether a goroutine of a module sleeps: to look again later, or to pace itself. In the application's own code a sleep may be
// what one item takes.
func looksAgain(h unpark.Held) bool {
	_, _, _, versioned := h.Site.Module()
	return h.Class == unpark.WaitSleep && versioned
}

// endedByGoroutine reports whether a trace has goroutines that ended what a holder waited for, for more than a small part of the
// seconds that others waited meanwhile. A select that takes what comes until its timer ends has both: those that
// hand it something end short waits, the timer ends the one that all wait for.
func endedByGoroutine(m *Model, h unpark.Held, seconds float64) bool {
	var ended float64
	for _, e := range m.Edges([]unpark.WaitClass{h.Class}, h.Site.Function) {
		ended += e.Delay + e.Chained
	}
	return ended > (1-explainedBy)*seconds
}

// paces reports whether the goroutine that waits for a timer lets requests go one at a time, more of which wait than there are
// such goroutines: then they are let go at its pace, and more requests at a time wait for longer. One that ends the waits of
// all at once, or that each request has for itself, holds up no other.
func paces(m *Model, w Wait, clock unpark.Held) bool {
	var count, again int64
	for _, e := range m.Edges([]unpark.WaitClass{w.Heaviest.Class}, w.Function()) {
		count, again = count+e.Count, again+e.Again
	}
	clocks := 0.0
	for _, g := range m.Ev.Goroutines {
		if facts.Through(g.Stack, clock.Site.Function) {
			clocks += g.Mean
		}
	}
	return clocks > 0 && m.Seconds > 0 && w.Delay/m.Seconds >= crowdedLoop*clocks && float64(again) < (1-explainedBy)*float64(count)
}

// gathers reports whether requests hand something to the goroutine that waits for a timer: it waits for more to come.
func gathers(m *Model, clock unpark.Held) bool {
	return slices.ContainsFunc(m.Edges(nil, clock.Site.Function), func(e unpark.Edge) bool {
		return roles.On(e.HolderStack, roles.Request)
	})
}
