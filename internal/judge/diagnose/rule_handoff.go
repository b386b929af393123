package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

func handoffRule() Rule {
	return Rule{
		ID: "handoff", Title: "items that are handed over one by one", Class: unpark.ClassCPU,
		Doc: "Reads the CPU of sending to channels, receiving and selecting, of any goroutine, and of the scheduler for it. " +
			"Fires when CPU is scarce and that takes 30 % of it, at the function that does most: such a service hands over single items. " +
			"A function that does little else goes with it as a whole. Silent for channels that only end a wait: they cost next to nothing.",
		Needs:      []unpark.Kind{unpark.KindCPU},
		Run:        runHandoff,
		Supersedes: []Supersession{{Rule: "cpu", Same: handsOverMore}},
	}
}

func runHandoff(m *model.Model) []unpark.Finding {
	if !m.CPUMatters() {
		return nil
	}
	h := handoffs(m)
	if m.CPUShare(h.operations+h.parked) < handoffShare || h.site.IsZero() {
		return nil
	}
	share := min(1, m.CPUShare(h.cpu()))
	f := unpark.Finding{
		Rule: "handoff", Class: unpark.ClassCPU, Site: h.site, Culprit: pointer(h.culprit), Path: path(h.stack),
		Title: fmt.Sprintf("Channels hand over single items, most of them in %s: that takes %s of the CPU", short(h.culprit.Function), units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Medium, Cost: m.CPUCost(share),
		Facts: []unpark.Fact{
			fact("CPU of sending, receiving and selecting", h.operations, "s", "cpu.pb.gz"),
			fact("of setting goroutines aside for it", h.parked, "s", "cpu.pb.gz"),
			fact("of functions that do little else, with it", h.whole, "s", "cpu.pb.gz"),
		},
		Remedies: append(handsThrough(m, h.culprit), handoffRemedies(h.culprit)...),
	}
	if cpu, remedies := overThreads(m); cpu >= leastBelow*h.cpu() {
		f.Facts = append(f.Facts, fact("of passing processors from thread to thread, for a goroutine that is locked to one", cpu, "s", "cpu.pb.gz"))
		f.Remedies = append(remedies, f.Remedies...)
	}
	return []unpark.Finding{f}
}

// overThreads is what it takes to hand over to goroutines that are locked to a thread, and what the catalogue knows of it: the goroutine
// runs on no other thread, so each time the processor is handed to its own, and one thread is woken for another that goes to sleep
// (runtime/proc.go, startlockedm and stoplockedm).
func overThreads(m *model.Model) (cpu float64, known []unpark.Remedy) {
	for _, s := range m.Ev.Signals {
		if s.ID != facts.SignalThread {
			continue
		}
		cpu += s.CPU
		if known == nil {
			for _, a := range advice.For(advice.Case{Class: string(unpark.ClassCPU), Stack: []string{s.Leaf.Function}, Go: m.Ev.Target.Go}) {
				known = append(known, remedyOf(a))
			}
		}
	}
	return cpu, known
}

// handed is the CPU of channels, in seconds.
type handed struct {
	operations float64 // of sending, receiving and selecting
	within     float64 // of these, in functions that do little else
	whole      float64 // all of those functions
	parked     float64 // of the scheduler, which sets goroutines aside that wait at a channel
	culprit    unpark.Site
	site       unpark.Site // the last line of the application on the way there
	stack      []unpark.Site
}

// cpu is what goes with the operations.
func (h handed) cpu() float64 { return h.whole + max(0, h.operations-h.within) + h.parked }

func handoffs(m *model.Model) handed {
	h := handed{parked: parked(m)}
	var most facts.Signal
	for _, s := range m.Ev.Signals {
		if s.ID != facts.SignalHandoff {
			continue
		}
		h.operations += s.CPU
		if s.CPU > most.CPU && !s.Site.IsZero() && !roles.Is(s.Site.Function, roles.Standard) {
			most = s
		}
	}
	h.culprit, h.site, h.stack = most.Site, most.Site, most.Stack
	var heaviest float64
	var visit func([]*facts.Node)
	visit = func(nodes []*facts.Node) {
		for _, n := range nodes {
			if n.Handed < mostHanded*n.Value {
				visit(n.Calls)
				continue
			}
			for c := n; c != nil; c = handsMost(c) {
				n = c
			}
			h.within += n.Handed
			h.whole += n.Value
			if n.Value > heaviest {
				heaviest = n.Value
				h.stack = n.Stack()
				h.culprit, h.site = n.Site, n.Line()
			}
		}
	}
	visit(m.Ev.CPU.Tree.Roots)
	return h
}

// handsMost returns the function below a node that has most of its operations of channels;
// nil where none has.
func handsMost(n *facts.Node) *facts.Node {
	for _, c := range n.Calls {
		if c.Handed >= mostOfCause*n.Handed {
			return c
		}
	}
	return nil
}

// parked is the CPU by which the scheduler sets goroutines aside that wait at channels: of all
// of it, the part of the waits that are such. A request waits once for its connection, too.
func parked(m *model.Model) float64 {
	var cpu, channels float64
	for _, s := range m.Ev.Signals {
		if s.ID == facts.SignalPark {
			cpu += s.CPU
		}
	}
	all := m.Requests
	for _, w := range m.Ev.Waits {
		all += w.Count
		if w.Class == unpark.WaitChannel || w.Class == unpark.WaitSelect {
			channels += w.Count
		}
	}
	if all <= 0 {
		return 0
	}
	return cpu * channels / all
}

// handsOverMore is for CPU at or below a function that mostly hands over, and is most of it.
func handsOverMore(_ *model.Model, mine, other unpark.Finding) bool {
	if other.Cost.Cores.Value.Or(0) > mine.Cost.Cores.Value.Or(0) {
		return false
	}
	return sameFunction(nil, mine, other) || slices.ContainsFunc(other.Path, func(at unpark.Site) bool { return at.Function == mine.Culprit.Function })
}

// doesMore is for channels in a function that does more than handing over.
func doesMore(_ *model.Model, mine, other unpark.Finding) bool {
	return sameFunction(nil, mine, other) && mine.Cost.Cores.Value.Or(0) > other.Cost.Cores.Value.Or(0)
}

func handoffRemedies(at unpark.Site) []unpark.Remedy {
	if _, _, _, ok := at.Module(); ok {
		return []unpark.Remedy{{
			Title: "Ask less often: fewer and larger reads, writes and messages, with a buffer before " + short(at.Function),
			Why:   "its channels are its own; what goes through them one by one is what it is asked for",
			Risk:  "what is in a buffer is sent later, and lost where it is not flushed",
		}}
	}
	return []unpark.Remedy{{
		Title: "Call a function for each item, or hand over slices of 64–128 items",
		Why:   "each item takes a channel's lock twice and often wakes a goroutine: some hundred nanoseconds, where a call takes one or two",
		Risk:  "a callback runs on the caller's goroutine, and must not wait for what the iteration holds",
	}, {
		Title: "Give the channel a buffer",
		Why:   "with room in it a goroutine is woken for many items at once",
		Risk:  "what is in the buffer is held in memory, and lost when the reader ends",
	}}
}
