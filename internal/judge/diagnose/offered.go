package diagnose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// Offered is a finding's remedies with what the modules on its stack offer there (package offers): after
// what experts say of it, of which two come first, and before advice that holds for all of its class. What is there for the
// cost alone, documented of the very call, or read by what costs itself comes before a later version, which is only a hope, and that
// before settings that only have fitting names.
//
// Before all of it comes what the user's own source shows: it is seen there, where the rest only holds for functions like these.
func Offered(f unpark.Finding, offers []unpark.Offer) []unpark.Remedy {
	here := func(kind unpark.OfferKind) []unpark.Offer {
		return slices.DeleteFunc(slices.Clone(offers), func(o unpark.Offer) bool {
			return o.Kind != kind || o.Class != f.Class || !on(f, o.At) && o.At != unpark.WithoutTypeArguments(f.Site.Function) || said(f.Remedies, o)
		})
	}
	var seen []unpark.Remedy
	if anew := here(unpark.OfferAnew); len(anew) > 0 {
		seen = append(seen, makingOnce(anew[0]))
	}
	if each := here(unpark.OfferEach); len(each) > 0 {
		seen = append(seen, askingOnce(each[0]))
		if calls := here(unpark.OfferCall); len(calls) > 0 { // those that take many
			seen = append(seen, offering(calls))
			offers = slices.DeleteFunc(slices.Clone(offers), func(o unpark.Offer) bool { return slices.Contains(calls, o) })
		}
	}
	if part := here(unpark.OfferPart); len(part) > 0 {
		seen = append(seen, takingPart(part[0]))
	}
	if rebuilt := here(unpark.OfferRebuilt); len(rebuilt) > 0 {
		seen = append(seen, growing(rebuilt[0]))
	}
	general := slices.IndexFunc(f.Remedies, func(r unpark.Remedy) bool { return r.Title == moreLoops })
	if workers := here(unpark.OfferWorkers); len(workers) > 0 && (workers[0].By != "" || general >= 0) {
		seen = append(seen, moreWorkers(workers))
		if general >= 0 { // it says by what there are more
			f.Remedies = slices.Delete(slices.Clone(f.Remedies), general, general+1)
		}
	}
	return append(seen, offeredBeside(f, offers)...)
}

// offeredBeside is what is not seen in the user's own source.
func offeredBeside(f unpark.Finding, offers []unpark.Offer) []unpark.Remedy {
	off, own, more := sorted(f, offers)
	all := slices.Clone(f.Remedies)
	first, known := experts(f)
	turn := 0
	if first == 0 {
		turn = known
	}
	all = slices.Insert(all, turn, off...) // it is known to be there for the cost alone
	if len(off) > 0 {
		first = 0
	}
	at := min(first+known+len(off), len(all))
	all = slices.Insert(all, at, own...)
	if len(more) == 0 {
		return all
	}
	at = max(at+len(own), 1)
	if computes(f.Class) {
		at = max(at, first+known+len(off)+len(own)+hoped) // of what is only hoped for, a later version helps oftener than a setting where something is computed
	}
	at = min(at, len(all))
	all = slices.Insert(all, at, more[0])
	return slices.Insert(all, min(max(3, at+1), len(all)), more[1:]...)
}

