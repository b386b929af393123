package diagnose

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// advise gives a finding its advice: first what is seen to be made anew, since whatever else is said of it goes with that. What is known
// of what others of the findings are of is said there.
func advise(m *model.Model, f *unpark.Finding, others ...unpark.Finding) {
	consult(m, f, others...)
	if kept, ok := keepStarted(m, *f); ok {
		f.Remedies = slices.Insert(f.Remedies, 0, kept)
	} else if once, ok := keepOnce(m, *f); ok { // behind what experts say of the same
		_, n := experts(*f)
		f.Remedies = slices.Insert(f.Remedies, n, once)
	}
	if wider, ok := narrow(m, *f); ok {
		f.Remedies = slices.Insert(f.Remedies, 0, wider)
	}
	f.Remedies = slices.Concat(unanswered(m, *f), givenUp(m, *f), f.Remedies)
}

// consult puts what is known of the functions on a finding's way before the advice that
// holds for all of its class, which is left out where it would only be more general.
func consult(m *model.Model, f *unpark.Finding, others ...unpark.Finding) {
	known, within := remedies(m, *f, others...)
	rest := withCode(m, *f)
	experts := len(known)+len(within) > 0
	theirs := experts && inLibrary(m, *f)
	up, ok := upgrade(*f)
	if general := f.Class == unpark.ClassCPU || f.Class == unpark.ClassAlloc || f.Class == unpark.ClassGC; general && experts {
		rest = rest[:min(len(rest), 1)]
	} else if general && ok {
		rest = rest[:min(len(rest), 2)]
	}
	switch {
	case !ok:
		known = append(known, within...)
	case f.Class == unpark.ClassIO, f.Class == unpark.ClassRateLimit, f.Class == unpark.ClassPool && !f.Cost.CPUPerRequest.Known():
		known, rest = append(known, within...), append(rest, up) // a disk is as slow for a later version, and a size or a time is a setting
	case f.Class == unpark.ClassChannel:
		known, rest = append(known, within...), slices.Insert(rest, min(2, len(rest)), up)
	default: // it is only a hope: what is known comes first, and what holds for all of the class
		rest = slices.Insert(rest, min(1, len(rest)), append([]unpark.Remedy{up}, within...)...)
	}
	if f.Class == unpark.ClassPool && opens(*f) {
		keep, other := kept(m, *f, known)
		if cameBack(m) { // what holds for all of the class says first what is refuted, or the same again
			f.Remedies = slices.Concat(keep, other, rest)
			return
		}
		f.Remedies = slices.Concat(keep, rest[:min(1, len(rest))], other, rest[min(1, len(rest)):])
		return
	}
	// That of a library is what its experts say of it, but for what is the application's under it, which was seen.
	if shaped(*f) && len(rest) > 0 && (!theirs || strings.Contains(rest[0].Title, outsideIt)) {
		first := 1
		if f.Rule == "channel" && f.Holder != nil { // both name the other side
			first = min(2, len(rest))
		}
		f.Remedies = slices.Concat(rest[:first], known, rest[first:])
		return
	}
	f.Remedies = append(known, rest...)
}

// shaped reports whether the first advice of a finding's class has the shape of its cause, and goes first: a lock is a
// lock, whatever is under it.
func shaped(f unpark.Finding) bool {
	switch f.Class {
	case unpark.ClassLock, unpark.ClassChannel, unpark.ClassPool:
		return true
	}
	return slices.Contains([]string{"yield", "handoff", "serving", "wire"}, f.Rule)
}

// catalogued is what the catalogue knows of the functions on a finding's way.
func catalogued(m *model.Model, f unpark.Finding, others ...unpark.Finding) []advice.Advice {
	c := caseOf(m, f)
	found := withNew(withNew(advice.For(c), needlessBelow(m, f, c, others)), slices.Concat(boxedFor(m, f, c), grownFor(m, f, c)))
	if f.Class == unpark.ClassPool && opens(f) { // more places are no use where none is waited for
		found = slices.DeleteFunc(found, func(a advice.Advice) bool { return a.Remedy == advice.Wider })
	}
	return found
}

// withNew is advice, and then what of more is not among it.
func withNew(all, more []advice.Advice) []advice.Advice {
	for _, a := range more {
		if !slices.ContainsFunc(all, func(o advice.Advice) bool { return o.ID == a.ID }) {
			all = append(all, a)
		}
	}
	return all
}

// ownerOf is the function that a finding's cost is: the culprit, or what waits. What that calls to wait is Go's.
func ownerOf(f unpark.Finding) string {
	switch {
	case f.Culprit != nil:
		return f.Culprit.Function
	case f.Waiter != nil:
		return f.Waiter.Function
	}
	return ""
}

// caseOf is a finding as the catalogue is asked for it.
func caseOf(m *model.Model, f unpark.Finding) advice.Case {
	stack := way(f)
	if f.Class == unpark.ClassLock { // a lock is what takes it: callers far above are asked for other work
		stack = stack[:min(len(stack), nearLock)]
	}
	c := advice.Case{Class: string(f.Class), Go: m.Ev.Target.Go, Modules: map[string]string{}}
	for i, s := range stack {
		c.Stack = append(c.Stack, s.Function)
		if owns := ownerOf(f); s.Function == owns && c.Culprit == 0 {
			c.Culprit = i
		}
		if s.Function == f.Site.Function && c.Site == 0 {
			c.Site = i
		}
		if module, version, _, ok := s.Module(); ok {
			c.Modules[module] = version
		}
	}
	for _, held := range underLockOf(m, f) {
		c.Stack, c.Culprit, c.Site = slices.Insert(c.Stack, c.Culprit, held.Function), c.Culprit+1, c.Site+1
	}
	if f.Class == unpark.ClassGC && (f.Culprit == nil || !roles.Is(f.Culprit.Function, roles.Collects)) {
		// Its cost is the collector's, wherever most is allocated.
		c.Stack, c.Culprit, c.Site = append([]string{advice.Collector}, c.Stack...), 0, c.Site+1
	}
	return c
}

