package report

import (
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/report/look"
	"github.com/unpark-go/unpark/internal/units"
)

// ComparisonPage is a comparison with what the page draws beside it.
type ComparisonPage struct {
	Comparison    unpark.Comparison
	Before, After string         // what each arm is: a command, a revision, a run
	Plan          unpark.Plan    // that both ran under
	Rounds        []Round        // every round that counts, in the order of time
	Flames        []unpark.Flame // differential (unpark.Flame, Before)
	Links         []look.Link    // to pages beside this one
}

// Round is what one round measured of both arms, by metric name in base units; a
// metric that was not measured is absent. In an Identical round both are the arm
// before.
type Round struct {
	Number        int
	Identical     bool
	Before, After map[string]float64
}

// ComparisonHTML writes a comparison as one file that opens without a network: the
// verdict, every metric with all its rounds and the host's floor, what became of
// each finding, and differential flame graphs.
func ComparisonHTML(w io.Writer, p ComparisonPage) error {
	v, err := newComparisonView(p)
	if err != nil {
		return err
	}
	return execute(w, "comparison.html.tmpl", v)
}

func comparisonScripts() []string {
	return []string{"data.js", "base.js", "charts.js", "dots.js", "flame.js", "explorer.js"}
}

// comparisonView is what the template sees. Texts are plain: the template escapes
// them.
type comparisonView struct {
	Policy string
	Style  template.CSS
	Script template.JS

	Links         []look.Link
	Before, After string
	Word          string
	Why           string
	Headline      string
	Refused       []unpark.Notice
	NotComparable []unpark.Notice
	Effects       effectsView
	Legend        string
	Second        tableView
	Functions     []effectsView
	Tested        string
	Limits        []limitView
	Changes       []changeView
	Forecasts     tableView
	Warnings      []unpark.Notice
	Ran           []rowView
	Graphs        []graph
	Data          data
}

type effectsView struct {
	Header []string
	Rows   []effectView
}

// add appends a row; its cells may come from a file.
func (v *effectsView) add(verdict string, cells []string) {
	for i := range cells {
		cells[i] = escape.Prose(cells[i])
	}
	v.Rows = append(v.Rows, effectView{verdict, cells})
}

type effectView struct {
	Verdict string
	Cells   []string
}

type limitView struct{ Arm, Kind, Why string }

type changeView struct {
	Change, Class, Title, Cost string
	Site                       siteView
}

// metricView is one metric for drawing. Values of a round are in the order of
// Rounds; null where it was not measured.
type metricView struct {
	Name    string          `json:"name"`
	Unit    string          `json:"unit"`
	Verdict string          `json:"verdict"`
	Change  string          `json:"change"`
	Ratio   unpark.Number   `json:"ratio"`
	Low     unpark.Number   `json:"low"`
	High    unpark.Number   `json:"high"`
	Floor   unpark.Number   `json:"floor"`
	Before  []unpark.Number `json:"before"`
	After   []unpark.Number `json:"after"`
	Same    []bool          `json:"same"` // the round is of identical arms
}

func newComparisonView(p ComparisonPage) (comparisonView, error) {
	style, script, policy, err := inline(comparisonScripts())
	if err != nil {
		return comparisonView{}, err
	}
	c := p.Comparison
	if len(c.NotComparable) > 0 { // a difference of times would be a verdict on them
		c.Why = ""
		p.Flames = slices.DeleteFunc(slices.Clone(p.Flames), func(f unpark.Flame) bool { return f.Unit == "s" })
	}
	all, err := graphs(p.Flames)
	if err != nil {
		return comparisonView{}, err
	}
	word, _ := outcome(c)
	v := comparisonView{
		Policy: policy, Style: style, Script: script, Graphs: all, Links: p.Links,
		Before: or(escape.Prose(p.Before), "before"), After: or(escape.Prose(p.After), "after"),
		Word: word, Why: sentence(c.Why), Headline: headline(c), Refused: notices(c.Refused), NotComparable: notices(c.NotComparable),
		Legend: strings.Join(notes(c), " "), Warnings: notices(c.Warnings),
	}
	header, rows, _ := effectTable(c)
	v.Effects.Header = header
	shown := slices.DeleteFunc(slices.Clone(c.Effects), func(e unpark.Effect) bool { return aside(e, c) })
	for i, row := range rows {
		v.Effects.add(or(escape.Prose(shown[i].Verdict), units.Unknown), row)
	}
	if header, rows := eachSecond(c.Effects); len(rows) > 0 {
		v.Second = tableView{Header: header, Rows: rows}
	}
	v.Functions, v.Tested = functionViews(c.Functions, c.FunctionsTested)
	v.found(c)
	v.Ran = ranRounds(p)
	v.Data = data{Diff: true, Per: perOf(p.Flames), RPS: rates(c), Metrics: metricViews(p)}
	return v, nil
}

