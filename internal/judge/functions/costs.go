package functions

import (
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// The metrics of functions, by the names of the metrics of runs that they are a part of.
const (
	CPU   = "cpu_per_request"
	Bytes = "bytes_per_request"
	Wait  = "wait_per_request"
)

// Cost is a function's part of a table's total, as a share of it.
type Cost struct {
	Self   float64 `json:"self"`             // its own, with what it calls outside of the application
	All    float64 `json:"all"`              // of all stacks it is on
	Within string  `json:"within,omitempty"` // the function of the application that called it for most of All; empty: none
}

// Table is what the functions of one arm cost in one round, in one metric.
type Table struct {
	Each float64         `json:"each"`           // the total for one request, in the metric's unit
	Rate float64         `json:"rate,omitempty"` // samples a second that it rests on; 0: not known
	By   map[string]Cost `json:"by"`
	// Slow is how slow the machine was beside it, as compare.AtOneSpeed has it, where Each is what it would be on a machine of
	// one speed; 0: not known.
	Slow float64 `json:"-"`
}

// Costs are the tables of one arm in one round by metric. A metric without a profile is absent.
type Costs map[string]Table

// At returns the costs with another total per request: profiles have the shares right, while the operating system
// and the runtime count totals.
func (c Costs) At(metric string, each float64) Costs {
	if t, ok := c[metric]; ok {
		t.Each = each
		c[metric] = t
	}
	return c
}

// Beside notes how slow the machine was beside a metric (Table.Slow).
func (c Costs) Beside(metric string, slow float64) {
	if t, ok := c[metric]; ok {
		t.Slow = slow
		c[metric] = t
	}
}

// Of reads them from the flame graphs of a run, and the requests of its window; nil when it has neither.
func Of(run unpark.Run) Costs {
	w := run.Measured()
	if w == nil || w.Load == nil || w.Load.Requests == 0 {
		return nil
	}
	out := FromFlames(run.Flames, float64(w.Load.Requests), run.Target.Module, run.Target.Own...)
	if t, ok := out[CPU]; ok {
		t.Rate = rate(w.Profiles)
		out[CPU] = t
	}
	return out
}

// rate is that of the CPU profiles; 0 where processes differ.
func rate(all []unpark.ProfileFile) float64 {
	out := 0.0
	for _, f := range all {
		v := f.Rate.Or(0)
		if f.Kind != unpark.KindCPU || v == out {
			continue
		}
		if out > 0 {
			return 0
		}
		out = v
	}
	return out
}

// FromFlames is Of for flame graphs of so many requests, or operations of a benchmark, of a program whose main module
// has this path; own are other modules that are the user's as well.
func FromFlames(flames []unpark.Flame, requests float64, module string, own ...string) Costs {
	var out Costs
	catalogue := profile.NewCatalogue(module, own...)
	for _, f := range flames {
		metric := map[unpark.Kind]string{unpark.KindCPU: CPU, unpark.KindAllocs: Bytes, unpark.KindBlock: Wait}[f.Kind]
		if metric == "" || requests <= 0 {
			continue
		}
		t := tally{catalogue: catalogue, by: map[string]*sum{}}
		t.walk(f)
		if t.total <= 0 {
			continue
		}
		if out == nil {
			out = Costs{}
		}
		out[metric] = Table{Each: t.total / requests, By: t.costs()}
	}
	return out
}

// sum is a function's cost while it is added up.
type sum struct {
	self, all float64
	callers   map[string]float64
}

// tally adds up a flame graph by function.
type tally struct {
	catalogue *profile.Catalogue
	total     float64
	by        map[string]*sum
}

// walk visits every node that has a value of its own. What the observer does is no cost of the service, and what
// waits beside the path of requests delays none.
func (t *tally) walk(f unpark.Flame) {
	sites := make([]unpark.Site, len(f.Names))
	for i, name := range f.Names {
		sites[i] = siteOf(name)
	}
	path := []unpark.Site{}
	for i := range min(len(f.Name), len(f.Depth), len(f.Self)) {
		depth := f.Depth[i]
		if depth < 0 || depth > len(path)+1 || f.Name[i] < 0 || f.Name[i] >= len(sites) {
			return // it came from a file
		}
		if depth == 0 {
			continue
		}
		path = append(path[:depth-1], sites[f.Name[i]])
		side := byte('q')
		if i < len(f.Side) {
			side = f.Side[i]
		}
		if f.Self[i] <= 0 || side == 'o' || f.Kind == unpark.KindBlock && side != 'q' {
			continue
		}
		t.add(path, f.Self[i])
	}
}

// siteOf reads the name of a node: function, file and line.
func siteOf(name string) unpark.Site {
	function, place, _ := strings.Cut(name, "\x00")
	s := unpark.Site{Function: unpark.ElideTypeArguments(function)}
	if colon := strings.LastIndexByte(place, ':'); colon >= 0 {
		s.File = place[:colon]
		s.Line, _ = strconv.Atoi(place[colon+1:])
	}
	return s
}

// add adds a stack, outermost frame first.
func (t *tally) add(path []unpark.Site, v float64) {
	t.total += v
	stack := make([]unpark.Site, len(path))
	for i, s := range path {
		stack[len(path)-1-i] = s
	}
	frames := t.catalogue.AppFrames(stack)
	if len(frames) == 0 {
		// Nothing of the application: the function that the goroutine began with stands for
		// all below it, such as a worker of the collector.
		frames = []int{len(stack) - 1}
	}
	seen := map[string]bool{}
	for n, i := range frames {
		s := t.of(stack[i].Function)
		if n == 0 {
			s.self += v
		}
		if seen[stack[i].Function] {
			continue
		}
		seen[stack[i].Function] = true
		s.all += v
		for _, above := range frames[n+1:] {
			if caller := stack[above].Function; !seen[caller] {
				s.callers[caller] += v
				break
			}
		}
	}
}

func (t *tally) of(function string) *sum {
	s := t.by[function]
	if s == nil {
		s = &sum{callers: map[string]float64{}}
		t.by[function] = s
	}
	return s
}

func (t *tally) costs() map[string]Cost {
	out := make(map[string]Cost, len(t.by))
	for function, s := range t.by {
		c := Cost{Self: s.self / t.total, All: s.all / t.total}
		for caller, v := range s.callers {
			if c.Within == "" || v > s.callers[c.Within] || v == s.callers[c.Within] && caller < c.Within {
				c.Within = caller
			}
		}
		out[function] = c
	}
	return out
}
