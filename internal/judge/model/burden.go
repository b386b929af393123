package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// Burden is what the holder of a lock does while it holds it: the frame to move out and
// what sort of work that is.
type Burden struct {
	Frame unpark.Site // the heaviest frame below the holder; zero when none was seen
	// Work is roles.Sleep, roles.IO or roles.Encode; roles.Compute where it is none of them.
	Work  roles.Role
	Named unpark.Site // the frame that says what sort of work it is
	From  unpark.Kind // of the profile that shows the frame
	// Other is the line of another goroutine that does the work, for which the holder waits; zero where
	// it does that itself.
	Other unpark.Site
	// Line is the one that does the work, and By where the lock is let go by those that do, by a trace; zero where it does not say.
	Line, By unpark.Site
}

// workOf sorts frames of the standard library and of common clients.
func workOf(function string) roles.Role {
	for _, r := range []roles.Role{roles.Sleep, roles.IO, roles.Encode} {
		if roles.Is(function, r) {
			return r
		}
	}
	return roles.Compute
}

// burdenOf reads the frames below the holder, largest first. The heaviest frame
// is often the application's own function around the wait; what it does shows
// in a library frame that holds at least half as much, or in what requests wait
// for below it.
func burdenOf(m *Model, l facts.Lock) Burden {
	b := Burden{Work: roles.Compute, From: unpark.KindGoroutine}
	var value float64
	runs := onProcessor(m, l)
	for _, h := range l.Held {
		f := h.Site.Function
		if f == l.Holder.Function || h.Value <= 0 || roles.Is(f, roles.Lock) && !roles.Is(f, roles.IO) || takes(l, f) {
			continue
		}
		if w := workOf(f); runs && (w == roles.Sleep || w == roles.IO) {
			continue // a dump met it there, once or twice
		}
		if b.Frame.IsZero() {
			b.Frame, b.Named, value = h.Site, h.Site, h.Value
		}
		if w := workOf(f); w != roles.Compute && h.Value >= burdenPart*value {
			b.Work, b.Named = w, h.Site
			return b
		}
	}
	if o, ok := originOf(m, l); ok {
		if o.Frame = b.Frame; o.Frame.IsZero() {
			o.Frame, o.From = o.Named, unpark.KindTrace
		}
		return o
	}
	if b.Frame.IsZero() {
		return b
	}
	var most float64
	for _, w := range m.Ev.Waits {
		if what := workOfWait(w.Class); what != roles.Compute && w.Delay > most && w.Delay >= burdenPart*value &&
			facts.Through(w.Stack, b.Frame.Function) && facts.Through(w.Stack, l.Holder.Function) {
			most, b.Work, b.Named = w.Delay, what, w.Waiter
		}
	}
	return b
}

// takes reports whether a function is on the way from a lock's holder to where that takes it: what dumps met there waits for the lock.
func takes(l facts.Lock, function string) bool {
	at := slices.IndexFunc(l.WaiterAll, func(s unpark.Site) bool { return s.Function == l.Holder.Function })
	return at > 0 && facts.Through(l.WaiterAll[:at], function)
}

// onProcessor reports whether those that let a lock's waiters go were on a processor for most of what these waited, by a trace. It has every
// instant of that, where dumps have a few of the window: what they met waiting did not keep the lock.
func onProcessor(m *Model, l facts.Lock) bool {
	var all, ran float64
	var n int64
	for _, e := range lockEdges(m, l) {
		all, ran, n = all+e.Delay, ran+e.Delay*e.Spent(unpark.Running), n+e.Count
	}
	return n >= ChainWaits && ran >= BindingShare*all
}

// workOfWait sorts what a holder waits for itself.
func workOfWait(c unpark.WaitClass) roles.Role {
	switch c {
	case unpark.WaitSleep:
		return roles.Sleep
	case unpark.WaitSyscall, unpark.WaitNetwork, unpark.WaitDownstream, unpark.WaitPool:
		return roles.IO
	default:
		return roles.Compute
	}
}

// originOf says what keeps the holder of a lock, as a trace shows it: also through
// those it waits for itself, of which the last is the other.
func originOf(m *Model, l facts.Lock) (Burden, bool) {
	classes := []unpark.WaitClass{unpark.WaitLock}
	o, known := m.Origin(classes, l.Waiter.Function)
	b := Burden{Work: workOfWait(o.Held.Class), Named: o.Held.Call, From: unpark.KindGoroutine}
	if b.Named.IsZero() {
		b.Named = o.Held.Site
	}
	if o.Links > 1 && o.Held.Site.Function != l.Holder.Function {
		b.Other = o.Held.Site
	}
	if all := m.Edges(classes, l.Waiter.Function); len(all) > 0 && o.Links == 1 { // the longest come first
		b.By = all[0].Holder
		if !leadsTo(all[0].HolderStack, o.Held.Site.Function, b.By.Function) { // else it waits there, and the lock's function does not
			b.Line = o.Held.Site
		}
	}
	return b, known && b.Work != roles.Compute && o.Share >= BindingShare && !b.Named.IsZero()
}

// Calls reports whether a function is on the way to the one that has the lock: what is waited for there is not what that does.
func (l Lock) Calls(function string) bool {
	return leadsTo(l.Heaviest.HolderAll, function, l.Heaviest.Holder.Function)
}

// leadsTo reports whether a function is on the way to another one of a stack, leaf first.
func leadsTo(stack []unpark.Site, function, to string) bool {
	at := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == to })
	return at >= 0 && facts.Through(stack[at+1:], function)
}
