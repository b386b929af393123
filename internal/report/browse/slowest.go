package browse

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/slowest"
	"github.com/unpark-go/unpark/internal/units"
)

// slowestView is the page of the slowest requests. Texts are plain: the template escapes them.
type slowestView struct {
	Title, Href, Path string
	Classes           []string                              // of all states that are there
	Graphs            []struct{ Kind, Label, Title string } // none: scripts ask for those of an interval
	Data              struct {
		Diff bool
		RPS  []float64
	}
	Requests []requestView
}

type requestView struct {
	Rank              int
	Wall, Start, Name string
	Bar               []barPart
	Rows              []stateRow
	Held              []heldRow
}

// barPart is drawn in a box of 1000 by 10.
type barPart struct {
	Class, Text string
	X, W        float64
}

type stateRow struct{ Class, Time, Share, Times, Site, Full string }

type heldRow struct{ Class, Time, Waiter, Site, Full string }

// Of is the run whose requests a page tells of: its title, the address of its page, and its path for the addresses of what
// scripts ask for.
type Of struct{ Title, Href, Path string }

// Slowest writes the page of the slowest requests of a run one by one, the longest first, and the place of what requests did at each
// moment, which its script asks for.
func Slowest(w io.Writer, of Of, all []slowest.Request) error {
	v := slowestView{Title: escape.Line(of.Title), Href: of.Href, Path: of.Path}
	for i, q := range all {
		v.Requests = append(v.Requests, newRequest(i+1, q, all[0].Wall))
		for _, p := range v.Requests[i].Bar {
			if !slices.Contains(v.Classes, p.Class) {
				v.Classes = append(v.Classes, p.Class)
			}
		}
	}
	return render(w, "slowest.html.tmpl", v)
}

// newRequest draws a request to the scale of the longest.
func newRequest(rank int, q slowest.Request, longest float64) requestView {
	v := requestView{
		Rank: rank, Wall: units.Figure(q.Wall, "s"), Start: units.Figure(q.Start, "s"),
		Name: cmp.Or(escape.Prose(q.Route), "process "+strconv.Itoa(q.PID)),
	}
	type place struct {
		class    unpark.WaitClass
		function string
	}
	sums := map[place]*stateTotal{}
	var order []*stateTotal
	for _, s := range q.States {
		if longest > 0 {
			v.Bar = append(v.Bar, barPart{
				Class: string(s.Class), X: tenth(s.From / longest * 1000), W: tenth(s.Time / longest * 1000),
				Text: strings.TrimSpace(string(s.Class) + " " + units.Figure(s.Time, "s") + " " + siteText(s.Site)),
			})
		}
		key := place{s.Class, s.Site.Function}
		if sums[key] == nil {
			sums[key] = &stateTotal{state: s}
			order = append(order, sums[key])
		}
		sums[key].time, sums[key].n = sums[key].time+s.Time, sums[key].n+1
	}
	slices.SortStableFunc(order, func(a, b *stateTotal) int { return cmp.Compare(b.time, a.time) })
	for _, t := range order[:min(mostStates, len(order))] {
		v.Rows = append(v.Rows, stateRow{
			Class: string(t.state.Class), Time: units.Figure(t.time, "s"), Share: units.Percent(t.time / q.Wall), Times: unpark.Counted(int64(t.n), "time"),
			Site: siteText(t.state.Site), Full: escape.Line(t.state.Site.Function),
		})
	}
	for _, h := range q.Held {
		v.Held = append(v.Held, heldRow{string(h.Class), units.Figure(h.Time, "s"), siteText(h.Waiter), siteText(h.Site), escape.Line(h.Site.Function)})
	}
	return v
}

type stateTotal struct {
	state slowest.State
	time  float64
	n     int
}

func tenth(v float64) float64 { return math.Round(v*10) / 10 }
