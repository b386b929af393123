package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// flight is a wait of many requests for one that computes what all of them need.
type flight struct {
	each    unpark.Number // requests that wait for each that computes, on average
	certain bool          // else they may also take turns
	waits   unpark.Held   // what the one that makes it does meanwhile, where it computes nothing
	source  string        // of the wait
}

// flightOf recognises such a wait. Requests that join a flight say so by the frames of
// the library. Otherwise the wait must be ended by a request in the same function, which
// computed meanwhile, and far more time must be lost by those that wait than that
// computing takes. A group and a broadcast let all go at once; over a channel it may be
// one at a time, each to compute in turn.
func flightOf(m *model.Model, p model.Wait) (flight, bool) {
	function := p.Function()
	f := flight{source: p.Heaviest.Source}
	cpu := cpuThrough(m, function)
	if cpu > 0 {
		f.each = unpark.Num(p.Delay / cpu)
	}
	if roles.On(p.Heaviest.Stack, roles.SingleFlight) {
		f.certain = true
		return f, true
	}
	e, ok := m.End([]unpark.WaitClass{p.Heaviest.Class}, function)
	if at, asks := fetches(e, function); ok && asks {
		return flight{certain: true, waits: at, source: f.source}, true
	}
	if !ok || e.Count < model.ChainWaits || !facts.Through(e.HolderStack, function) || e.Spent(unpark.Running)+e.Unready() < model.BindingShare || f.each.Or(0) < flightWaiters {
		return flight{}, false
	}
	f.certain = p.Heaviest.Class == unpark.WaitGroup || roles.On(e.HolderStack, roles.Broadcast)
	return f, f.certain || p.Heaviest.Class != unpark.WaitCond
}

// fetches reports whether one request ends the waits of many for a group, or by closing a channel, one right after another, in the
// function in which they wait, and sleeps until then or waits for another service. What makes system calls until then may write for
// all of them, and each needs that by itself.
func fetches(e unpark.Edge, function string) (unpark.Held, bool) {
	if e.Class != unpark.WaitGroup && !closes(e) || e.Count < model.ChainWaits || float64(e.Again) < model.BindingShare*float64(e.Count) || !facts.Through(e.HolderStack, function) || !roles.On(e.HolderStack, roles.Request) {
		return unpark.Held{}, false
	}
	for _, h := range e.Held {
		if h.Share >= model.BindingShare && (h.Class == unpark.WaitSleep || h.Class == unpark.WaitDownstream || h.Class == unpark.WaitNetwork) {
			return h, true
		}
	}
	return unpark.Held{}, false
}

// closes reports whether waits at a channel are ended by closing it, which lets all go: sending and receiving have a frame of the
// runtime's on the stack of a trace, closing has none (runtime/chan.go, closechan: goready leaves it out).
func closes(e unpark.Edge) bool {
	return (e.Class == unpark.WaitChannel || e.Class == unpark.WaitSelect) && len(e.HolderStack) > 0 && !roles.Is(e.HolderStack[0].Function, roles.Runtime)
}

// cpuThrough is the CPU of every stack that runs through a function, in seconds.
func cpuThrough(m *model.Model, function string) float64 {
	var most float64
	for _, s := range m.Ev.CPU.Sites {
		if s.Site.Function == function {
			most = max(most, s.Cum)
		}
	}
	return most
}

// describe words a finding of such a wait.
func (f flight) describe(out *unpark.Finding, class unpark.WaitClass) {
	where := short(out.Site.Function)
	if each, ok := f.each.Get(); ok {
		out.Facts = append(out.Facts, fact("seconds of waiting for each second of CPU in "+where, each, "count", f.source+", cpu.pb.gz"))
	}
	if !f.certain {
		out.Title = fmt.Sprintf("Requests wait %s in %s while one of them computes", joinWord(class), where)
		wait, remedies := facts.Wait{Class: class, Stack: out.Path}, flightRemedies()
		remedies[0].Title = "If one computes for all that wait: " + remedies[0].Title
		out.Remedies = append(remedies[:1], joinRemedies(wait, anySide(wait, false))...)
		return
	}
	out.Title = fmt.Sprintf("Requests wait in %s until one of them has made what all of them need", where)
	out.Remedies = flightRemedies()
	if f.waits.Class != "" {
		out.Remedies[2] = unpark.Remedy{
			Title: "Make it sooner: the one that makes it is " + doing(f.waits),
			Why:   "each that waits, waits for all of that",
		}
	}
}

func flightRemedies() []unpark.Remedy {
	return []unpark.Remedy{{
		Title: "Serve what was made last while one makes it anew (stale while revalidate)",
		Why:   "all that come in the meantime wait for the one that computes; more goroutines do not make it ready any sooner",
		Risk:  "answers are old by as long as computing one takes; not for a caller that must see its own change",
	}, {
		Title: "Make it ahead: when the data changes, or before it expires, in a goroutine of its own",
		Why:   "requests then find it ready",
		Risk:  "work for what is never asked for; bound how often it is made",
	}, {
		Title: "Make computing them cheaper: see the cpu, alloc and recompute findings",
		Why:   "each that waits, waits for all of it",
	}}
}