// sorted is what modules offer for a finding: off is there for the cost alone, own is documented of the very call, or made for it, and more only has
// fitting names.
func sorted(f unpark.Finding, offers []unpark.Offer) (off, own, more []unpark.Remedy) {
	told := map[string]bool{} // for each sort of offer what was told: another finding may have the same at another place
	here := slices.DeleteFunc(slices.Clone(offers), func(o unpark.Offer) bool {
		key := string(o.Kind) + " " + o.Package + "." + o.Name
		if o.Class != f.Class || !on(f, o.At) || said(f.Remedies, o) || told[key] {
			return true
		}
		told[key] = true
		return false
	})
	for _, kind := range []unpark.OfferKind{unpark.OfferSwitch, unpark.OfferOption, unpark.OfferCostly, unpark.OfferTrial, unpark.OfferSame, unpark.OfferCallback, unpark.OfferRegister, unpark.OfferLasting, unpark.OfferInstead, unpark.OfferRewrite, unpark.OfferReady, unpark.OfferBound, unpark.OfferDelay, unpark.OfferEnd, unpark.OfferWriter, unpark.OfferCache, unpark.OfferReuse, unpark.OfferKeep, unpark.OfferFields, unpark.OfferTogether, unpark.OfferRemove, unpark.OfferAhead, unpark.OfferPage, unpark.OfferSingle, unpark.OfferSetting, unpark.OfferCall, unpark.OfferNote} {
		of := slices.DeleteFunc(slices.Clone(here), func(o unpark.Offer) bool { return o.Kind != kind })
		told, isTold := tellings[kind]
		switch {
		case len(of) > 0 && isTold && told.alone:
			off = append(off, told.say(of))
		case len(of) > 0 && isTold:
			own = append(own, told.say(of))
		case kind == unpark.OfferSetting && slices.ContainsFunc(of, func(o unpark.Offer) bool { return o.On }):
			off = append(off, widening(slices.DeleteFunc(of, func(o unpark.Offer) bool { return !o.On })))
		case len(of) > 0 && kind == unpark.OfferSetting && slices.ContainsFunc(of, func(o unpark.Offer) bool { return readThere(f, o) }):
			slices.SortStableFunc(of, func(a, b unpark.Offer) int { return before(readThere(f, a), readThere(f, b)) })
			own = append(own, offering(of))
		case len(of) > 0 && kind == unpark.OfferNote && itself(f, of[0]):
			own = slices.Insert(own, 0, offering(of))
		case len(of) > 0:
			more = append(more, offering(of))
		}
	}
	return off, own, more
}

// telling is how offers of a kind are told.
type telling struct {
	alone bool // what they change is there for the cost alone
	say   func([]unpark.Offer) unpark.Remedy
}

// first tells the first of several offers.
func first(say func(unpark.Offer) unpark.Remedy) func([]unpark.Offer) unpark.Remedy {
	return func(of []unpark.Offer) unpark.Remedy { return say(of[0]) }
}

// tellings are of the kinds that are told in one way only.
var tellings = map[unpark.OfferKind]telling{
	unpark.OfferSwitch:   {alone: true, say: first(turning)},
	unpark.OfferOption:   {alone: true, say: choosing},
	unpark.OfferCostly:   {alone: true, say: leavingOff},
	unpark.OfferInstead:  {alone: false, say: avoiding},
	unpark.OfferReady:    {alone: false, say: first(readying)},
	unpark.OfferBound:    {alone: false, say: first(bounding)},
	unpark.OfferDelay:    {alone: true, say: first(shortening)},
	unpark.OfferEnd:      {alone: true, say: first(draining)},
	unpark.OfferWriter:   {alone: true, say: opening},
	unpark.OfferCache:    {alone: true, say: first(caching)},
	unpark.OfferReuse:    {alone: false, say: first(reusing)},
	unpark.OfferKeep:     {alone: false, say: first(keeping)},
	unpark.OfferFields:   {alone: false, say: first(narrowing)},
	unpark.OfferRemove:   {alone: false, say: first(removing)},
	unpark.OfferAhead:    {alone: false, say: first(hastening)},
	unpark.OfferTogether: {alone: false, say: first(joining)},
	unpark.OfferTrial:    {alone: true, say: first(naming)},
	unpark.OfferSame:     {alone: true, say: first(repeating)},
	unpark.OfferRegister: {alone: true, say: first(registering)},
	unpark.OfferLasting:  {alone: true, say: first(staying)},
	unpark.OfferRewrite:  {alone: false, say: first(gathering)},
	unpark.OfferCallback: {alone: false, say: first(declaring)},
	unpark.OfferPage:     {alone: false, say: first(turningPages)},
	unpark.OfferSingle:   {alone: false, say: singling},
}

// computes reports whether findings of a class are of what a process does, and not of what it waits for.
func computes(c unpark.Class) bool {
	switch c {
	case unpark.ClassCPU, unpark.ClassAlloc, unpark.ClassGC, unpark.ClassRecompute, unpark.ClassSyscall:
		return true
	}
	return false
}

