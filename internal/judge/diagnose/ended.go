package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// ended is what to do about a wait by what ends it, as the trace shows: the deadline of its context, or a library's
// goroutine that until then ran a function of the application.
func ended(m *model.Model, p model.Wait) []unpark.Remedy {
	var all, late float64
	called := map[call]float64{}
	for _, e := range m.Edges([]unpark.WaitClass{p.Heaviest.Class}, p.Function()) {
		all += e.Delay
		if roles.On(e.HolderStack, roles.Deadline) {
			late += e.Delay
		}
		if !ofModule(&e.Holder) || slices.ContainsFunc(e.HolderStack, yours) {
			continue
		}
		for _, h := range e.Held {
			if yours(h.Site) && h.Class != unpark.Running {
				called[call{e.Holder.Function, h.Site.Function}] += e.Delay * h.Share
			}
		}
	}
	if all <= 0 {
		return nil
	}
	if late >= model.BindingShare*all {
		return []unpark.Remedy{untilDeadline(m, p)}
	}
	most, ok := mostWaited(called)
	if !ok || called[most] < model.BindingShare*all {
		return nil
	}
	return []unpark.Remedy{callback(most)}
}

// mostWaited is the call that most is waited for, of two the first by name.
func mostWaited(called map[call]float64) (call, bool) {
	all := slices.SortedFunc(maps.Keys(called), func(a, b call) int {
		return cmp.Or(cmp.Compare(called[b], called[a]), cmp.Compare(a.function, b.function), cmp.Compare(a.loop, b.loop))
	})
	if len(all) == 0 {
		return call{}, false
	}
	return all[0], true
}

// call is a function that another one calls.
type call struct{ loop, function string }

// yours reports whether a function is of no module in some version, nor of Go's own.
func yours(s unpark.Site) bool {
	return s.Function != "" && !ofModule(&s) && !roles.Is(s.Function, roles.Standard) && !roles.Is(s.Function, roles.Runtime)
}

// untilDeadline is advice for what waits for as long as it may.
func untilDeadline(m *model.Model, p model.Wait) unpark.Remedy {
	set := ""
	if at, ok := boundAt(m, p); ok {
		set = fmt.Sprintf(", which %s sets (%s)", short(at.Function), at.Place())
	}
	return unpark.Remedy{
		Title: fmt.Sprintf("End the wait in %s as soon as all that is expected is there, or give it a shorter deadline: it lasts until its context's time is up%s", short(p.Function()), set),
		Why:   "the timer of the context ends it, not what it waits for: it waits for something that does not come, or for more than there is",
		Risk:  "with a shorter deadline what is slow is left out: see how late the last of what is wanted comes",
	}
}

// boundAt is the line on the way to a wait that gives a context its time, by what it allocates: of two the one that gives more.
func boundAt(m *model.Model, p model.Wait) (at unpark.Site, ok bool) {
	var most float64
	for _, a := range m.Ev.Allocs {
		if !facts.Through(p.Heaviest.Stack, a.Site.Function) && !facts.Through(p.Heaviest.Above, a.Site.Function) {
			continue
		}
		for _, c := range a.Callees {
			if roles.Is(c.Site.Function, roles.Bounds) && c.Value > most {
				at, most, ok = a.Site, c.Value, true
			}
		}
	}
	return at, ok
}

// callback is advice for what a library's goroutine calls, and waits for while others wait for it.
func callback(c call) unpark.Remedy {
	return unpark.Remedy{
		Title: fmt.Sprintf("Do what the callback %s does on a goroutine of its own, or hand it to a queue: %s calls it, and what requests wait for lies behind it", short(c.function), short(c.loop)),
		Why:   "a library's loop that calls the application goes on when that returns, and reads nothing else meanwhile",
		Risk:  "what comes after one another may be done out of order; bound how many run at once",
	}
}
