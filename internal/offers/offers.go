package offers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// How much is offered for one finding.
const (
	maxSettings = 3
	maxCalls    = 2
)

// capacity is what the size of the channel at a wait counts more than a setting whose words suit it.
const capacity = 3

// guard is the same of a setting on which it depends whether the way is gone at all.
const guard = 4

// For reads what modules offer at the places of findings. What was not built from a module's
// published version is the user's own, and offers nothing: they know it.
func (r *Reader) For(findings []unpark.Finding) []unpark.Offer {
	var out []unpark.Offer
	for _, f := range findings {
		for _, o := range r.at(f) {
			if !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// Anew reads again what was kept of an earlier reading, so that findings have what is offered by the rules of now.
// What is kept of packages that are not on this machine stays.
func (r *Reader) Anew(findings []unpark.Finding, kept []unpark.Offer) []unpark.Offer {
	here := map[string]bool{}
	for _, f := range findings {
		for _, s := range append(stackOf(f), f.Site) {
			if r.of(s) != nil || r.own.file(s) != "" {
				here[unpark.WithoutTypeArguments(s.Function)] = true
			}
		}
	}
	out := r.For(findings)
	for _, o := range kept {
		if !here[o.At] {
			out = append(out, o)
		}
	}
	return out
}

func (r *Reader) at(f unpark.Finding) []unpark.Offer {
	whole, stack := stackOf(f), r.within(stackOf(f))
	all := map[unpark.OfferKind][]found{unpark.OfferDelay: r.delays(f, stack), unpark.OfferEnd: r.ends(f, stack), unpark.OfferWriter: r.opened(f, stack)}
	add := func(k unpark.OfferKind, of ...found) { all[k] = append(all[k], of...) }
	for _, s := range r.guarded(f, stack) {
		if s.way == either || waits(f.Class) && s.way != unpark.TypeTurned && s.way != unpark.TypeChosen { // what is not done then need not be what takes long
			add(unpark.OfferSetting, s)
		} else {
			add(unpark.OfferSwitch, s)
		}
	}
	add(unpark.OfferSwitch, slices.Concat(r.chosen(stack), r.flagged(f, stack), heldFor(r, f))...)
	add(unpark.OfferSetting, slices.Concat(r.loads(f, whole), r.crowded(f, whole))...)
	add(unpark.OfferRemove, slices.Concat(r.ended(f, stack), r.removes(f, stack))...)
	add(unpark.OfferAhead, r.ahead(f, stack)...)
	add(unpark.OfferTrial, trials(r, f, stack)...)
	add(unpark.OfferSame, missed(r, stack)...)
	add(unpark.OfferAnew, anew(r, f, whole)...)
	add(unpark.OfferEach, eachOf(r, f, whole)...)
	add(unpark.OfferPart, partly(r, f, whole)...)
	add(unpark.OfferRebuilt, rebuilt(r, f, whole)...)
	add(unpark.OfferWorkers, slices.Concat(workers(r, f), queued(r, f, stack))...)
	add(unpark.OfferCallback, callbacks(r, f, whole)...)
	r.along(f, stack, add)
	for _, s := range r.forks(f, stack) {
		r.along(f, []unpark.Site{s}, add)
		stack = append(slices.Clip(stack), s)
	}
	if behind := slices.DeleteFunc(slices.Clone(f.Behind), func(s unpark.Site) bool { return r.of(s) == nil }); len(behind) > 0 {
		r.along(f, behind, add)
		if asleep := paused(r, f, behind); len(asleep) > 0 { // what has fitting names elsewhere in the package is not what they sleep by
			all[unpark.OfferSetting] = slices.DeleteFunc(all[unpark.OfferSetting], func(s found) bool { return s.far == deepest && timed(s.setting) })
			add(unpark.OfferSetting, asleep...)
		}
		stack = slices.Concat(stack, behind)
	}
	all[unpark.OfferSetting] = slices.DeleteFunc(all[unpark.OfferSetting], func(s found) bool {
		return asked(s.setting, stack) || foreign(s.pkg, s.setting, stack) || !waits(f.Class) && strange(s.setting, stack) || s.far == deepest && apart(s, stack) || ofOtherCalls(s, stack) || pastBy(r, s, f.Class, stack) ||
			slices.ContainsFunc(all[unpark.OfferSwitch], func(o found) bool { return o.name == s.name && o.pkg == s.pkg })
	})
	all[unpark.OfferSwitch] = slices.DeleteFunc(all[unpark.OfferSwitch], func(s found) bool {
		return asked(s.setting, stack) || !waits(f.Class) && strange(s.setting, stack)
	})
	add(unpark.OfferCostly, costly(r, f, stack)...)
	once(f, all)
	all[unpark.OfferSetting] = withoutWorkers(bounded(f, stack, all[unpark.OfferSetting]), all[unpark.OfferWorkers])
	var out []unpark.Offer
	for _, k := range []unpark.OfferKind{
		unpark.OfferAnew, unpark.OfferEach, unpark.OfferPart, unpark.OfferRebuilt, unpark.OfferWorkers, unpark.OfferSwitch, unpark.OfferOption, unpark.OfferCostly, unpark.OfferTrial, unpark.OfferSame, unpark.OfferCallback, unpark.OfferRegister, unpark.OfferLasting, unpark.OfferInstead, unpark.OfferRewrite, unpark.OfferReady, unpark.OfferBound, unpark.OfferDelay, unpark.OfferEnd, unpark.OfferWriter, unpark.OfferCache, unpark.OfferKeep, unpark.OfferReuse, unpark.OfferFields, unpark.OfferTogether, unpark.OfferRemove, unpark.OfferAhead, unpark.OfferPage, unpark.OfferSingle,
		unpark.OfferSetting, unpark.OfferNote, unpark.OfferCall,
	} {
		out = append(out, offered(f, k, all[k], most(k))...)
	}
	return out
}

// along adds what there is about the functions of a stack.
func (r *Reader) along(f unpark.Finding, stack []unpark.Site, add func(unpark.OfferKind, ...found)) {
	looked := map[*source]bool{}
	for i, s := range stack {
		p := r.of(s)
		if p == nil {
			continue
		}
		add(unpark.OfferCache, standing(p, s.Function, f.Class)...)
		add(unpark.OfferSwitch, cacheless(p, s.Function, f.Class)...)
		if i+1 == len(stack) || r.of(stack[i+1]) == nil {
			r.called(f, stack[:i+1], add)
		}
		if looked[p] {
			continue
		}
		looked[p] = true
		var functions []string
		for _, other := range stack {
			if r.of(other) == p {
				functions = append(functions, other.Function)
			}
		}
		for i, n := range p.notes(functions) {
			switch {
			case waits(f.Class) && f.Class != unpark.ClassLock:
			case n.better != "":
				add(unpark.OfferInstead, found{setting: setting{name: n.better, kind: "func", doc: shortened(n.text), pkg: n.of}, at: functions[0], by: n.name})
			default:
				add(unpark.OfferNote, found{setting: setting{name: n.name, doc: shortened(n.text), pkg: n.of}, at: functions[0], far: i})
			}
		}
		add(unpark.OfferSetting, fitting(p, functions, directionOf(f, stack), f)...)
		add(unpark.OfferSetting, filters(p, functions, f)...)
		add(unpark.OfferSetting, toldOther(p, functions[0], f.Class)...)
	}
}

// forks is the functions of modules that the user's own culprit calls for a good part of its cost each, and a module's that is the culprit of a wait, for it
// runs while a lock is held: without those that are on the stack.
func (r *Reader) forks(f unpark.Finding, stack []unpark.Site) []unpark.Site {
	if f.Culprit == nil || roles.Is(f.Culprit.Function, roles.Standard) {
		return nil
	}
	var all, out []unpark.Site
	if r.of(*f.Culprit) == nil {
		for _, part := range f.Into {
			if part.Share >= goodPart {
				all = append(all, part.Site)
			}
		}
	} else if waits(f.Class) {
		all = append(all, *f.Culprit)
	}
	for _, s := range all {
		if r.of(s) != nil && !slices.ContainsFunc(stack, func(on unpark.Site) bool { return on.Function == s.Function }) {
			out = append(out, s)
		}
	}
	return out
}

// called adds what there is about the function of a module that a service calls, the last of a stack.
func (r *Reader) called(f unpark.Finding, stack []unpark.Site, add func(unpark.OfferKind, ...found)) {
	last := len(stack) - 1
	function, inner := stack[last].Function, stack[:last]
	p := r.of(stack[last])
	add(unpark.OfferCall, p.beside(function, f.Class)...)
	add(unpark.OfferInstead, slices.Concat(p.instead(function, inner, f), recommended(p, function), plainer(p, function, f.Class))...)
	add(unpark.OfferRegister, registers(p, function)...)
	add(unpark.OfferLasting, lastingState(p, function)...)
	add(unpark.OfferRewrite, rewrites(p, function, f)...)
	add(unpark.OfferSingle, single(p, function)...)
	add(unpark.OfferOption, callOptions(p, function, functionsOf(r, p, stack), f.Class)...)
	add(unpark.OfferPage, paged(p, function, f.Class)...)
	if t, ok := together(p, function); ok {
		add(unpark.OfferTogether, t)
	}
	add(unpark.OfferTogether, batched(p, function)...)
	add(unpark.OfferCache, cached(p, function, f.Class)...)
	add(unpark.OfferReady, slices.Concat(split(p, function, inner, f), prepared(p, function, inner, f))...)
	if k, ok := p.keeping(function, f.Class); ok {
		add(unpark.OfferKeep, k)
	} else if m, ok := p.madeFor(function, inner, f); ok {
		add(unpark.OfferKeep, m)
	}
	if g, ok := r.grows(stack, f); ok {
		add(unpark.OfferBound, g)
	}
	if waits(f.Class) {
		return
	}
	add(unpark.OfferInstead, reusing(p, function)...)
	if h, ok := p.handed(function); ok {
		add(unpark.OfferReuse, h)
	}
	if h, ok := decoded(p, function, inner); ok {
		add(unpark.OfferFields, h)
	}
}

// most is how many of a kind are offered for one finding.
func most(k unpark.OfferKind) int {
	switch k {
	case unpark.OfferSetting, unpark.OfferOption:
		return maxSettings
	case unpark.OfferInstead, unpark.OfferCall, unpark.OfferWriter, unpark.OfferSingle, unpark.OfferCostly, unpark.OfferWorkers:
		return maxCalls
	}
	return 1
}

// within leaves out what calls the user's innermost function: how a server comes to its handler, or a library to a function
// that it was given, says nothing of what that costs.
func (r *Reader) within(stack []unpark.Site) []unpark.Site {
	for i, s := range stack {
		_, _, _, module := s.Module()
		written := s.File != "" && !strings.HasPrefix(s.File, "<") // <autogenerated>
		if !module && written && !roles.Is(s.Function, roles.Standard) {
			return stack[:i+1]
		}
	}
	return stack
}

// mostInto is the part of a culprit's cost from which what it calls is a part of the way: advice is then about both.
const mostInto = 0.5

// stackOf is the places of a finding, as far as they are known, innermost first.
func stackOf(f unpark.Finding) []unpark.Site {
	var out []unpark.Site
	add := func(s *unpark.Site) {
		if s != nil && !slices.ContainsFunc(out, func(o unpark.Site) bool { return o.Function == s.Function }) {
			out = append(out, *s)
		}
	}
	for _, part := range f.Into { // the most of what the culprit calls, where the way ended before it
		if part.Share >= mostInto && f.Culprit != nil && len(f.Path) > 0 && f.Path[0].Function == f.Culprit.Function {
			add(&part.Site)
		}
	}
	for _, s := range f.Path {
		add(&s)
	}
	for _, p := range slices.Backward(f.Way) {
		add(&p.Site)
	}
	for _, s := range []*unpark.Site{f.Culprit, f.Waiter, f.Holder} {
		add(s)
	}
	return out
}

// offered is the best of what was found.
func offered(f unpark.Finding, kind unpark.OfferKind, all []found, most int) []unpark.Offer {
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(2*b.score-b.far, 2*a.score-a.far) })
	var out []unpark.Offer
	for _, s := range all {
		o := unpark.Offer{
			Kind: kind, Class: f.Class, At: unpark.WithoutTypeArguments(s.at), By: s.by, Package: s.pkg.path, Version: s.pkg.version,
			Name: s.name, Doc: s.doc,
		}
		switch kind {
		case unpark.OfferSwitch:
			o.Type, o.Calls, o.On = s.kind, s.calls, s.on
			if s.fills != "" {
				o.Type = "func(" + s.kind + ")"
			}
			if s.way != "" {
				o.Type = s.way
			}
		case unpark.OfferInstead:
			o.Calls = s.calls
		case unpark.OfferEnd, unpark.OfferReady, unpark.OfferCache, unpark.OfferRemove, unpark.OfferAhead, unpark.OfferTrial, unpark.OfferSame, unpark.OfferCallback, unpark.OfferRegister, unpark.OfferLasting, unpark.OfferRewrite, unpark.OfferOption, unpark.OfferCostly, unpark.OfferEach, unpark.OfferPart:
			o.Type, o.Calls = s.kind, s.calls
		case unpark.OfferAnew, unpark.OfferRebuilt, unpark.OfferKeep, unpark.OfferReuse, unpark.OfferTogether:
			o.Type, o.Calls, o.On = s.kind, s.calls, s.on
		case unpark.OfferSetting, unpark.OfferWorkers, unpark.OfferBound, unpark.OfferDelay, unpark.OfferFields:
			o.Type, o.On = s.kind, kind == unpark.OfferSetting && s.waited
		}
		if len(out) < most && !slices.ContainsFunc(out, func(x unpark.Offer) bool { return x.Package == o.Package && function(x.Name) == function(o.Name) }) {
			out = append(out, o)
		}
	}
	return out
}