// experts is where a finding's remedies of experts begin, which have sources, behind what has the shape of the cause, and how many
// of them come before what modules offer.
func experts(f unpark.Finding) (first, n int) {
	most := maxKnown
	if shaped(f) && len(f.Remedies) > 0 && len(f.Remedies[0].Sources) == 0 {
		first, most = 1, 1
	}
	for n < most && first+n < len(f.Remedies) && len(f.Remedies[first+n].Sources) > 0 {
		n++
	}
	return first, n
}

// readThere reports whether a function on a finding's way reads a setting itself: the others are read by what that calls, or elsewhere.
func readThere(f unpark.Finding, o unpark.Offer) bool {
	pkg := unpark.PackageOf(o.At)
	return slices.ContainsFunc(way(f), func(s unpark.Site) bool {
		function := roles.Outer(unpark.WithoutTypeArguments(s.Function))
		return o.By != "" && unpark.PackageOf(function) == pkg && strings.NewReplacer("(*", "", ")", "").Replace(strings.TrimPrefix(function, pkg+".")) == o.By
	})
}

// before orders what holds before what does not.
func before(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// itself reports whether a note is what the documentation of a finding's culprit says of that function, or that of the function which the user's
// line calls.
func itself(f unpark.Finding, o unpark.Offer) bool {
	if f.Culprit == nil || o.Name == "" {
		return false
	}
	is := func(s unpark.Site) bool {
		function := unpark.WithoutTypeArguments(s.Function)
		return unpark.PackageOf(function) == o.Package && strings.NewReplacer("(*", "", ")", "").Replace(strings.TrimPrefix(function, o.Package+".")) == o.Name
	}
	stack := way(f)
	site := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == f.Site.Function })
	return is(*f.Culprit) || site > 0 && is(stack[site-1])
}

// on reports whether a function is on a finding's stack.
func on(f unpark.Finding, function string) bool {
	is := func(s unpark.Site) bool { return unpark.WithoutTypeArguments(s.Function) == function }
	return slices.ContainsFunc(way(f), is) || slices.ContainsFunc(f.Behind, is) || slices.ContainsFunc(f.Into, func(p unpark.Part) bool { return is(p.Site) }) || f.Waiter != nil && is(*f.Waiter) || f.Holder != nil && is(*f.Holder)
}

// said reports whether advice names a setting or a call already.
func said(remedies []unpark.Remedy, o unpark.Offer) bool {
	if o.Kind == unpark.OfferNote {
		return false
	}
	name := o.Name[strings.LastIndexByte(o.Name, '.')+1:]
	if o.Kind == unpark.OfferEach || o.Kind == unpark.OfferPart || o.Kind == unpark.OfferRebuilt {
		return false
	}
	if o.Kind == unpark.OfferAnew { // other advice about the type is not this one
		return slices.ContainsFunc(remedies, func(r unpark.Remedy) bool { return word(r.Title, name) && word(r.Title, "once") })
	}
	return slices.ContainsFunc(remedies, func(r unpark.Remedy) bool {
		if ofCalled[o.Kind] && len(r.Sources) == 0 {
			return false
		}
		return word(r.Title, name) || word(r.Change, name)
	})
}

// ofCalled are the kinds of offers that are named after the call which a service makes: general advice names that, too.
var ofCalled = map[unpark.OfferKind]bool{
	unpark.OfferKeep: true, unpark.OfferReuse: true, unpark.OfferFields: true, unpark.OfferTrial: true, unpark.OfferSame: true, unpark.OfferRegister: true, unpark.OfferLasting: true, unpark.OfferRewrite: true,
}

// word reports whether a text has a name that is no part of a longer one.
func word(text, name string) bool {
	letter := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	for at := 0; ; at++ {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if (at == 0 || !letter(text[at-1])) && (end == len(text) || !letter(text[end])) {
			return true
		}
	}
}

// lastOf is what the package of an import path is called, most often: its last element that is no major version, without go- before it and
// without what no name has (golang.org/x/tools/internal/imports.ImportPathToAssumedName).
func lastOf(importPath string) string {
	all := strings.Split(importPath, "/")
	last := all[len(all)-1]
	if len(all) > 1 && unpark.MajorVersion(last) {
		last = all[len(all)-2]
	}
	last = strings.TrimPrefix(last, "go-")
	if i := strings.IndexFunc(last, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }); i > 0 {
		last = last[:i]
	}
	return last
}