// found fills in limits, findings and forecasts.
func (v *comparisonView) found(c unpark.Comparison) {
	if c.Limits != nil {
		v.Limits = []limitView{
			{"before", escape.Prose(string(c.Limits.Before.Kind)), or(escape.Prose(c.Limits.Before.Why), units.Unknown)},
			{"after", escape.Prose(string(c.Limits.After.Kind)), or(escape.Prose(c.Limits.After.Why), units.Unknown)},
		}
	}
	for _, f := range sortedChanges(c.Findings) {
		v.Changes = append(v.Changes, changeView{changeWord(f.Change), escape.Prose(string(f.Class)), escape.Prose(f.Title), became(f), newSite(f.Site)})
	}
	if len(c.Forecast) > 0 {
		v.Forecasts.Header = forecastHeader()
		for _, f := range c.Forecast {
			row, _ := forecastRow(f)
			v.Forecasts.Rows = append(v.Forecasts.Rows, row)
		}
	}
}

// metricViews lists every effect with its rounds.
func metricViews(p ComparisonPage) []metricView {
	var out []metricView
	for _, e := range p.Comparison.Effects {
		if aside(e, p.Comparison) {
			continue
		}
		m := metricView{
			Name: metricName(e.Metric), Unit: escape.Prose(strings.TrimSuffix(e.Before.Unit, "/req")), Verdict: verdictText(e.Verdict), Change: effectChange(e.Ratio),
			Ratio: e.Ratio.Value, Low: e.Ratio.Low, High: e.Ratio.High, Floor: p.Comparison.Floor[e.Metric].Value,
		}
		some := 0
		for _, r := range p.Rounds {
			before, okB := r.Before[e.Metric]
			after, okA := r.After[e.Metric]
			if !okB || !okA || math.IsNaN(before) || math.IsNaN(after) {
				continue
			}
			some++
			m.Before, m.After, m.Same = append(m.Before, unpark.Num(before)), append(m.After, unpark.Num(after)), append(m.Same, r.Identical)
		}
		if some > 0 {
			out = append(out, m)
		}
	}
	return out
}

// rates returns the requests per second of both arms, nil when one is not known.
func rates(c unpark.Comparison) []float64 {
	for _, e := range c.Effects {
		if a, ok := e.Before.Value.Get(); ok && e.Metric == "throughput" {
			if b, ok := e.After.Value.Get(); ok {
				return []float64{a, b}
			}
		}
	}
	return nil
}

// perOf is what the graphs of an interval were divided by, as figures print it.
func perOf(all []unpark.Flame) string {
	for _, f := range all {
		switch f.Per {
		case "request":
			return "req"
		case "second":
			return "s"
		}
	}
	return ""
}

// ranRounds says what was run.
func ranRounds(p ComparisonPage) []rowView {
	identical := 0
	for _, r := range p.Rounds {
		if r.Identical {
			identical++
		}
	}
	out := []rowView{{"before", or(escape.Prose(p.Before), units.Unknown)}, {"after", or(escape.Prose(p.After), units.Unknown)}}
	if p.Plan.Mode != "" {
		out = append(out, rowView{"load", strings.Join(loadParts(unpark.Run{Plan: p.Plan}), " · ")})
	}
	rounds := roundsText(p.Comparison)
	if identical > 0 {
		rounds += ", and " + units.Figure(float64(identical), "count") + " of identical arms for the floor"
	}
	return append(out, rowView{"rounds", rounds})
}
