package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// excess is what the slowest requests have more of than those in the middle, in
// some states.
type excess struct {
	tail, more float64       // s per request of the tail
	share      unpark.Number // of what they are slower
	sure       bool          // one interval at least does not reach to zero
}

// excessOf sums the rows of a trace that are in one of the classes; in one of the
// functions, unless none is given.
func excessOf(m *model.Model, classes []unpark.WaitClass, functions ...string) excess {
	var out excess
	t := m.Ev.Tracing
	if t == nil {
		return out
	}
	for _, e := range t.Excess {
		if !slices.Contains(classes, e.Class) || len(functions) > 0 && !slices.Contains(functions, e.Site.Function) {
			continue
		}
		out.tail += e.Tail
		out.more += e.Tail - e.Middle
		out.share = unpark.Num(out.share.Or(0) + e.Share.Or(0))
		out.sure = out.sure || e.More.Low.Or(0) > 0
	}
	return out
}

// slowest names the tail: "the slowest 1 %".
func slowest(c unpark.Cohort) string { return "the slowest " + units.Say(c.To-c.From, "ratio") }

// tailClasses are the states of a request that a class of finding is about.
func tailClasses(c unpark.Class) []unpark.WaitClass {
	switch c {
	case unpark.ClassLock:
		return []unpark.WaitClass{unpark.WaitLock}
	case unpark.ClassChannel:
		return facts.Joins()
	case unpark.ClassPool:
		return append(facts.Joins(), unpark.WaitPool) // a channel that is used as one
	case unpark.ClassDownstream:
		return append(facts.Joins(), unpark.WaitDownstream) // a join for one that uses a connection
	case unpark.ClassIO, unpark.ClassSyscall:
		return append(facts.Joins(), unpark.WaitSyscall, unpark.WaitNetwork) // a join for another goroutine's calls
	case unpark.ClassRateLimit:
		return []unpark.WaitClass{unpark.WaitRateLimit, unpark.WaitSleep}
	case unpark.ClassGC, unpark.ClassAlloc:
		return []unpark.WaitClass{unpark.WaitGC, unpark.WaitGCAssist, unpark.WaitSTW}
	}
	return nil
}

// tailFacts says what a finding does to the slowest requests, as traces show it.
func tailFacts(m *model.Model, f unpark.Finding) []unpark.Fact {
	classes := tailClasses(f.Class)
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
	e := excessOf(m, classes, functions...)
	if e.more <= 0 || !e.sure {
		return nil
	}
	c := m.Ev.Tracing.Tail
	facts := []unpark.Fact{
		fact(fmt.Sprintf("time that %s (%s on average) spend here", slowest(c), units.Say(c.Mean, "s")), e.tail, "s/req", unpark.KindTrace.File()),
	}
	facts = append(facts, numberFact("share of what makes them slower than requests in the middle", e.share, "ratio", unpark.KindTrace.File())...)
	return append(facts, holderFacts(m, f)...)
}

// holderFacts says what ended the waits and what the holder did meanwhile: exact, where
// profiles can only pair.
func holderFacts(m *model.Model, f unpark.Finding) []unpark.Fact {
	if f.Waiter == nil {
		return nil
	}
	e, ok := m.End(tailClasses(f.Class), f.Waiter.Function)
	if !ok {
		return nil
	}
	facts := []unpark.Fact{{Text: fmt.Sprintf("the waits were ended in %s (%s)", short(e.Holder.Function), e.Holder.Place()), Source: unpark.KindTrace.File()}}
	for _, h := range e.Held[:min(len(e.Held), maxHeld)] {
		if h.Share < leastShare {
			break
		}
		facts = append(facts, fact("share of that time in which the holders were "+doing(h), h.Share, "ratio", unpark.KindTrace.File()))
	}
	return append(facts, chainFact(m, tailClasses(f.Class), f.Waiter.Function)...)
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
	e, ok := m.End([]unpark.WaitClass{unpark.WaitLock}, q.Heaviest.Waiter.Function)
	return ok && e.Holder.Function == q.Heaviest.Holder.Function
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
