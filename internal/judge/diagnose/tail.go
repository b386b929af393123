package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// slowest names the tail: "the slowest 1 %".
func slowest(c unpark.Cohort) string { return "the slowest " + units.Say(c.To-c.From, "ratio") }

// tailFacts says what a finding does to the slowest requests, as traces show it.
func tailFacts(m *model.Model, f unpark.Finding) []unpark.Fact {
	classes := m.Ev.States(f)
	if len(classes) == 0 || m.Ev.Tracing == nil || m.Ev.Tracing.Tail.N == 0 {
		return nil
	}
	var functions []string
	if f.Class != unpark.ClassGC && f.Class != unpark.ClassAlloc {
		functions = append(functions, f.Site.Function)
		if f.Waiter != nil {
			functions = append(functions, f.Waiter.Function)
		}
	}
	e := m.Ev.Excess(classes, functions...)
	if e.Tail <= e.Middle || e.More.Low.Or(0) <= 0 {
		return nil
	}
	c := m.Ev.Tracing.Tail
	out := []unpark.Fact{
		fact(fmt.Sprintf("time that %s (%s on average) spend here", slowest(c), units.Say(c.Mean, "s")), e.Tail, "s/req", unpark.KindTrace.File()),
	}
	out = append(out, numberFact("share of what makes them slower than requests in the middle", e.Share, "ratio", unpark.KindTrace.File())...)
	return append(out, holderFacts(m, f)...)
}

// holderFacts says what ended the waits and what the holder did meanwhile: exact, where
// profiles can only pair.
func holderFacts(m *model.Model, f unpark.Finding) []unpark.Fact {
	if f.Waiter == nil {
		return nil
	}
	e, ok := m.End(m.Ev.States(f), f.Waiter.Function)
	if !ok {
		return nil
	}
	out := []unpark.Fact{{Text: fmt.Sprintf("the waits were ended in %s (%s)", short(e.Holder.Function), e.Holder.Place()), Source: unpark.KindTrace.File()}}
	for _, h := range e.Held[:min(len(e.Held), maxHeld)] {
		if h.Share < leastShare {
			break
		}
		out = append(out, fact("share of that time in which the holders were "+doing(h), h.Share, "ratio", unpark.KindTrace.File()))
	}
	return append(out, chainFact(m, m.Ev.States(f), f.Waiter.Function)...)
}

// doing words what a holder did.
func doing(h unpark.Held) string {
	at := ""
	switch {
	case !h.Call.IsZero() && !h.Site.IsZero():
		at = fmt.Sprintf(", %s in %s (%s)", short(h.Call.Function), short(h.Site.Function), h.Site.Place())
	case !h.Site.IsZero():
		at = fmt.Sprintf(" in %s (%s)", short(h.Site.Function), h.Site.Place())
	}
	switch h.Class {
	case unpark.Running:
		return "on a processor"
	case unpark.WaitScheduler:
		return "ready to run, without a processor"
	case unpark.WaitGC:
		return "ready to run, while processors collected garbage"
	case unpark.WaitSTW:
		return "stopped with the world"
	case unpark.WaitGCAssist:
		return "collecting garbage for what they allocate"
	case unpark.WaitUnknown:
		return "where the trace does not say"
	case unpark.WaitSleep:
		return "asleep" + at
	case unpark.WaitSyscall:
		return "in a system call" + at
	case unpark.WaitNetwork, unpark.WaitDownstream:
		return "waiting for the network" + at
	default:
		return "themselves waiting (" + string(h.Class) + ")" + at
	}
}

// timesFrom names what the time of a request was measured by.
func timesFrom(m *model.Model) string {
	if m.Load == nil && m.Traced() {
		return unpark.KindTrace.File()
	}
	return "load"
}

// edgeAgrees reports whether the trace joins the waiters of a lock with the holder
// that the profiles name.
func edgeAgrees(m *model.Model, q model.Lock) bool {
	queue := q.Queue().Heaviest
	e, ok := m.End([]unpark.WaitClass{unpark.WaitLock}, queue.Waiter.Function)
	return ok && e.Holder.Function == queue.Holder.Function
}

// chainFact says where the chain behind a wait ends, when it has more than one link.
func chainFact(m *model.Model, classes []unpark.WaitClass, waiter string) []unpark.Fact {
	o, ok := m.Origin(classes, waiter)
	if !ok || o.Links < 2 || o.Share < leastShare {
		return nil
	}
	out := []unpark.Fact{fact(fmt.Sprintf("share in which the end of the chain of waits, %d goroutines on, is %s", o.Links, doing(o.Held)), o.Share, "ratio", unpark.KindTrace.File())}
	if o.Away-o.Share >= leastShare {
		out = append(out, fact("share in which goroutines along it make system calls or use a connection", o.Away, "ratio", unpark.KindTrace.File()))
	}
	if o.Ready >= leastShare {
		out = append(out, fact("share in which goroutines along it want a processor", o.Ready, "ratio", unpark.KindTrace.File()))
	}
	return out
}

// holdersWait reports whether those that keep requests waiting wait for the network or for a system call
// themselves for most of the time, while processors have room: then more of them at once is what helps.
func holdersWait(m *model.Model, p model.Wait) bool {
	o, ok := m.Origin(nil, p.Function())
	away := o.Away
	if o.Held.Class == unpark.WaitDownstream {
		away += o.Share
	}
	return ok && away >= mostlyAway && !m.Scarce()
}
