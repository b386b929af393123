package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

func roundsText(c unpark.Comparison) string {
	if c.Rounds == 1 {
		return "one round each"
	}
	return many(int64(c.Rounds), "round")
}

// effectTable prints every metric. The columns that need several rounds (p, floor)
// are left out when no metric has them.
func effectTable(c unpark.Comparison) (header []string, rows [][]string, tones []tone) {
	header = []string{"metric", "before", "after", "change"}
	tested, floored := false, false
	for _, e := range c.Effects {
		if aside(e, c) {
			continue
		}
		tested = tested || e.P.Known()
		floored = floored || c.Floor[e.Metric].Known()
	}
	if tested {
		header = append(header, "p")
	}
	if floored {
		header = append(header, "floor")
	}
	header = append(header, "verdict")
	for _, e := range c.Effects {
		if aside(e, c) {
			continue
		}
		name := metricName(e.Metric)
		before, after := bare(name, e.Before), bare(name, e.After)
		row := []string{name, units.Number(before.Value, before.Unit), units.Number(after.Value, after.Unit), effectChange(e.Ratio)}
		if tested {
			row = append(row, probability(e.P))
		}
		if floored {
			row = append(row, floorText(c.Floor[e.Metric]))
		}
		rows, tones = append(rows, append(row, verdictText(e.Verdict))), append(tones, changeTone(e.Verdict))
	}
	return header, rows, tones
}

// aside reports whether an effect is in the document alone: how many goroutines
// wait follows from how long each request does and from the throughput.
func aside(e unpark.Effect, c unpark.Comparison) bool {
	return e.Metric == "mean_waiters" && slices.ContainsFunc(c.Effects, func(e unpark.Effect) bool { return e.Metric == "wait_per_request" })
}

// verdictText prints what the rounds do not tell apart as unknown: "the same" would
// say more than was shown.
func verdictText(verdict string) string {
	switch verdict {
	case "same":
		return units.Unknown
	case "unknown":
		return "not comparable"
	}
	return or(escape.Prose(verdict), units.Unknown)
}

// effectChange prints a ratio near 1 as a percentage and others as a factor, with
// the interval: "+18.9 % (+16.1 to +21.8)", "×3.54 (3.31–3.80)".
func effectChange(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if !ok {
		return units.Unknown
	}
	if units.AsFactor(q) {
		return units.Times(q)
	}
	low, okLow := q.Low.Get()
	high, okHigh := q.High.Get()
	if !okLow || !okHigh {
		return gained(v) + " %"
	}
	return gained(v) + " % (" + gained(low) + " to " + gained(high) + ")"
}

// gained prints a ratio as percent with its sign: "+1.9", "−12.0".
func gained(ratio float64) string {
	text := strconv.FormatFloat(100*(ratio-1), 'f', 1, 64)
	switch {
	case text == "0.0" || text == "-0.0":
		return "±0.0"
	case strings.HasPrefix(text, "-"):
		return "−" + text[1:]
	default:
		return "+" + text
	}
}

