package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// comparisonText prints two arms side by side: before, after, ratio and verdict of
// each metric, what became of each finding, and each forecast beside its outcome.
type comparisonText struct {
	*page
	unpark.Comparison
}

func comparisonPage(c unpark.Comparison) *page {
	p := comparisonText{&page{}, c}
	word, t := outcome(c)
	p.flow(line{say(heading, word), say(normal, "  ")}, say(t, headline(c)))
	if c.Why != "" && len(c.Refused)+len(c.NotComparable) == 0 {
		p.flow(line{say(normal, strings.Repeat(" ", width(word)+2))}, say(normal, escape.Prose(c.Why)))
	}
	p.notices("CANNOT BE COMPARED", alarm, c.Refused)
	p.notices("TIMES CANNOT BE COMPARED", alarm, c.NotComparable)
	p.effects()
	p.functions("FUNCTIONS", p.Functions, p.FunctionsTested)
	p.limits()
	p.changes()
	p.forecasts()
	p.notices("WARNINGS", caution, c.Warnings)
	return p.page
}

// outcome sums the verdicts up in one word.
func outcome(c unpark.Comparison) (string, tone) {
	if len(c.Refused) > 0 {
		return "REFUSED", alarm
	}
	if len(c.NotComparable) > 0 {
		return "NOT COMPARABLE", alarm
	}
	verdicts := map[string]int{}
	for _, e := range c.Effects {
		verdicts[e.Verdict]++
	}
	better, worse := verdicts["better"] > 0, verdicts["worse"] > 0 || c.FunctionsWorse()
	switch {
	case better && worse:
		return "MIXED", caution
	case better:
		return "BETTER", good
	case worse:
		return "WORSE", alarm
	case undecided(c):
		return "UNDECIDED", caution
	case verdicts["same"] > 0:
		return "SAME", strong
	default:
		return "UNKNOWN", quiet
	}
}

// undecided reports that no change could have been shown, however large.
func undecided(c unpark.Comparison) bool {
	return slices.ContainsFunc(c.Warnings, func(n unpark.Notice) bool { return n.Code == "too-few-rounds" })
}

// headline names the metrics that changed, then the findings that did.
func headline(c unpark.Comparison) string {
	var parts []string
	for _, e := range c.Effects {
		if e.Verdict == "better" || e.Verdict == "worse" {
			name := metricName(e.Metric)
			parts = append(parts, name+" "+units.FromTo(e.Before.Value, e.After.Value, bare(name, e.After).Unit))
		}
	}
	switch {
	case len(c.Refused) > 0:
		return "these runs cannot be compared"
	case len(c.NotComparable) > 0:
		return strings.Join(append([]string{"times have no verdict"}, append(parts, roundsText(c))...), " · ")
	case len(c.Effects) == 0:
		parts = append(parts, "nothing was measured in both arms")
	case len(parts) == 0 && undecided(c):
		parts = append(parts, "too few rounds to tell")
	case len(parts) == 0:
		parts = append(parts, "no metric moved beyond the noise")
	}
	counts := map[string]int{}
	for _, f := range c.Functions {
		counts[f.Verdict]++
	}
	for _, verdict := range []string{"worse", "better"} {
		if n := counts[verdict]; n > 0 {
			parts = append(parts, many(int64(n), "function")+" "+verdict)
		}
	}
	for _, f := range c.Findings {
		counts[f.Change]++
	}
	for _, change := range []string{"gone", "shrunk", "grown", "new"} {
		if n := counts[change]; n > 0 {
			parts = append(parts, many(int64(n), "finding")+" "+change)
		}
	}
	return strings.Join(append(parts, roundsText(c)), " · ")
}

func metricName(m string) string { return strings.ReplaceAll(escape.Prose(m), "_", " ") }

func changeTone(word string) tone {
	switch word {
	case "better", "gone", "shrunk":
		return good
	case "worse", "grown", "new":
		return alarm
	default:
		return normal
	}
}

// changeWord names what became of a finding; "~" where that is not known.
func changeWord(change string) string {
	if change == "unknown" {
		return units.Unknown
	}
	return escape.Prose(change)
}

// sortedChanges puts what changed first.
func sortedChanges(all []unpark.Changed) []unpark.Changed {
	order := []string{"new", "grown", "gone", "shrunk", "unknown", "same"}
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b unpark.Changed) int {
		return slices.Index(order, a.Change) - slices.Index(order, b.Change)
	})
	return out
}

func (p comparisonText) changes() {
	if len(p.Findings) == 0 {
		return
	}
	p.head("FINDINGS")
	for _, f := range sortedChanges(p.Findings) {
		first := line{say(changeTone(f.Change), fmt.Sprintf("  %-8s", changeWord(f.Change)))}
		p.flow(first, say(normal, string(f.Class)), say(quiet, " · "), say(normal, escape.Prose(f.Title)))
		indent := say(normal, strings.Repeat(" ", first.width()))
		if text := became(f); text != "" {
			p.flow(line{indent}, say(normal, text))
		}
		if !f.Site.IsZero() {
			p.add(indent, say(place, siteText(f.Site, columns-width(indent.text))))
		}
	}
}

func (p comparisonText) forecasts() {
	if len(p.Forecast) == 0 {
		return
	}
	p.head("FORECAST")
	var rows [][]string
	var tones []tone
	for _, f := range p.Forecast {
		row, t := forecastRow(f)
		rows, tones = append(rows, row), append(tones, t)
	}
	p.table(2, forecastHeader(), rows, tones)
}

func forecastHeader() []string { return []string{"metric", "forecast", "measured", ""} }

func forecastRow(f unpark.Forecast) ([]string, tone) {
	word, t := "outside", caution
	switch {
	case !f.Predicted.Known() && !f.Predicted.OneEnded() || !f.Measured.Known():
		word, t = units.Unknown, quiet
	case f.Inside:
		word, t = "inside", good
	}
	return []string{metricName(f.Metric), ratioOr(f.Predicted), ratioOr(f.Measured), word}, t
}

// ratioOr prints a ratio as a factor and anything else with its unit; of one end that end.
func ratioOr(q unpark.Quantity) string {
	switch {
	case q.OneEnded() && q.Low.Known():
		return "at least " + ratioOr(unpark.Quantity{Value: q.Low, Unit: q.Unit})
	case q.OneEnded():
		return "at most " + ratioOr(unpark.Quantity{Value: q.High, Unit: q.Unit})
	}
	if q.Unit == "ratio" {
		return units.Times(q)
	}
	return units.Quantity(q)
}
