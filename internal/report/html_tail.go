package report

import (
	"math"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// tailView is the panel on why the slowest requests wait.
type tailView struct {
	Heading string
	Lead    string
	Cure    string
	Notes   []string
	Bars    []barView
	Header  []string
	States  []stateView
	Excess  []excessView
	Nothing string
	Graph   graphView
	Tree    []*treeNode
	Omitted string
	Key     string // what the labels in the graph say
}

// barView is the mean time of one cohort, cut by state.
type barView struct {
	Label, Value string
	Segments     []segment
	Text         string // the same in words
}

// segment is a part of a bar; bars of the states are 1000 wide.
type segment struct {
	Class   string
	X, W, Y float64
	Text    string
}

// stateView is a row of the legend.
type stateView struct {
	Class string // of the style
	Name  string
	Words string
	Cells []string
}

// excessView is a place where the slowest were longer.
type excessView struct {
	Class    string // of the style
	Name     string
	More     string
	Interval string
	Share    string
	Dim      bool // may be chance
	Site     siteView
	Words    string
	Stack    []siteView
}

func newTail(r unpark.Run) *tailView {
	t := tracingOf(r)
	if t == nil {
		return nil
	}
	v := &tailView{Heading: "Why the slowest requests wait", Notes: tailNotes(*t)}
	if hasCohorts(*t) {
		v.Lead = title(slowest(*t)) + ": " + strings.Join(tailParts(*t), " · ")
		if len(excessRows(*t)) == 0 {
			v.Nothing = noExcess
		}
	} else {
		v.Heading = "Why requests wait"
		v.Lead, v.Cure = noCohorts(*t)
		v.Lead = title(v.Lead)
	}
	v.bars(*t)
	for _, e := range t.Excess {
		v.Excess = append(v.Excess, newExcess(e))
	}
	g := newWaitGraph(*t)
	v.Graph, v.Tree = g.layout(*t), g.tree(*t)
	if g.omitted > 0 {
		v.Omitted = units.Count(int64(g.omitted)) + " smaller waits are left out."
	}
	v.Key = g.key(*t)
	return v
}

// key says what the labels and lines of the graph mean.
func (g *waitGraph) key(t unpark.Tracing) string {
	text := "Time per request is the mean of all traced"
	if hasCohorts(t) {
		text += ", the share is of the time of the " + slowest(t)
	}
	text += "; a line is as thick as the wait is long."
	for _, l := range g.links {
		if l.chained {
			return text + " A dashed line is a wait of a goroutine that held up a request meanwhile."
		}
	}
	return text
}

// cohortOf is a column of the states.
type cohortOf struct {
	name string
	mean float64
	of   func(unpark.StateTime) float64
}

func (v *tailView) bars(t unpark.Tracing) {
	all := cohortOf{"any request", 0, func(s unpark.StateTime) float64 { return s.All }}
	for _, s := range t.States {
		all.mean += finite(s.All)
	}
	cohorts := []cohortOf{all}
	if hasCohorts(t) {
		cohorts = []cohortOf{
			{slowest(t), t.Tail.Mean, func(s unpark.StateTime) float64 { return s.Tail }},
			{middleName(t), t.Middle.Mean, func(s unpark.StateTime) float64 { return s.Middle }},
			all,
		}
	}
	var most float64
	for _, c := range cohorts {
		var sum float64
		for _, s := range t.States {
			sum += max(finite(c.of(s)), 0)
		}
		most = max(most, sum, finite(c.mean))
	}
	for _, c := range cohorts {
		v.Bars = append(v.Bars, newBars(c, t.States, most))
		v.Header = append(v.Header, unbroken(c.name))
	}
	for _, s := range t.States {
		row := stateView{Class: classStyle(s.Class), Name: className(s.Class), Words: stateNote(s.Class)}
		for _, c := range cohorts {
			row.Cells = append(row.Cells, units.Figure(c.of(s), "s"))
		}
		v.States = append(v.States, row)
	}
}

// stateNote explains a state whose name does not.
func stateNote(c unpark.WaitClass) string {
	switch c {
	case unpark.WaitScheduler, unpark.WaitGC, unpark.WaitSTW, unpark.WaitGCAssist, unpark.WaitUnknown:
		return stateWords(c)
	}
	return ""
}

// newBars draws one cohort to the scale that all share.
func newBars(c cohortOf, states []unpark.StateTime, most float64) barView {
	b := barView{Label: c.name, Value: units.Figure(c.mean, "s")}
	var words []string
	var x float64
	for _, s := range states {
		seconds := finite(c.of(s))
		if seconds <= 0 || most <= 0 {
			continue
		}
		w := seconds / most * 1000
		text := className(s.Class) + " " + units.Figure(seconds, "s")
		b.Segments = append(b.Segments, segment{Class: classStyle(s.Class), X: round1(x), W: round1(w), Text: text})
		words = append(words, text)
		x += w
	}
	b.Text = c.name + ": " + b.Value + ", of which " + strings.Join(words, ", ")
	return b
}

func newExcess(e unpark.Excess) excessView {
	q := surplus(e)
	v := excessView{
		Class: classStyle(e.Class), Name: className(e.Class), More: signed(q.Value.Or(math.NaN()), "s"), Share: units.Number(e.Share, "ratio"),
		Dim: !beyondChance(e), Site: newSite(e.Site), Words: stateWords(e.Class), Interval: units.Unknown,
	}
	low, okLow := q.Low.Get()
	high, okHigh := q.High.Get()
	if okLow && okHigh {
		v.Interval = signed(low, "s") + " to " + signed(high, "s")
	}
	for _, s := range e.Stack {
		if !s.IsZero() {
			v.Stack = append(v.Stack, newSite(s))
		}
	}
	return v
}

// signed prints a difference.
func signed(v float64, unit string) string {
	switch {
	case v > 0:
		return "+" + units.Figure(v, unit)
	case v < 0:
		return "−" + units.Figure(-v, unit)
	}
	return units.Figure(v, unit)
}