func probability(n unpark.Number) string {
	v, ok := n.Get()
	switch {
	case !ok:
		return units.Unknown
	case v < 0.001:
		return "<0.001"
	case v < 0.1:
		return strconv.FormatFloat(v, 'f', 3, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}

func floorText(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if !ok {
		return units.Unknown
	}
	if v >= 1 { // −50 % is as far from none as +100 %
		return "×/÷" + units.Say(1+v, "")
	}
	return "±" + strconv.FormatFloat(100*v, 'f', 1, 64) + " %"
}

func (p comparisonText) effects() {
	if len(p.Effects) == 0 {
		return
	}
	p.blank()
	header, rows, tones := effectTable(p.Comparison)
	p.table(2, header, rows, tones)
	for i, text := range notes(p.Comparison) {
		if i == 0 {
			p.blank()
		}
		p.flow(line{say(quiet, "  ")}, say(quiet, text))
	}
	if header, rows := eachSecond(p.Effects); len(rows) > 0 {
		p.head("PER SECOND")
		p.table(2, header, rows, make([]tone, len(rows)))
	}
}

// legend says what the columns mean.
func legend(c unpark.Comparison) string {
	if c.Rounds == 1 && !slices.ContainsFunc(c.Effects, func(e unpark.Effect) bool { return e.P.Known() }) {
		switch {
		case len(c.Floor) == 0 && len(c.NotComparable) > 0:
			return ""
		case len(c.Floor) == 0:
			return "~ is within what one round each can differ by without a reason."
		}
		return "One round each has no interval. Floor is what 19 of 20 pairs of identical runs stay within on a shared machine of two cores; ~ is a change inside it."
	}
	change := "Change with its 90 % interval"
	if !slices.ContainsFunc(c.Effects, func(e unpark.Effect) bool { return e.Ratio.Low.Known() }) {
		change = "Change without an interval, which takes five rounds"
	}
	if tiny(c) {
		change += " (none where one arm has next to nothing)"
	}
	return change + "; p is corrected for the number of metrics; floor is what identical arms differ by here over as many rounds; ~ means that no change was shown."
}

// tiny reports whether a metric has no interval where others have one: in one of the
// arms there is too little of it to tell apart.
func tiny(c unpark.Comparison) bool {
	with, without := false, false
	for _, e := range c.Effects {
		with = with || e.Ratio.Low.Known()
		without = without || e.Ratio.Known() && !e.Ratio.Low.Known() && !aside(e, c)
	}
	return with && without
}

// resolutionText says what changes so many rounds show; "" where that is not known.
func resolutionText(c unpark.Comparison) string {
	var parts []string
	for _, m := range []string{"throughput", "p50", "p99", "cpu_per_request"} {
		v, ok := c.Resolution[m].Value.Get()
		switch {
		case !ok:
		case v >= 1:
			parts = append(parts, "a factor of "+units.Say(1+v, "")+" in "+metricName(m))
		default:
			parts = append(parts, units.Percent(v)+" in "+metricName(m))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	all := strings.Join(parts, ", ")
	if n := len(parts) - 1; n > 0 {
		all = strings.Join(parts[:n], ", ") + " and " + parts[n]
	}
	return roundsText(c) + " that scatter like these find a change 19 times in 20 when it is at least about " + all + "."
}

// notes are the lines below the table.
func notes(c unpark.Comparison) []string {
	var out []string
	for _, text := range []string{legend(c), resolutionText(c), speedText(c)} {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// eachSecond turns costs per request into what the service uses in a second, when
// both arms have the throughput.
func eachSecond(all []unpark.Effect) (header []string, rows [][]string) {
	of := map[string]unpark.Effect{}
	for _, e := range all {
		of[e.Metric] = e
	}
	rps := of["throughput"]
	for _, m := range []struct{ metric, label, unit string }{
		{"cpu_per_request", "CPU", "cores"}, {"bytes_per_request", "allocated", "B/s"},
	} {
		e, ok := of[m.metric]
		x, okX := e.Before.Value.Get()
		y, okY := e.After.Value.Get()
		a, okA := rps.Before.Value.Get()
		b, okB := rps.After.Value.Get()
		if !ok || !okX || !okY || !okA || !okB {
			continue
		}
		ratio := unpark.Quantity{Value: unpark.Ratio(y*b, x*a), Unit: "ratio"}
		if e.Verdict == "unknown" || rps.Verdict == "unknown" {
			ratio = unpark.Quantity{}
		}
		rows = append(rows, []string{m.label, units.Figure(x*a, m.unit), units.Figure(y*b, m.unit), effectChange(ratio)})
	}
	return []string{"", "before", "after", "change"}, rows
}

func (p comparisonText) limits() {
	l := p.Limits
	if l == nil {
		return
	}
	p.head("LIMIT")
	for _, arm := range []struct {
		name string
		l    unpark.Limit
	}{{"before", l.Before}, {"after", l.After}} {
		p.flow(line{say(normal, fmt.Sprintf("  %-8s", arm.name))}, say(strong, escape.Prose(string(arm.l.Kind))), say(quiet, " · "), say(normal, or(escape.Prose(arm.l.Why), units.Unknown)))
	}
}

// became says what a finding cost and costs, in the first part of the cost that is
// known: "mean waiters 31.2 → 0.4".
func became(f unpark.Changed) string {
	before, after := f.Costs()
	was, now := costParts(before), costParts(after)
	for i := range was {
		a, okA := was[i].q.Value.Get()
		b, okB := now[i].q.Value.Get()
		unit := bare(was[i].label, unpark.Quantity{Unit: or(was[i].q.Unit, now[i].q.Unit)}).Unit
		switch {
		case f.Change == "gone" && okA:
			return "was " + was[i].label + " " + units.Figure(a, unit)
		case f.Change == "unknown" && okA && !okB:
			return "was " + was[i].label + " " + units.Figure(a, unit) + ", not seen after"
		case f.Change == "unknown" && okB && !okA:
			return was[i].label + " " + units.Figure(b, unit) + ", not seen before"
		case f.Change == "new" && okB:
			return now[i].label + " " + units.Figure(b, unit)
		case okA && okB:
			return was[i].label + " " + units.Figure(a, unit) + " → " + units.Figure(b, unit)
		}
	}
	return ""
}
