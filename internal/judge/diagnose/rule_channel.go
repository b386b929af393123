package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

func channelRule() Rule {
	return Rule{
		ID: "channel", Title: "channel, select, condition or group wait", Class: unpark.ClassChannel,
		Doc: "Reads request-path waits for another goroutine: channel operations, select, sync.Cond, sync.WaitGroup. " +
			"Fires from a hundredth of a request's time. Silent for parked workers and servers, and for a join whose " +
			"length is the waiting or computing of the goroutines it joins: those are reported where they happen.",
		Needs: []unpark.Kind{unpark.KindBlock},
		Run:   runChannel,
	}
}

func runChannel(m *model.Model) []unpark.Finding {
	var out []unpark.Finding
	for _, p := range joinWaits(m) {
		if len(out) == maxOfRule {
			break
		}
		f := finding(m, "channel", unpark.ClassChannel, p)
		what := joinWord(p.Heaviest.Class)
		f.Title = fmt.Sprintf("Requests wait %s in %s", what, short(p.Function()))
		other := anySide(p.Heaviest, holdersWait(m, p))
		if known, ok := otherSideOf(m, p); ok {
			f.Holder, other = pointer(known.at), known.named(m, other)
		}
		f.Remedies = joinRemedies(p.Heaviest, other)
		if at, ok := askedBehind(m, p); ok {
			f.Remedies = slices.Insert(f.Remedies, 1, askLessBehind(at))
		}
		f.Remedies = append(ended(m, p), f.Remedies...)
		if shared, ok := flightOf(m, p); ok {
			shared.describe(&f, p.Heaviest.Class)
		}
		out = append(out, f)
	}
	return out
}

// joinWaits returns the joins that are felt and that nothing below explains.
func joinWaits(m *model.Model) []model.Wait {
	var out []model.Wait
	behind := m.Behind
	for _, p := range m.Joins {
		calls := slices.ContainsFunc(behind, func(b model.Wait) bool { return b.Covers(p.Function()) })
		if felt(m, p) && !calls && !p.Starved && !p.Explained {
			out = append(out, p)
		}
	}
	return out
}

func joinWord(c unpark.WaitClass) string {
	switch c {
	case unpark.WaitCond:
		return "for a condition (sync.Cond)"
	case unpark.WaitGroup:
		return "for other goroutines (sync.WaitGroup)"
	case unpark.WaitSelect:
		return "in a select"
	default:
		return "on a channel"
	}
}

// side is what to do about the other side of a wait.
type side struct {
	less, more unpark.Remedy
	wider      bool // more of it is what helps
	known      bool // it has a name
	all        bool // it lets all go at once: neither more of it nor room before it helps
}

// anySide is the other side of a wait where no trace names it.
func anySide(w facts.Wait, wider bool) side {
	out := side{wider: wider, less: unpark.Remedy{
		Title: "Do less per item on the other side, or several items at a time (64–128)",
		Why:   "the wait is the other side's queue: it shrinks with the time that one item takes there",
		Risk:  "the first item of a batch waits for the last",
	}, more: unpark.Remedy{
		Title: "Let more goroutines serve the other side",
		Why:   "while CPU is left, n servers divide the queue's load by n",
		Risk:  "order is lost; what they share needs a lock; no gain once the CPU is full",
	}}
	if roles.On(w.Stack, roles.Send) && !groups(w) {
		out.less.Title = "Do less per item on the other side, or do not wait for a slow receiver: select with a default, or a queue for each"
		out.less.Why = "a send waits until the receiver takes it: its queue shrinks with the time of one item, and one that is slow holds up all that send"
		out.less.Risk = "what does not fit is dropped, or held in memory: bound it, and count what is dropped"
	}
	return out
}

// groups reports whether a wait is for a group or a condition.
func groups(w facts.Wait) bool { return w.Class == unpark.WaitGroup || w.Class == unpark.WaitCond }

// joinRemedies are those of a wait for other goroutines.
func joinRemedies(w facts.Wait, other side) []unpark.Remedy {
	if other.all {
		return []unpark.Remedy{other.less}
	}
	out := []unpark.Remedy{other.less, other.more}
	if other.wider {
		out = []unpark.Remedy{other.more, other.less}
	}
	if groups(w) {
		sooner := unpark.Remedy{
			Title: "Start the slowest part first, and answer without the parts that may come later",
			Why:   "a join lasts as long as its slowest member",
			Risk:  "work that outlives the request needs its own context and its own bound",
		}
		switch {
		case other.known:
			return append(out, sooner)
		case other.wider && w.Class == unpark.WaitCond: // a group is what the request itself started
			return []unpark.Remedy{other.more, sooner, other.less}
		}
		return []unpark.Remedy{sooner, other.less, other.more}
	}
	if w.Class == unpark.WaitChannel && len(w.Stack) > 0 && roles.Of(w.Stack[0].Function).Receives {
		return out // what it waits for is not there yet: room for more of it is room for none
	}
	return append(out, unpark.Remedy{
		Title: "Give the channel a buffer that holds one burst",
		Why:   "senders then go on while the receiver catches up",
		Risk:  "helps against bursts only: with a receiver that is too slow on average the buffer fills and latency grows",
	})
}
