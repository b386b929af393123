package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

// otherSide is the function of the application that requests wait for at a channel or a condition, as a trace shows it: it
// takes what they hand over one after the other, itself or behind others that wait for it.
type otherSide struct {
	at    unpark.Site // what it is told by: the line in which it sleeps or makes a call, else that at which it ends the waits
	does  unpark.Held
	share float64 // of the time of the waits, in which it does that
	alone bool    // one goroutine alone runs it
	all   bool    // it lets all go that wait, and not one after the other
	locks bool    // it has a lock for which the one waits that requests wait for
}

// otherSideOf follows a wait to its other side. False where the trace does not say of most of the time, where requests are
// the other side of one another, where it was set to work by the request that waits, and where it is no function of the application.
func otherSideOf(m *model.Model, p model.Wait) (otherSide, bool) {
	classes := []unpark.WaitClass{p.Heaviest.Class}
	o, ok := m.Origin(classes, p.Function())
	if !ok || o.Share < model.BindingShare || p.Heaviest.Class == unpark.WaitGroup || p.Served {
		return otherSide{}, false
	}
	waiter := p.Function()
	if n := len(o.Via); n > 0 {
		classes, waiter = nil, o.Via[n-1]
	}
	e, ok := mostEnded(m.Edges(classes, waiter))
	if !ok || e.Served >= model.BindingShare*e.Delay && e.Served > 0 || roles.On(e.HolderStack, roles.Request) || !yours(e.Holder) {
		return otherSide{}, false
	}
	out := otherSide{at: e.Holder, does: o.Held, share: o.Share, alone: alone(m, e.HolderStack), locks: e.Class == unpark.WaitLock}
	switch o.Held.Class {
	case unpark.Running:
		return out, true
	case unpark.WaitSleep, unpark.WaitSyscall, unpark.WaitNetwork:
		// One that computes goes on from one to the next as well.
		out.all = e.Count > 0 && float64(e.Again) >= model.BindingShare*float64(e.Count)
		if yours(o.Held.Site) {
			out.at = o.Held.Site
		}
		return out, true
	}
	return otherSide{}, false // it waits for another goroutine or another service, and that is told by itself
}

// mostEnded is the edge by which one holder ends most of some waits.
func mostEnded(edges []unpark.Edge) (unpark.Edge, bool) {
	var all float64
	by := map[string]float64{}
	for _, e := range edges {
		all += e.Delay + e.Chained
		by[e.Holder.Function] += e.Delay + e.Chained
	}
	i := slices.IndexFunc(edges, func(e unpark.Edge) bool { return by[e.Holder.Function] >= model.BindingShare*all && all > 0 })
	if i < 0 {
		return unpark.Edge{}, false
	}
	return edges[i], true
}

// alone reports whether snapshots met one goroutine, and no more, that began where a stack does.
func alone(m *model.Model, stack []unpark.Site) bool {
	if len(stack) == 0 {
		return false
	}
	var mean float64
	for _, g := range m.Ev.Goroutines {
		if g.Created.Function == stack[len(stack)-1].Function {
			mean += g.Mean
		}
	}
	return mean > 0 && mean < oneGoroutine
}

// named is the advice about it: first what shortens its queue most. What does not compute needs no processor for more of it.
func (s otherSide) named(m *model.Model, general side) side {
	if s.all {
		return side{less: s.sooner(), known: true, all: true}
	}
	if s.locks {
		return side{less: s.shorter(m), known: true, all: true}
	}
	return side{less: s.less(m, general.less), more: s.more(general.more), wider: s.does.Class != unpark.Running, known: true}
}

// less is advice to do less for each item there.
func (s otherSide) less(m *model.Model, general unpark.Remedy) unpark.Remedy {
	r := general
	name := short(s.at.Function)
	r.Title = fmt.Sprintf("Do less per item in %s, or several items at a time (64–128)", name)
	r.Why = fmt.Sprintf("it is %s for %s of the time that requests wait for it: their queue shrinks with the time of one item", doing(s.does), units.Say(s.share, "ratio"))
	r.Risk = "the first item of a batch waits for the last"
	if s.does.Class != unpark.Running {
		return r
	}
	if most, part, ok := mostBelow(m, s.at.Function); ok {
		r.Title = fmt.Sprintf("Do less per item in %s: leave %s to the goroutines before it or behind it", name, short(most.Function))
		r.Why += fmt.Sprintf("; %s is %s of what it computes", short(most.Function), units.Say(part, "ratio"))
		r.Risk = "what is in order because one goroutine does it is so no longer"
	}
	return r
}

// shorter is advice about a lock behind the queue: what has it serves no queue, so that neither more of it nor larger items help.
func (s otherSide) shorter(m *model.Model) unpark.Remedy {
	name := short(s.at.Function)
	r := unpark.Remedy{
		Title: "Hold the lock for less in " + name + ": go through what it protects in parts, or make what is new beside the old",
		Why:   fmt.Sprintf("what requests wait for waits for that lock itself, and %s is %s for %s of the time", name, doing(s.does), units.Say(s.share, "ratio")),
		Risk:  "what was read under the lock may have changed when it is used outside",
	}
	if most, _, ok := mostBelow(m, s.at.Function); ok {
		r.Title = fmt.Sprintf("Hold the lock for less in %s: move %s out of it", name, short(most.Function))
	}
	return r
}

// sooner is advice about what lets all go that wait: no more of it, and nothing less to do, makes its next time come sooner.
func (s otherSide) sooner() unpark.Remedy {
	name := short(s.at.Function)
	return unpark.Remedy{
		Title: fmt.Sprintf("Let %s come sooner, where requests wait for it because they must: where they ask to be told of news (long polling) the wait is what they ask for", name),
		Why:   fmt.Sprintf("it is %s for %s of the time, and then ends the waits of all: it is no queue", doing(s.does), units.Say(s.share, "ratio")),
		Risk:  "what it does each time is done more often",
	}
}

// more is advice to have more of it.
func (s otherSide) more(general unpark.Remedy) unpark.Remedy {
	r := general
	r.Title = "Let several goroutines run " + short(s.at.Function)
	if s.alone {
		r.Why = "one goroutine runs it, and takes one item after the other: n of them divide its queue by n"
		if s.does.Class == unpark.Running {
			r.Why += ", while processors are left"
		}
	}
	return r
}

// mostBelow is the innermost call that has nearly all of the CPU of a function, but for the function's own.
func mostBelow(m *model.Model, function string) (at unpark.Site, part float64, ok bool) {
	all := m.Ev.CPU.Tree.Through(function)
	if all <= 0 {
		return unpark.Site{}, 0, false
	}
	for _, s := range m.Ev.CPU.Tree.Below(function) {
		if s.Value < mostOfCause*all {
			break
		}
		if roles.Is(s.Site.Function, roles.Runtime) || roles.Is(s.Site.Function, roles.Low) {
			continue
		}
		return s.Site, s.Value / all, true // the largest is the outermost
	}
	return unpark.Site{}, 0, false
}
