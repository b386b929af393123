package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
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
	f.Site, f.Path = o.Site, path(o.Stack)
	name(f, o)
	f.From = parts(o.From, o.Value)
	f.From = f.From[:min(len(f.From), maxInto)]
}

// name puts the function that owns a cost into a finding, with the way to it.
func name(f *unpark.Finding, o owner.Owner) {
	f.Culprit, f.Way, f.Into = pointer(o.Culprit), parts(o.Way, o.Value), parts(o.Into, o.Value)
	f.Into = f.Into[:min(len(f.Into), maxInto)]
}

// parts are the shares of a whole.
func parts(of []facts.SiteSum, whole float64) []unpark.Part {
	var out []unpark.Part
	for _, s := range of {
		out = append(out, unpark.Part{Site: s.Site, Share: s.Value / whole})
	}
	return out
}

// reach puts the other end of a wait into its finding: the function in whose code requests
// wait, where that is a library's. Go's own packages are how it waits.
func reach(f *unpark.Finding, stack []unpark.Site) {
	site := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == f.Site.Function })
	if site < 0 {
		return
	}
	way := stack[:site]
	theirs := func(s unpark.Site) bool {
		return !roles.Is(s.Function, roles.Standard) && !roles.Is(s.Function, roles.Low)
	}
	i := slices.IndexFunc(way, theirs)
	if i < 0 {
		return
	}
	// What Go's own project keeps beside Go is how another library waits.
	if further := slices.IndexFunc(way, func(s unpark.Site) bool { return theirs(s) && !roles.Is(s.Function, roles.Extended) }); further >= 0 {
		i = further
	}
	// A limiter may have its clock from another library: what limits is the limiter.
	limits := func(s unpark.Site) bool { return roles.Of(s.Function).WaitBelow == unpark.WaitRateLimit }
	if limiter := slices.IndexFunc(way, limits); f.Class == unpark.ClassRateLimit && limiter >= 0 {
		i = limiter
	}
	f.Culprit = pointer(way[i])
	for _, s := range slices.Backward(way[i:]) {
		f.Way = append(f.Way, unpark.Part{Site: s, Share: 1})
	}
}

// subject is who owns a cost, for a title: a function, with what else of its library it is.
func subject(o owner.Owner) string {
	name := short(o.Culprit.Function)
	switch len(o.With) {
	case 0:
		return name
	case 1:
		return name + " with " + short(o.With[0].Site.Function)
	}
	return fmt.Sprintf("%s with %d more of its package", name, len(o.With))
}

// beside says what each of several functions of one library has of a cost.
func beside(o owner.Owner, unit, source string) []unpark.Fact {
	if len(o.With) == 0 {
		return nil
	}
	left := o.Value
	var out []unpark.Fact
	for _, w := range o.With {
		left -= w.Value
		out = append(out, fact("part of it in "+short(w.Site.Function), w.Value, unit, source))
	}
	out = append([]unpark.Fact{fact("part of it in "+short(o.Culprit.Function), left, unit, source)}, out...)
	return out[:min(len(out), maxInto)]
}

// makeOnce is for what a constructor makes for each request.
func makeOnce(o owner.Owner) unpark.Remedy {
	return unpark.Remedy{
		Title: fmt.Sprintf("Call %s once and keep what it makes, or take it from a sync.Pool", short(o.Culprit.Function)),
		Why:   "it is called for each request, and makes the same each time",
		Risk:  "what is shared must be safe for many goroutines, and what is pooled must be reset",
	}
}

// called is the function of a library that the application calls on its way to a cost: the rest is how that does it.
func called(o owner.Owner) unpark.Site {
	if len(o.Way) > 0 && !roles.Is(o.Way[0].Site.Function, roles.Standard) {
		return o.Way[0].Site
	}
	return o.Culprit
}

// callLess is for what a library does for the application: what it does within is its own.
func callLess(m *model.Model, o owner.Owner) unpark.Remedy {
	of := called(o).Function
	if roles.Is(o.Site.Function, roles.Standard) || o.Site.Function == of {
		return unpark.Remedy{
			Title: fmt.Sprintf("Do without %s where it is not needed, or replace it", short(of)),
			Why:   "no line of the application is on the way to it: it is called by what serves requests",
		}
	}
	less := fmt.Sprintf("Call %s less from %s", short(of), short(o.Site.Function))
	if roles.Is(of, roles.Acts) {
		return unpark.Remedy{Title: less + ", or replace it", Why: "what it does for each request may be done for several at once, or otherwise"}
	}
	if roles.Is(of, roles.Unique) {
		return unpark.Remedy{Title: less + ", or replace it: each call makes another value, so there is none to keep", Why: "work that is not done costs nothing"}
	}
	r := keepResult(m)
	r.Title = less + ": keep its result in a cache for requests that ask for the same, or replace it"
	return r
}

// madeOnce is for what is made, or made ready, for each request; false where that is not seen.
func madeOnce(o owner.Owner) (unpark.Remedy, bool) {
	of := called(o)
	switch {
	case o.Makes:
		return makeOnce(o), true
	case !o.App && roles.Is(of.Function, roles.Prepares):
		return unpark.Remedy{
			Title: fmt.Sprintf("Call %s once for what many requests have in common, and keep what it makes: %s calls it for each", short(of.Function), short(o.Site.Function)),
			Why:   "by its name it makes something ready that is there to be used often",
			Risk:  "what differs between requests is kept by what it was made of, with a bound; whether goroutines may share it, its documentation says",
		}, true
	}
	return unpark.Remedy{}, false
}

// keepResult is for what is worked out again for requests that ask for the same.
func keepResult(m *model.Model) unpark.Remedy {
	keep := unpark.Remedy{
		Title: "Keep the result in a cache, for requests that ask for the same",
		Why:   "work that is not done costs nothing",
		Risk:  "the cache needs a bound, single-flight, and must be dropped when the data changes",
	}
	if m.Load != nil && m.Load.Repeated.Or(0) >= repeats && !m.Ev.Varies() {
		keep.Why = "nearly every answer equalled an earlier one; this load asks for the same again and again, so see how often callers do"
	}
	return keep
}
