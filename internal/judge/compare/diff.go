package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Diff lays the flame graphs of two runs over each other, one graph for each kind
// that both have (see unpark.Flame, Before). Frames are the same when their function
// is: lines move when code above them changes. What happened in the window is
// divided by its completed requests, or by its seconds when one of the runs drove
// no load; snapshots (heap, goroutines) stay as they are. Children stand in the
// order of the larger of their two values.
func Diff(before, after unpark.Run) []unpark.Flame {
	var out []unpark.Flame
	for _, b := range after.Flames {
		i := slices.IndexFunc(before.Flames, func(a unpark.Flame) bool { return a.Kind == b.Kind })
		if i < 0 {
			continue
		}
		x, y, per := 1.0, 1.0, ""
		if b.Kind.Reading() != unpark.Snapshot {
			var ok bool
			if x, y, per, ok = divisors(before, after); !ok {
				continue
			}
		}
		out = append(out, overlay(before.Flames[i], b, x, y, per))
	}
	return out
}

// divisors returns what the values of each run are divided by; false when neither
// requests nor seconds are known.
func divisors(before, after unpark.Run) (x, y float64, per string, ok bool) {
	a, b := before.Measured(), after.Measured()
	if a == nil || b == nil {
		return 0, 0, "", false
	}
	if a.Load != nil && b.Load != nil && a.Load.Requests > 0 && b.Load.Requests > 0 {
		return float64(a.Load.Requests), float64(b.Load.Requests), "request", true
	}
	x, y = a.Seconds(), b.Seconds()
	return x, y, "second", x > 0 && y > 0
}

// frame is one node of the joined tree; index 0 of values and selfs is before.
type frame struct {
	name     string // as the later arm has it
	side     byte
	value    [2]float64
	self     [2]float64
	children []*frame
	by       map[string]*frame // children by function
}

func overlay(before, after unpark.Flame, x, y float64, per string) unpark.Flame {
	root := &frame{}
	root.join(before, 0, x)
	root.join(after, 1, y)
	out := unpark.Flame{
		Kind: after.Kind, Unit: after.Unit, Per: per,
		Total: after.Total / y, BeforeTotal: before.Total / x,
	}
	names := map[string]int{}
	type step struct {
		*frame
		depth int
	}
	stack := []step{}
	push := func(f *frame, depth int) {
		slices.SortFunc(f.children, func(a, b *frame) int {
			// The stack turns the order round: the largest goes on last.
			return cmp.Or(cmp.Compare(max(a.value[0], a.value[1]), max(b.value[0], b.value[1])), strings.Compare(b.name, a.name))
		})
		for _, c := range f.children {
			stack = append(stack, step{c, depth})
		}
	}
	push(root, 0)
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at, ok := names[f.name]
		if !ok {
			at = len(out.Names)
			names[f.name] = at
			out.Names = append(out.Names, f.name)
		}
		out.Name, out.Depth, out.Side = append(out.Name, at), append(out.Depth, f.depth), append(out.Side, f.side)
		out.Value, out.Self = append(out.Value, f.value[1]), append(out.Self, f.self[1])
		out.Before, out.BeforeSelf = append(out.Before, f.value[0]), append(out.BeforeSelf, f.self[0])
		push(f.frame, f.depth+1)
	}
	return out
}

// join adds the nodes of one arm below f, divided by by. Columns that do not fit
// each other end the graph where they do not: it came from a file.
func (f *frame) join(g unpark.Flame, arm int, by float64) {
	n := min(len(g.Name), len(g.Depth), len(g.Value), len(g.Self))
	path := []*frame{f}
	for i := range n {
		if g.Depth[i] < 0 || g.Depth[i] >= len(path) || g.Name[i] < 0 || g.Name[i] >= len(g.Names) {
			return
		}
		path = path[:g.Depth[i]+1]
		side := byte(0)
		if i < len(g.Side) {
			side = g.Side[i]
		}
		c := path[len(path)-1].child(g.Names[g.Name[i]], side)
		c.value[arm] += g.Value[i] / by
		c.self[arm] += g.Self[i] / by
		path = append(path, c)
	}
}

// child returns the child with the function of name, made when there is none.
func (f *frame) child(name string, side byte) *frame {
	function, _, _ := strings.Cut(name, "\x00")
	c := f.by[function]
	if c == nil {
		if f.by == nil {
			f.by = map[string]*frame{}
		}
		c = &frame{}
		f.by[function] = c
		f.children = append(f.children, c)
	}
	c.name, c.side = name, side
	return c
}
