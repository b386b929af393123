package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// card is one finding on the page.
type card struct {
	Rank       int
	Class      string
	Title      string
	Confidence string
	Site       siteView
	Culprit    siteView // empty where it is the site, or the holder
	Via        string   // functions between the two
	Waiter     siteView
	Holder     siteView
	Costs      []item
	Gains      []gainView
	Abstains   string
	Parts      string
	Summary    string
	Next       string
	Assume     []string
	Slowed     *slowdown // nil without an experiment
	Remedies   []remedyView
	Facts      []rowView // label: source
	Path       []siteView
}

// remedyView is one way to fix a finding; Change is code.
type remedyView struct {
	Title, Why, When, Risk, Change string
	Sources                        []string
}

// siteView is a site. Short leaves out the import path but for its last element,
// which Package is without, and Name begins with.
type siteView struct{ Short, Full, Package, Name, Place, File string }

// gainView is a prediction with its interval as a bar: 100 is today's figure.
type gainView struct {
	Metric string
	Text   string
	Better bool
	Said   bool // a figure, which is drawn
	bar
}

// bar is drawn in a box of 100 by 10. Positions are shares of its width.
type bar struct {
	Base, Value, Low, Span float64
	Interval               bool
}

func newSite(s unpark.Site) siteView {
	if s.IsZero() {
		return siteView{}
	}
	bare := s
	bare.File = ""
	file := ""
	if s.File != "" {
		file = escape.Line(s.File) + ":" + strconv.Itoa(s.Line)
	}
	full := escape.Line(s.Function)
	last, _ := pathEnd(full)
	return siteView{
		Short: shortSite(bare), Full: full, Package: full[:last], Name: full[last:], Place: escape.Line(s.Place()), File: file,
	}
}

func newCard(f ranked, l *unpark.Load) card {
	c := card{
		Rank: f.rank(), Class: escape.Prose(string(f.Class)), Title: unbroken(escape.Prose(f.Title)), Confidence: escape.Prose(string(f.Confidence)),
		Site: newSite(f.Site), Costs: costs(f.Finding, l), Summary: unbroken(escape.Prose(f.Prediction.Summary)), Next: nextLimit(f.Prediction),
	}
	if at, via, ok := culprit(f.Finding); ok {
		c.Culprit, c.Via = newSite(at), strings.Join(via, " → ")
	}
	c.Parts = strings.Join(byParts(f.Prediction), " · ")
	waiter, holder := lockSites(f.Finding)
	if waiter != nil {
		c.Waiter = newSite(*waiter)
	}
	if holder != nil {
		c.Holder = newSite(*holder)
	}
	for _, g := range gains(f.Prediction, l) {
		c.Gains = append(c.Gains, gainView{Metric: g.metric, Text: unbroken(g.text), Better: gainTone(g) == good, Said: !g.ratio.IsZero(), bar: newBar(g)})
	}
	assumptions := f.Prediction.Assumptions
	if len(c.Gains) == 0 {
		c.Abstains = abstains(f.Prediction)
		assumptions = assumptions[min(1, len(assumptions)):]
	}
	for _, a := range assumptions {
		c.Assume = append(c.Assume, escape.Prose(a))
	}
	c.Slowed = slowed(f.Experiment, l)
	for _, x := range f.Remedies {
		r := remedyView{Title: sentence(x.Title), Why: sentence(x.Why), When: sentence(x.When), Risk: sentence(x.Risk), Change: code(x.Change)}
		for _, s := range x.Sources {
			r.Sources = append(r.Sources, escape.Line(s))
		}
		c.Remedies = append(c.Remedies, r)
	}
	for _, x := range f.Facts {
		c.Facts = append(c.Facts, rowView{escape.Prose(x.Source), factText(x)})
	}
	for _, s := range f.Path {
		c.Path = append(c.Path, newSite(s))
	}
	return c
}

// newBar scales a ratio so that today and the whole interval fit.
func newBar(g gain) bar {
	value := g.ratio.Value.Or(g.ratio.Low.Or(g.ratio.High.Or(1))) // of one end, that
	low, high := g.ratio.Low.Or(value), g.ratio.High.Or(value)
	scale := 100 / max(1, value, high)
	at := func(v float64) float64 { return math.Round(min(max(v*scale, 0), 100)*100) / 100 }
	return bar{
		Base: at(1), Value: at(value), Low: at(low), Span: max(at(high)-at(low), 0.6), Interval: g.ratio.Low.Known() && g.ratio.High.Known(),
	}
}
