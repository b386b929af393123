package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// item is a named figure.
type item struct{ Label, Value string }

// part is one part of a cost.
type part struct {
	label string
	q     unpark.Quantity
}

// costParts lists all parts of a cost, the one a reader asks for first first.
func costParts(c unpark.Cost) []part {
	return []part{
		{"mean waiters", c.MeanWaiters},
		{"waiting", c.WaitPerRequest},
		{"held", c.HoldPerRequest},
		{"CPU", c.CPUPerRequest},
		{"cores", c.Cores},
		{"allocated", c.BytesPerRequest},
		{"goroutines", c.Goroutines},
		{"growth", c.GrowthPerSecond},
		{"throttled", c.Throttled},
	}
}

// crowdLabel stands before what explains the mean waiters, which are the item before it.
const crowdLabel = "that is"

// costs lists the known parts of a cost.
func costs(f unpark.Finding, l *unpark.Load) []item {
	var out []item
	for _, p := range costParts(f.Cost) {
		if p.q.Known() {
			out = append(out, item{p.label, units.Quantity(bare(p.label, p.q))})
		}
		if text := crowd(f.Cost.MeanWaiters, l); p.label == "mean waiters" && text != "" {
			out = append(out, item{crowdLabel, text})
		}
	}
	if v, ok := f.Share.Get(); ok {
		out = append(out, item{"share", units.Percent(v) + " of " + or(escape.Prose(f.ShareOf), units.Unknown)})
	}
	return out
}

// bare drops a unit that the label says already.
func bare(label string, q unpark.Quantity) unpark.Quantity {
	if q.Unit == "waiters" || q.Unit == label || q.Unit == "goroutines" {
		q.Unit = "count"
	}
	return q
}

// gain is what fixing a finding would do to one metric.
type gain struct {
	metric string
	text   string
	ratio  unpark.Quantity
	more   bool // more is better
}

// gains lists what a prediction says, in absolute figures where the run has the
// figure to start from, and why it says nothing of the p99. It is empty when unpark abstains.
func gains(p unpark.Prediction, l *unpark.Load) []gain {
	var out []gain
	add := func(metric string, q unpark.Quantity, base float64, unit string) {
		g := gain{metric: metric, ratio: q, more: metric == "throughput"}
		if !q.Known() {
			if text := oneSided(q, base, unit); text != "" {
				g.text = text
				out = append(out, g)
			}
			return
		}
		switch {
		case g.more && base > 0 && units.Change(q.Value.Or(0)) == units.Change(1):
			g.text = "stays " + units.Figure(base, unit) + ", " + units.Changed(q)
		case g.more && base > 0:
			g.text = units.FromTo(unpark.Num(base), unpark.Num(base*q.Value.Or(0)), unit) + ", " + units.Changed(q)
		case g.more:
			g.text = units.Changed(q)
		case base > 0:
			g.text = units.Figure(base, unit) + " → " + units.Quantity(scaled(q, base, unit)) + ", " + units.Times(valueOf(q))
		default:
			g.text = units.Times(q)
		}
		out = append(out, g)
	}
	var p50, p99, rate float64
	if l != nil {
		rate = l.AchievedRPS
		if l.Response.N > 0 {
			p50, p99 = l.Response.P50, l.Response.P99
		}
	}
	add("p99", p.P99, p99, "s")
	// Of a closed loop throughput says what a fix buys.
	if len(out) == 0 && p.P99Unsaid != "" && l != nil && l.Mode.Open() {
		out = append(out, gain{metric: "p99", text: "not predicted: " + escape.Prose(p.P99Unsaid)})
	}
	add("p50", p.P50, p50, "s")
	add("throughput", p.Throughput, rate, "req/s")
	return out
}

// oneSided says a ratio of which only one end is known; "" where none is, or nothing to
// start from.
func oneSided(q unpark.Quantity, base float64, unit string) string {
	of := func(v unpark.Number) string { return units.Times(unpark.Quantity{Value: v, Unit: q.Unit}) }
	low, least := q.Low.Get()
	high, most := q.High.Get()
	switch {
	case base <= 0:
		return ""
	case least && low <= 1+unpark.LeastGain:
		return units.Figure(base, unit) + " → not predicted, from nothing to several times as much"
	case least:
		return units.Figure(base, unit) + " → " + units.Figure(base*low, unit) + " or more, at least " + of(q.Low)
	case most:
		return units.Figure(base, unit) + " → " + units.Figure(base*high, unit) + " or less, at most " + of(q.High)
	}
	return ""
}

// valueOf drops the interval.
func valueOf(q unpark.Quantity) unpark.Quantity { return unpark.Quantity{Value: q.Value, Unit: q.Unit} }

// scaled returns ratio × base with its interval.
func scaled(q unpark.Quantity, base float64, unit string) unpark.Quantity {
	by := func(n unpark.Number) unpark.Number {
		v, ok := n.Get()
		if !ok {
			return unpark.Number{}
		}
		return unpark.Num(v * base)
	}
	return unpark.Quantity{Value: by(q.Value), Unit: unit, Low: by(q.Low), High: by(q.High), N: q.N}
}

// abstains says why there is no prediction.
func abstains(p unpark.Prediction) string {
	text := "no prediction"
	if len(p.Assumptions) > 0 {
		text += ": " + escape.Prose(p.Assumptions[0])
	}
	return text
}

// sentence begins a clause with a capital, unless its first word is a name from
// code, and ends it with a stop. A command to type stays as it is.
func sentence(s string) string {
	s = escape.Prose(s)
	if s == "" || strings.HasPrefix(s, "unpark ") || strings.HasPrefix(s, "go ") {
		return s
	}
	word, _, _ := strings.Cut(s, " ")
	if !strings.ContainsAny(word, ".()[]*/_") {
		first, n := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(first)) + s[n:]
	}
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// factText prints a fact with its figure. The text may hold the figure already,
// so the figure is only added when the fact has one.
func factText(f unpark.Fact) string {
	text := escape.Prose(f.Text)
	if v, ok := f.Value.Get(); ok {
		text += ": " + units.Figure(v, escape.Prose(f.Unit))
	}
	return text
}

// lockSites returns the ends of a wait; either may be nil.
func lockSites(f unpark.Finding) (waiter, holder *unpark.Site) {
	if f.Waiter != nil && !f.Waiter.IsZero() {
		waiter = f.Waiter
	}
	if f.Holder != nil && !f.Holder.IsZero() {
		holder = f.Holder
	}
	return waiter, holder
}

// mostVia is how many functions between a finding's two ends are shown.
const mostVia = 3

// culprit returns the function that owns the cost of a finding, where that is neither its
// site nor its holder, and those between, as far as they fit: the nearest to it.
func culprit(f unpark.Finding) (at unpark.Site, via []string, ok bool) {
	if f.Culprit == nil || f.Culprit.Function == f.Site.Function || f.Holder != nil && f.Culprit.Function == f.Holder.Function {
		return unpark.Site{}, nil, false
	}
	between := f.Way[:max(0, len(f.Way)-1)]
	for _, part := range between[max(0, len(between)-mostVia):] {
		via = append(via, escape.Prose(unpark.ShortFunction(part.Site.Function)))
	}
	return *f.Culprit, via, true
}

// code escapes lines and leaves their indentation.
func code(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, "\t "))]
		out = append(out, indent+escape.Line(strings.TrimSpace(line)))
	}
	return strings.Join(out, "\n")
}
