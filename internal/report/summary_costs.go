package report

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// spending is what the CPU goes to besides the findings.
type spending struct {
	title  string
	metric string // of all gains; empty when every prediction abstains
	low    bool   // few samples
	rows   []spent
}

// spent is one function of it.
type spent struct {
	share  string // of the target's CPU
	site   unpark.Site
	gain   *gain // nil when the prediction abstains
	callee callee
}

// callee is the library function that most of a function's CPU goes to.
type callee struct{ part, name string } // part of the function's, empty when not known

// doubt is why costs are no findings.
const doubt = "a profile cannot say whether it is needed"

// spendingOf lists a run's costs, nil when there are none.
func spendingOf(r unpark.Run) *spending {
	if len(r.Costs) == 0 {
		return nil
	}
	s := &spending{title: "what the CPU goes to", metric: commonMetric(r.Costs)}
	if len(r.Findings) > 0 {
		s.title = "what else the CPU goes to"
	}
	l := loadOf(r)
	for _, c := range r.Costs {
		row := spent{share: units.Number(c.Share, "ratio"), site: c.Site, callee: calleeOf(c)}
		for _, g := range gains(c.Prediction, l) {
			if g.metric == s.metric {
				row.gain = &g
			}
		}
		s.low = s.low || c.Confidence == unpark.Low
		s.rows = append(s.rows, row)
	}
	return s
}

// commonMetric picks the metric in which functions are compared: the first that
// the absence of any would move, else the first that is predicted at all. An open
// loop gets the throughput that it offers, so only its latency moves.
func commonMetric(all []unpark.Finding) string {
	metrics := []struct {
		name string
		of   func(unpark.Prediction) unpark.Quantity
	}{
		{"throughput", func(p unpark.Prediction) unpark.Quantity { return p.Throughput }},
		{"p99", func(p unpark.Prediction) unpark.Quantity { return p.P99 }},
		{"p50", func(p unpark.Prediction) unpark.Quantity { return p.P50 }},
	}
	first := ""
	for _, m := range metrics {
		for _, c := range all {
			q := m.of(c.Prediction)
			if first == "" && q.Known() {
				first = m.name
			}
			if moves(q) {
				return m.name
			}
		}
	}
	return first
}

// calleeOf names the library function that does most of the work.
func calleeOf(c unpark.Finding) callee {
	if len(c.Into) == 0 {
		return callee{}
	}
	name := escape.Prose(withoutPath(c.Into[0].Site).Function)
	if name == "" {
		return callee{}
	}
	share := c.Into[0].Share
	if share <= 0 || share > 1 {
		return callee{name: name}
	}
	return callee{units.Percent(share), name}
}

// text says it in words, empty when not known.
func (c callee) text() string {
	if c.name == "" {
		return ""
	}
	return c.before() + c.name
}

func (c callee) before() string {
	if c.part == "" {
		return "calls "
	}
	return c.part + " of it in "
}

// brief is a gain without the figure of today, which is one for all costs.
func (s spent) brief() string {
	if s.gain == nil {
		return ""
	}
	if q := s.gain.ratio; s.gain.more && q.Known() {
		return units.Changed(q)
	}
	return factor(s.gain.ratio)
}

// factor prints a ratio as a factor, with its interval or the end of it that is known.
func factor(q unpark.Quantity) string {
	of := func(v unpark.Number) string { return units.Times(unpark.Quantity{Value: v, Unit: q.Unit}) }
	switch {
	case !q.Known() && q.Low.Known():
		return of(q.Low) + " or more"
	case !q.Known() && q.High.Known():
		return of(q.High) + " or less"
	}
	return units.Times(q)
}

// without names the column of the gains.
func (s spending) without() string { return s.metric + " without it" }

// calls reports whether any function has a callee.
func (s spending) calls() bool {
	for _, r := range s.rows {
		if r.callee.name != "" {
			return true
		}
	}
	return false
}

// heading is the title of a section that has a line of its own.
func (s spending) heading() string { return strings.ToUpper(s.title[:1]) + s.title[1:] }

// noCause is said of a run without findings.
func noCause(r unpark.Run) string {
	if len(r.Costs) > 0 {
		return "No single cause stands out."
	}
	return "No cause was found that would be worth a change."
}
