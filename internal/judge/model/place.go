package model

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// places parts the joins into waits for a place that another request gives back, as at a
// channel that is used as a semaphore, and all others.
func places(m *Model, all []Wait) (pool, rest []Wait) {
	for _, w := range all {
		if w.Plausible && givenBack(m, w) {
			pool = append(pool, w)
		} else {
			rest = append(rest, w)
		}
	}
	return pool, rest
}

// givenBack reports whether a wait is ended by other requests that are done with what it
// is for. Requests are no workers of one another: one that takes what another offers
// makes room for it. One that computes an answer for all that ask for it ends their waits
// from inside of the function in which they wait, and so does one that wakes all, unless these wait again for most of the time; but what that function puts off to a function
// literal of its own, for one other each time, it does when it is done (Effective Go, "Channels": a semaphore's place is given back by
// defer). One that receives gives no answer, it makes room for one that sends, in a select as well
// (runtime/chan.go: a receiver takes the value of a sender that waits). What was set to work by the request that waits is a part of
// that request, whatever its stack says, and gives nothing back.
func givenBack(m *Model, w Wait) bool {
	if w.Heaviest.Class == unpark.WaitGroup {
		return false
	}
	asks := asking(w.Heaviest.Stack)
	offers := roles.Of(leafOf(w.Heaviest.Stack))
	sends := offers.Wait == unpark.WaitChannel && !offers.Receives
	var all, back float64
	var n int64
	for _, e := range m.Edges([]unpark.WaitClass{w.Heaviest.Class}, w.Function()) {
		all, n = all+e.Delay, n+e.Count
		if !roles.On(e.HolderStack, roles.Request) || roles.On(e.HolderStack, roles.Broadcast) && !wokenInVain(m, e) || roles.On(e.HolderStack, roles.SingleFlight) {
			continue
		}
		ends := roles.Of(leafOf(e.HolderStack))
		gives := ends.Wait == unpark.WaitChannel && !ends.Receives && putOff(e.HolderStack, asks) && e.Again < e.Count/2 // of two that one answers, one is the next
		if sends || ends.Receives || w.Heaviest.Class != unpark.WaitChannel && (gives || !facts.Through(e.HolderStack, asks)) {
			back += max(0, e.Delay-e.Served)
		}
	}
	return n >= ChainWaits && back >= explainedBy*all
}

// wokenInVain reports whether most of those that are woken wait again at once: by waking all for what one of them can have.
func wokenInVain(m *Model, e unpark.Edge) bool {
	return m.Traced() && roles.On(e.HolderStack, roles.Broadcast) && float64(e.Count) >= waitsAnew*float64(m.Ev.Tracing.Requests)
}

// putOff reports whether a goroutine came from a function to what it does by a function literal in that function.
func putOff(stack []unpark.Site, function string) bool {
	i := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == function })
	if i <= 0 {
		return false
	}
	literal, ok := strings.CutPrefix(stack[i-1].Function, function+".")
	return ok && strings.Trim(strings.TrimPrefix(literal, "func"), "0123456789") == ""
}

// holders adds to waits for a place what those do that have one.
func holders(m *Model, pool []Wait) []Wait {
	for i, w := range pool {
		pool[i].InVain = slices.ContainsFunc(m.Edges([]unpark.WaitClass{w.Heaviest.Class}, w.Function()), func(e unpark.Edge) bool { return wokenInVain(m, e) })
		if m.Share(w.Delay).Or(0) < busyLockFelt {
			continue // then places are often free, and hardly anything is said of how many there are
		}
		pool[i].Busy = m.RPS*m.Mean - w.Delay/m.Seconds // at most: some requests have none, and want none
		pool[i].Within = w.Function()
		for _, e := range m.Edges([]unpark.WaitClass{w.Heaviest.Class}, w.Function()) {
			if f := within(w.Heaviest.Stack, e.HolderStack); f != "" && e.Delay > 0 {
				pool[i].Within = f
				break
			}
		}
		if pool[i].Aside = aside(m, w); pool[i].Aside != nil {
			continue // what requests compute while they have a place is not what they wait for
		}
		pool[i].Under = keeper(m, pool[i].Within, "", pool[i].Busy)
	}
	return pool
}

// aside is the stack of the goroutine that ends most of the waits for a place, by a trace, and serves no request: it has a loop of its own, in
// which it was seen to wait for its timer or for work. A goroutine that a request starts has none. What Go's own packages do by themselves,
// as opening a connection, gives nothing back.
func aside(m *Model, w Wait) []unpark.Site {
	var all, most float64
	var n int64
	var by []unpark.Site
	for _, part := range append([]Wait{w}, w.Beside...) {
		for _, e := range m.Edges([]unpark.WaitClass{w.Heaviest.Class}, part.Function()) {
			all, n = all+e.Delay, n+e.Count
			if e.Delay > most && looping(m, e.HolderStack) {
				most, by = e.Delay, e.HolderStack
			}
		}
	}
	if n < fewTraced || most < explainedBy*all {
		return nil
	}
	return by
}

// looping reports whether a stack is of a goroutine that serves no request and waits in a loop of its own when it has nothing to do.
func looping(m *Model, stack []unpark.Site) bool {
	if roles.On(stack, roles.Request) {
		return false
	}
	return slices.ContainsFunc(m.Ev.Waits, func(w facts.Wait) bool {
		own := !roles.Is(w.Waiter.Function, roles.Standard) && !roles.Is(w.Waiter.Function, roles.Low)
		return w.Idle && w.Side == unpark.Background && own && facts.Through(stack, w.Waiter.Function)
	})
}

// asking is the function that asks Go to wait.
func asking(stack []unpark.Site) string {
	i := slices.IndexFunc(stack, func(s unpark.Site) bool { return !roles.Is(s.Function, roles.Low) })
	if i < 0 {
		return ""
	}
	return stack[i].Function
}

func leafOf(stack []unpark.Site) string {
	if len(stack) == 0 {
		return ""
	}
	return stack[0].Function
}
