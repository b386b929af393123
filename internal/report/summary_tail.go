package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// tracingOf returns what traces say of the reported window; nil without a trace.
func tracingOf(r unpark.Run) *unpark.Tracing {
	if w := r.Measured(); w != nil {
		return w.Tracing
	}
	return nil
}

// hasCohorts reports that there were requests enough to compare the slowest with
// those in the middle.
func hasCohorts(t unpark.Tracing) bool { return t.Tail.N > 0 && t.Middle.N > 0 }

// slowest names the tail: "slowest 1 %".
func slowest(t unpark.Tracing) string {
	p := (1 - t.Tail.From) * 100
	switch {
	case math.IsNaN(p) || p <= 0 || p > 100:
		return "slowest requests"
	case p < 1:
		return "slowest " + strconv.FormatFloat(p, 'g', 1, 64) + " %"
	}
	return "slowest " + strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// title begins a text with a capital.
func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// middleName names those about the median: "middle, p40–p60".
func middleName(t unpark.Tracing) string {
	at := func(q float64) string { return units.Say(q*100, "") }
	return "middle, p" + at(t.Middle.From) + "–p" + at(t.Middle.To)
}

// tailParts says what was compared, and how far it may be trusted.
func tailParts(t unpark.Tracing) []string {
	source := "marked by the middleware"
	if t.Inferred {
		source = "inferred from goroutines"
	}
	if t.Before.N > 0 {
		source += ", which they reached " + units.Figure(t.Before.P50, "s") + " after they were meant to be sent (p99 " + units.Figure(t.Before.P99, "s") + ")"
	}
	return []string{
		units.Count(t.Tail.N) + " of " + many(t.Requests, "traced request") + ", " + units.Figure(t.Tail.Mean, "s") + " against " +
			units.Figure(t.Middle.Mean, "s") + " in the middle",
		source, units.Number(t.Explained, "ratio") + " of their time explained",
	}
}

// noCohorts says why the slowest are not compared with the middle, and what helps.
func noCohorts(t unpark.Tracing) (why, cure string) {
	trace := units.Figure(t.Seconds, "s") + " of trace"
	switch {
	case t.Requests == 0:
		why = "no request began and ended inside " + trace
	case t.Requests == 1:
		why = "1 request in " + trace + " is too few to tell the slowest from the middle"
	default:
		why = many(t.Requests, "request") + " in " + trace + " are too few to tell the slowest from the middle"
	}
	if t.Unfinished > 0 {
		was := " were"
		if t.Unfinished == 1 {
			was = " was"
		}
		why += " (" + units.Count(t.Unfinished) + was + " under way at its end)"
	}
	return why + ".", "Trace longer (" + t.Longer() + "), or at a higher rate."
}

// tailNotes lists what a reader must know beside the figures of a trace.
func tailNotes(t unpark.Tracing) []string {
	// Under this the rest could hold another cause than the one that is named.
	const enough = 0.95
	var out []string
	if v, ok := t.Explained.Get(); ok && v < enough && hasCohorts(t) {
		out = append(out, units.Percent(1-v)+" of the time of the slowest is unexplained: the trace does not say what they did.")
	}
	lost := t.Lost.Or(0)
	if lost <= 0 && t.LostWhy == "" {
		return out
	}
	text := "A part of the trace could not be read"
	if lost > 0 {
		text = units.Percent(lost) + " of the trace could not be read"
	}
	if t.LostWhy != "" {
		text += ": " + escape.Prose(t.LostWhy)
	}
	return append(out, text+"; the figures are of the rest.")
}

const noExcess = "No state at any one place differs by more than chance: many reasons, or too few requests."

// beyondChance reports whether the interval of an excess leaves out zero.
func beyondChance(e unpark.Excess) bool {
	return surplus(e).Value.Or(0) > 0 && !surplus(e).Contains(0)
}

// surplus is the excess in seconds; the heading says that it is per request.
func surplus(e unpark.Excess) unpark.Quantity {
	q := e.More
	if !q.Known() {
		q.Value = unpark.Num(e.Tail - e.Middle)
	}
	q.Unit = "s"
	return q
}

// excessRows returns the rows that are more than chance, largest first.
func excessRows(t unpark.Tracing) []unpark.Excess {
	return slices.DeleteFunc(slices.Clone(t.Excess), func(e unpark.Excess) bool { return !beyondChance(e) })
}

// className prints a class. One that is not ours may be of any length.
func className(c unpark.WaitClass) string { return middle(escape.Prose(string(c)), 20) }

// stateWords says what a state is, where no place says it.
func stateWords(c unpark.WaitClass) string {
	switch c {
	case unpark.Running:
		return "on a thread"
	case unpark.WaitScheduler:
		return "ready to run, no processor free"
	case unpark.WaitGC:
		return "ready to run, the processors collected garbage"
	case unpark.WaitSTW:
		return "ready to run, the world was stopped"
	case unpark.WaitGCAssist:
		return "collecting garbage for what it allocates"
	case unpark.WaitRuntime:
		return "waiting inside the runtime"
	case unpark.WaitUnknown:
		return "the trace does not say"
	}
	return "place not known"
}

// doing says what a goroutine in a state does.
func doing(c unpark.WaitClass) string {
	switch c {
	case unpark.WaitLock:
		return "waiting for a lock"
	case unpark.WaitChannel:
		return "waiting for a channel"
	case unpark.WaitSelect:
		return "waiting in select"
	case unpark.WaitCond:
		return "waiting for a condition"
	case unpark.WaitGroup:
		return "waiting for a group"
	case unpark.WaitNetwork:
		return "waiting for the network"
	case unpark.WaitDownstream:
		return "waiting for another service"
	case unpark.WaitPool:
		return "waiting for a pool"
	case unpark.WaitRateLimit:
		return "waiting on purpose"
	case unpark.WaitSyscall:
		return "in a system call"
	case unpark.WaitSleep:
		return "asleep"
	case unpark.WaitScheduler, unpark.WaitGC, unpark.WaitSTW:
		return "waiting for a processor"
	case unpark.WaitUnknown:
		return "doing what the trace does not say"
	case unpark.WaitGCAssist:
		return "collecting garbage"
	case unpark.Running:
		return "running"
	case unpark.WaitRuntime:
		return stateWords(c)
	}
	return escape.Prose(string(c))
}

// heldCall returns the call that says what a holder did better than its class
// does: not one of the runtime's own, such as runtime.chansend1.
func heldCall(h unpark.Held) string {
	if h.Call.IsZero() || strings.HasPrefix(h.Call.Function, "runtime.") {
		return ""
	}
	name := escape.Line(h.Call.Function)
	last, _ := pathEnd(name)
	return name[last:]
}

// heldText prints one thing that a holder did in at most about w columns.
func heldText(h unpark.Held, w int) string {
	if call := heldCall(h); call != "" {
		text := middle(call, w)
		if at := h.Site.Place(); at != "" {
			text += " (" + middle(escape.Line(at), w) + ")"
		}
		return "in " + text
	}
	text := doing(h.Class)
	if !h.Site.IsZero() {
		text += " at " + siteText(h.Site, w)
	}
	return middle(text, w+len(" waiting for another service at "))
}

// heldMost returns what a holder did most: at most n parts, small ones left out
// unless there is nothing else. States without a place that are told in the same words are one.
func heldMost(all []unpark.Held, n int) []unpark.Held {
	const small = 0.05
	var joined, out []unpark.Held
	for _, h := range all {
		same := slices.IndexFunc(joined, func(o unpark.Held) bool {
			return h.Site.IsZero() && o.Site.IsZero() && heldCall(h) == "" && heldCall(o) == "" && doing(h.Class) == doing(o.Class)
		})
		if same < 0 {
			joined = append(joined, h)
			continue
		}
		joined[same].Share += h.Share
	}
	slices.SortStableFunc(joined, func(a, b unpark.Held) int { return cmp.Compare(b.Share, a.Share) })
	for _, h := range joined {
		if len(out) < n && (len(out) == 0 || h.Share >= small) {
			out = append(out, h)
		}
	}
	return out
}

// holders returns the edges that made requests wait at a place, the one that made
// the slowest wait longest first.
func holders(t unpark.Tracing, c unpark.WaitClass, at unpark.Site) []unpark.Edge {
	var out []unpark.Edge
	for _, e := range t.Edges {
		if e.Class == c && e.Waiter == at && !e.Holder.IsZero() && e.Delay > 0 {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b unpark.Edge) int { return cmp.Or(cmp.Compare(b.Tail, a.Tail), cmp.Compare(b.Delay, a.Delay)) })
	return out
}

// behind returns the wait behind a wait: what kept waiting the goroutine that held up a
// request; nil when that is not known.
func behind(t unpark.Tracing, h unpark.Held) *unpark.Edge {
	var out *unpark.Edge
	for i, e := range t.Edges {
		if e.Chained > 0 && e.Class == h.Class && e.Waiter == h.Site && !e.Holder.IsZero() && (out == nil || e.Chained > out.Chained) {
			out = &t.Edges[i]
		}
	}
	return out
}

// heldBy says how the end of a wait relates to it.
func heldBy(c unpark.WaitClass) string {
	if c == unpark.WaitLock || c == unpark.WaitPool {
		return "held by"
	}
	return "held up by"
}