// underLockOf is the functions that run for most of the time for which the lock of a finding is
// held, the outermost last.
func underLockOf(m *model.Model, f unpark.Finding) []unpark.Site {
	i := slices.IndexFunc(m.Locks, func(q model.Lock) bool { return f.Class == unpark.ClassLock && q.Found(f) })
	if i < 0 {
		return nil
	}
	var most float64
	var out []unpark.Site
	for _, h := range m.Locks[i].Heaviest.Held {
		most = max(most, h.Value)
	}
	for _, h := range m.Locks[i].Heaviest.Held {
		if h.Value >= mostInto*most && h.Site.Function != m.Locks[i].Heaviest.Holder.Function {
			out = append(out, h.Site)
		}
	}
	slices.Reverse(out) // the largest came first, and what calls is larger than what is called
	return out
}

// remedies are those of the catalogue: of what a service can change first, and apart from those what is said of calls of Go's own
// functions that a library makes, which only that library, or a setting of it, can change.
func remedies(m *model.Model, f unpark.Finding, others ...unpark.Finding) (known, within []unpark.Remedy) {
	c := caseOf(m, f)
	c.Calls = true
	for _, a := range withNew(withNew(keptFor(m, f), withNew(catalogued(m, f, others...), advice.For(c))), behind(m, f)) {
		if f.Class == unpark.ClassLock && ofLocks(a) {
			continue // what the class advises is that, where the code between Lock and Unlock is theirs to change
		}
		r := remedyOf(a)
		if ofLibrary(f, a) {
			within = append(within, r)
		} else {
			known = append(known, r)
		}
	}
	known = known[:min(len(known), maxKnown)]
	return known, within[:min(len(within), maxKnown-len(known))]
}

// behind is what the catalogue knows of the functions of modules on the goroutines that requests wait for, each by itself: the
// application's own function is not on their stacks.
func behind(m *model.Model, f unpark.Finding) []advice.Advice {
	var out []advice.Advice
	for _, s := range f.Behind {
		c := advice.Case{Class: string(f.Class), Stack: []string{s.Function}, Go: m.Ev.Target.Go, Modules: map[string]string{}}
		if module, version, _, ok := s.Module(); ok {
			c.Modules[module] = version
		}
		// They wait themselves for most of that time: more of them end none of it sooner.
		out = withNew(out, slices.DeleteFunc(advice.For(c), func(a advice.Advice) bool { return a.Remedy == advice.Wider }))
	}
	return out
}

// ofLibrary reports whether advice is about how something is computed, and all calls of that on the finding's way are a library's. The
// pools and connections that a library waits for are what it was given.
func ofLibrary(f unpark.Finding, a advice.Advice) bool {
	if !computes(f.Class) {
		return false
	}
	switch a.Remedy {
	case advice.Setting, advice.Wider, advice.Kept, advice.Upgrade, advice.Intended:
		return false
	}
	var theirs, own bool
	stack := way(f)
	for i, s := range stack {
		if !roles.Is(s.Function, roles.Standard) || !a.Names(s.Function) {
			continue
		}
		outer := slices.IndexFunc(stack[i:], func(s unpark.Site) bool { return !roles.Is(s.Function, roles.Standard) })
		if outer < 0 {
			return false
		}
		if _, _, _, module := stack[i+outer].Module(); module {
			theirs = true
		} else {
			own = true
		}
	}
	if !theirs && !own && f.Culprit != nil { // it is below the culprit
		_, _, _, module := f.Culprit.Module()
		return module && !slices.ContainsFunc(a.Culprits, func(of string) bool { return !roles.Is(of, roles.Standard) || of == advice.Collector })
	}
	return theirs && !own
}

// way is the stack of a finding with what owns its cost at the leaf. Of a deep one its path
// has the leaf's end, and the way what is above the culprit.
func way(f unpark.Finding) []unpark.Site {
	out := slices.Clone(f.Path)
	on := func(s unpark.Site) bool {
		return slices.ContainsFunc(out, func(at unpark.Site) bool { return at.Function == s.Function })
	}
	for _, s := range backward(f.Way) {
		if !on(s) {
			out = append(out, s)
		}
	}
	if f.Culprit != nil && !on(*f.Culprit) {
		out = append([]unpark.Site{*f.Culprit}, out...)
	}
	for _, part := range f.Into {
		if part.Share >= mostInto && !on(part.Site) {
			out = append([]unpark.Site{part.Site}, out...)
		}
	}
	return out
}

// inLibrary reports whether a finding is of a lock that a library takes.
func inLibrary(m *model.Model, f unpark.Finding) bool {
	if f.Class != unpark.ClassLock {
		return false
	}
	return slices.ContainsFunc(m.Locks, func(q model.Lock) bool {
		_, foreign := callerOf(m, q)
		return foreign && q.Found(f)
	})
}
