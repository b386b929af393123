package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
)

// cpuOwners are the functions that own at least a share of the target's CPU.
func cpuOwners(m *model.Model, share float64) []owner.Owner {
	return owners(m.Ev.CPU.Tree.Total, m.Ev.CPU.Sampled.Or(0), share, func(least float64) []owner.Owner {
		return owner.Find(m.Ev.CPU.Tree, least, true)
	})
}

// allocOwners are the functions that own at least a share of the allocated bytes.
func allocOwners(m *model.Model, share float64) []owner.Owner {
	return owners(m.Ev.AllocTree.Total, m.AllocatedBytes, share, func(least float64) []owner.Owner {
		return owner.Find(m.Ev.AllocTree, least, false)
	})
}

// owners asks for a share of the whole, of which a tree has only the request path.
func owners(total, whole, share float64, of func(least float64) []owner.Owner) []owner.Owner {
	if total <= 0 || whole <= 0 {
		return nil
	}
	return of(share * whole / total)
}

// locate puts the two ends of a cost into a finding: the line of the application, and the
// function that owns the cost, with the way between them.
func locate(f *unpark.Finding, o owner.Owner) {
	f.Site, f.Culprit, f.Path = o.Site, pointer(o.Culprit), path(o.Stack)
	for _, s := range o.Way {
		f.Way = append(f.Way, unpark.Part{Site: s.Site, Share: s.Value / o.Value})
	}
	for _, s := range o.Into[:min(len(o.Into), maxInto)] {
		f.Into = append(f.Into, unpark.Part{Site: s.Site, Share: s.Value / o.Value})
	}
}

// reach puts the other end of a wait into its finding: the function in whose code requests
// wait, where that is a library's. Go's own packages are how it waits.
func reach(f *unpark.Finding, stack []unpark.Site) {
	site := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == f.Site.Function })
	if site < 0 {
		return
	}
	way := stack[:site]
	i := slices.IndexFunc(way, func(s unpark.Site) bool {
		return !roles.Is(s.Function, roles.Standard) && !roles.Is(s.Function, roles.Low)
	})
	if i < 0 {
		return
	}
	f.Culprit = pointer(way[i])
	for _, s := range slices.Backward(way[i:]) {
		f.Way = append(f.Way, unpark.Part{Site: s, Share: 1})
	}
}
