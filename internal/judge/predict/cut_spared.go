package predict

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// takeSpared is the cut of a finding whose first remedy does without calls: what they take goes whole, with the collection of the
// garbage that they make. It reports false where there is no such remedy, or where what it spares is not what the finding is of.
func (c *cut) takeSpared(s *service, f unpark.Finding) bool {
	if f.Class != unpark.ClassCPU && f.Class != unpark.ClassAlloc || len(f.Remedies) == 0 || len(f.Remedies[0].Spares) == 0 {
		return false
	}
	share, part := spares(s, f, f.Remedies[0].Spares)
	goes := beside(s, share)
	if part < mostSpared {
		c.cpu.low = max(c.cpu.low, min(goes.low, c.cpu.value))
		return false
	}
	c.cpu, c.spared = goes, true
	return true
}

// beside is the share of the CPU that goes with calls that take a share of it: the rest gets smaller the more goes.
func beside(s *service, share float64) span {
	low, high := s.sampledShare(share)
	return span{low, 1 - (1-share)*(1-besideSpared*share), 1 - (1-high)*(1-mostBeside*high)}
}

// takeUnasked is the cut of a finding of what requests wait for in calls that its first remedy does without: the whole wait goes, and what the
// calls take of the processors.
func (c *cut) takeUnasked(s *service, f unpark.Finding) {
	if f.Class != unpark.ClassDownstream && f.Class != unpark.ClassPool || len(f.Remedies) == 0 {
		return
	}
	if f.Cost.CPUPerRequest.Known() { // it is of what opening connections costs, which takeCPU has
		return
	}
	calls := f.Remedies[0].Spares
	if !slices.ContainsFunc(slices.Concat(f.Path, sites(f.Way)), func(at unpark.Site) bool {
		return slices.Contains(calls, unpark.WithoutTypeArguments(at.Function))
	}) {
		return
	}
	share, _ := spares(s, f, calls)
	c.wait = spanOf(f.Cost.WaitPerRequest).atMost(s.mean)
	c.cpu = beside(s, share)
	c.spared, c.times = true, 0
}

func sites(parts []unpark.Part) []unpark.Site {
	out := make([]unpark.Site, len(parts))
	for i, p := range parts {
		out[i] = p.Site
	}
	return out
}

// spares is the share of the target's CPU that goes with calls that are not made any more, and what that is of the same for the
// finding's own function.
func spares(s *service, f unpark.Finding, calls []string) (share, part float64) {
	share = withGarbage(s, throughCalls(s.m.Ev.CPU.Tree, calls), throughCalls(s.m.Ev.AllocTree, calls))
	if own := ofCulprit(s, f); own > 0 {
		part = share / own
	}
	return share, part
}

// ofCulprit is the share of the target's CPU that a finding's function takes, with the collection of what it allocates.
func ofCulprit(s *service, f unpark.Finding) float64 {
	at := f.Site.Function
	if f.Culprit != nil {
		at = f.Culprit.Function
	}
	return withGarbage(s, s.m.Ev.CPU.Tree.Through(at), s.m.Ev.AllocTree.Through(at))
}

// withGarbage is the share of the target's CPU of some seconds of it and of the collection of some bytes. Of the collector's work the
// assists are on the stacks of what allocates, and in the seconds already.
func withGarbage(s *service, seconds, bytes float64) float64 {
	shares := s.m.Ev.CPU.Shares
	collector := s.m.CollectorShare(bytes)
	if all := s.m.GCShare; all > 0 {
		assists := s.m.CPUShare(s.m.Ev.CPU.Tree.Assists(shares.Malloc.Or(0) * s.m.Ev.CPU.Sampled.Or(0)))
		collector *= max(0, 1-assists/all)
	}
	return min(1, s.m.CPUShare(seconds)+collector)
}

// without is what would be if a finding's function took nothing, of the processors and of the collector's time, and all else stayed.
func without(c closedLoop, f unpark.Finding) unpark.Quantity {
	c.cut.cpu, c.cut.spared = beside(c.service, ofCulprit(c.service, f)), true
	return c.part(c.cut, unpark.FixAlone).Throughput
}

// builder is the type of a method where that is, by its name, there to build something else: whatever is called of it goes with what is
// built once. Empty of all others: what makes a thing by a method, such as a template that parses, may be used by another.
func builder(function string) string {
	of, _, method := strings.Cut(function, ").")
	if !method || !strings.HasSuffix(of, "Builder") {
		return ""
	}
	return of
}

// throughCalls is what of a tree runs through calls that are not made any more. Where one of them has others below it that make what is kept,
// those alone go: it uses what they make.
func throughCalls(t facts.Tree, calls []string) float64 {
	is := func(n *facts.Node) bool {
		name := unpark.WithoutTypeArguments(n.Site.Function)
		return slices.Contains(calls, name) || slices.ContainsFunc(calls, func(call string) bool { return builder(call) != "" && builder(call) == builder(name) })
	}
	var visit func(nodes []*facts.Node, makers bool) float64
	visit = func(nodes []*facts.Node, makers bool) (sum float64) {
		for _, n := range nodes {
			switch {
			case !is(n) || makers && !roles.Is(n.Site.Function, roles.Lasts):
				sum += visit(n.Calls, makers)
			case roles.Is(n.Site.Function, roles.Lasts):
				sum += n.Value
			default:
				made := visit(n.Calls, true)
				if made == 0 {
					made = n.Value
				}
				sum += made
			}
		}
		return sum
	}
	return visit(t.Roots, false)
}
