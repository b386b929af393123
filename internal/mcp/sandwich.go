package mcp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// sandwichOf tells what calls the function that owns a finding's cost, and what it calls, of the profile in which the
// function has the largest part. The flame graphs are those of the service that the finding is of. Empty where no profile has it.
func sandwichOf(flames []unpark.Flame, f unpark.Finding) string {
	function := f.Site.Function
	if f.Culprit != nil {
		function = f.Culprit.Function
	}
	var best *sandwich
	for _, flame := range flames {
		if s := cut(flame, function); s.total > 0 && (best == nil || s.share() > best.share()) {
			best = s
		}
	}
	if best == nil {
		return ""
	}
	rows := [][]string{{"side", "function", best.unit, "share of the function"}}
	for _, side := range []struct {
		name  string
		parts map[string]float64
	}{{"caller", best.callers}, {"callee", best.callees}} {
		names := slices.SortedFunc(maps.Keys(side.parts), func(a, b string) int {
			return cmp.Or(cmp.Compare(side.parts[b], side.parts[a]), strings.Compare(a, b))
		})
		for _, name := range names[:min(mostRows, len(names))] {
			v := side.parts[name]
			rows = append(rows, []string{side.name, name, strconv.FormatFloat(v, 'g', 4, 64), strconv.FormatFloat(v/best.total, 'f', 3, 64)})
		}
	}
	return fmt.Sprintf("\n%s profile of %s, by the function that calls and is called:\n%s\n", best.kind, function, tableOf(rows))
}

// sandwich is a function of a flame graph between its callers and callees.
type sandwich struct {
	kind             unpark.Kind
	unit             string
	whole, total     float64
	callers, callees map[string]float64
}

func (s *sandwich) share() float64 {
	if s.whole <= 0 {
		return 0
	}
	return s.total / s.whole
}

// cut walks a flame graph in preorder. Of a function that calls itself the outermost counts.
func cut(f unpark.Flame, function string) *sandwich {
	s := &sandwich{kind: f.Kind, unit: f.Unit, whole: f.Total, callers: map[string]float64{}, callees: map[string]float64{}}
	var stack []string
	inside := -1 // depth of the outermost one that is open
	for i, depth := range f.Depth {
		name, _, _ := strings.Cut(f.Names[f.Name[i]], "\x00")
		stack = append(stack[:min(depth, len(stack))], name)
		if inside >= depth {
			inside = -1
		}
		switch {
		case inside < 0 && name == function:
			inside = depth
			s.total += f.Value[i]
			caller := "(root)"
			if depth > 0 && depth <= len(stack)-1 {
				caller = stack[depth-1]
			}
			s.callers[caller] += f.Value[i]
			if f.Self[i] > 0 {
				s.callees["(itself)"] += f.Self[i]
			}
		case inside >= 0 && depth == inside+1:
			s.callees[name] += f.Value[i]
		}
	}
	return s
}
