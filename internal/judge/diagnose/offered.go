package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Offered is a finding's remedies with what the modules on its stack offer there (package offers): after
// what experts say of it, of which two come first, and before advice that holds for all of its class. What is there for the
// cost alone, or documented of the very call, comes before settings that only have fitting names, and before an upgrade,
// which is only a hope.
func Offered(f unpark.Finding, offers []unpark.Offer) []unpark.Remedy {
	here := slices.DeleteFunc(slices.Clone(offers), func(o unpark.Offer) bool {
		return o.Class != f.Class || !on(f, o.At) || said(f.Remedies, o)
	})
	var off, own, more []unpark.Remedy
	for _, kind := range []unpark.OfferKind{unpark.OfferSwitch, unpark.OfferInstead, unpark.OfferBound, unpark.OfferDelay, unpark.OfferReuse, unpark.OfferKeep, unpark.OfferFields, unpark.OfferSetting, unpark.OfferNote, unpark.OfferCall} {
		of := slices.DeleteFunc(slices.Clone(here), func(o unpark.Offer) bool { return o.Kind != kind })
		switch {
		case len(of) > 0 && kind == unpark.OfferSwitch:
			off = append(off, turning(of[0]))
		case len(of) > 0 && kind == unpark.OfferInstead:
			own = append(own, avoiding(of))
		case len(of) > 0 && kind == unpark.OfferBound:
			own = append(own, bounding(of[0]))
		case len(of) > 0 && kind == unpark.OfferDelay:
			off = append(off, shortening(of[0]))
		case len(of) > 0 && kind == unpark.OfferReuse:
			own = append(own, reusing(of[0]))
		case len(of) > 0 && kind == unpark.OfferKeep:
			own = append(own, keeping(of[0]))
		case len(of) > 0 && kind == unpark.OfferFields:
			own = append(own, narrowing(of[0]))
		case len(of) > 0 && kind == unpark.OfferNote && itself(f, of[0]):
			own = slices.Insert(own, 0, offering(of))
		case len(of) > 0:
			more = append(more, offering(of))
		}
	}
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
	sure := known + len(off) + len(own)
	at = min(max(at+len(own), 1), len(all))
	if computes(f.Class) && sure > 1 && at < len(all) {
		at++ // of what is only hoped for, a later version helps oftener than a setting where something is computed
	}
	all = slices.Insert(all, at, more[0])
	return slices.Insert(all, min(max(3, at+1), len(all)), more[1:]...)
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

// itself reports whether a note is what the documentation of a finding's culprit says of that function.
func itself(f unpark.Finding, o unpark.Offer) bool {
	if f.Culprit == nil || unpark.WithoutTypeArguments(f.Culprit.Function) != o.At || o.Name == "" {
		return false
	}
	return strings.NewReplacer("(*", "", ")", "").Replace(strings.TrimPrefix(o.At, o.Package+".")) == o.Name
}

// on reports whether a function is on a finding's stack.
func on(f unpark.Finding, function string) bool {
	is := func(s unpark.Site) bool { return unpark.WithoutTypeArguments(s.Function) == function }
	return slices.ContainsFunc(way(f), is) || f.Waiter != nil && is(*f.Waiter) || f.Holder != nil && is(*f.Holder)
}

// said reports whether advice names a setting or a call already.
func said(remedies []unpark.Remedy, o unpark.Offer) bool {
	if o.Kind == unpark.OfferNote {
		return false
	}
	name := o.Name[strings.LastIndexByte(o.Name, '.')+1:]
	called := o.Kind == unpark.OfferKeep || o.Kind == unpark.OfferReuse || o.Kind == unpark.OfferFields // general advice names what is called, too
	return slices.ContainsFunc(remedies, func(r unpark.Remedy) bool {
		if called && len(r.Sources) == 0 {
			return false
		}
		return strings.Contains(r.Title, name) || strings.Contains(r.Change, name)
	})
}

// turning is advice to turn a switch on or off with which the cost goes.
func turning(o unpark.Offer) unpark.Remedy {
	on, where, value := "on", "off", "true"
	if o.On {
		on, where, value = "off", "on", "false"
	}
	set := o.Name + " = " + value
	if strings.HasPrefix(o.Type, "func") {
		set = o.Name + "(" + value + ")"
	}
	if o.Type == unpark.TypeParameter {
		set = strings.TrimSuffix(o.Name, ")") + ": " + value + ")"
	}
	r := unpark.Remedy{
		Title:  fmt.Sprintf("Turn %s %s of %s: %s calls %s only where it is %s", on, o.Name, lastOf(o.Package), o.By, o.Calls, where),
		Why:    fmt.Sprintf("%s: “%s”", o.Name, o.Doc),
		Risk:   "its source was read and nothing else: see what else depends on it, and who needs what it does",
		Change: fmt.Sprintf("%s.%s // read by %s", lastOf(o.Package), set, o.By), Sources: []string{o.Documented()},
	}
	if o.Doc == "" {
		r.Why = "its documentation says what it is for"
	}
	if o.Type == unpark.TypeUnset {
		r.Title = fmt.Sprintf("Set %s of %s: %s calls %s only where it is empty", o.Name, lastOf(o.Package), o.By, o.Calls)
		r.Change = fmt.Sprintf("%s.%s // set once; read by %s", lastOf(o.Package), o.Name, o.By)
	}
	return r
}

// avoiding is advice to make another call that does not come to what costs.
func avoiding(of []unpark.Offer) unpark.Remedy {
	var names []string
	for _, o := range of {
		names = append(names, o.Name)
	}
	r := offering(of)
	if of[0].Calls == "" { // its documentation says so
		r.Title = fmt.Sprintf("Call %s instead of %s: “%s”", of[0].Name, of[0].By, of[0].Doc)
		r.Risk = "what it takes and gives may be of other types"
		return r
	}
	r.Title = fmt.Sprintf("Call %s in place of %s where it does all that you need: it does not come to %s", strings.Join(names, " or "), short(of[0].At), of[0].Calls)
	r.Risk = "its source was read and nothing else: see what it leaves out"
	return r
}

// bounding is advice to give less to what grows faster than what it is given.
func bounding(o unpark.Offer) unpark.Remedy {
	first, second, _ := strings.Cut(o.Type, " ")
	grows := "with the square of its length"
	if first != second {
		grows = "with the product of their lengths"
	}
	return unpark.Remedy{
		Title:   fmt.Sprintf("Bound the length of what %s is given: its cost grows %s", short(o.At), grows),
		Why:     fmt.Sprintf("%s goes through %s within a loop through %s, and there the time is spent", o.Name, second, first),
		Risk:    "what is longer is refused, cut, or answered otherwise",
		Sources: []string{o.Documented()},
	}
}

// shortening is advice to wait less each time.
func shortening(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	return unpark.Remedy{
		Title:   fmt.Sprintf("Shorten %s, the parameter of %s: %s waits for so long each time, whatever happens meanwhile", o.Type, call, o.By),
		Why:     fmt.Sprintf("%s hands it to a timer, and requests wait for that", o.By),
		Risk:    "what is asked for, or tried, more often costs more each time",
		Change:  fmt.Sprintf("%s(…) // %s: shorter", call, o.Type),
		Sources: []string{o.Documented()},
	}
}

// narrowing is advice to have less decoded.
func narrowing(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	return unpark.Remedy{
		Title:   fmt.Sprintf("Give %s, as %s, a type that has only the fields that are read", call, o.Type),
		Why:     "it fills by reflection what that type has a place for, and each value is decoded and kept; decoders pass over what it has none for",
		Risk:    "what is left out is not checked either",
		Change:  fmt.Sprintf("var %s struct{ … } // the fields that are read\n%s(…, &%s)", o.Type, call, o.Type),
		Sources: []string{o.Documented()},
	}
}

// keeping is advice to keep what is made for each request.
func keeping(o unpark.Offer) unpark.Remedy {
	module := lastOf(o.Package)
	r := unpark.Remedy{
		Title:  fmt.Sprintf("Keep one %s.%s for all requests, and call its methods for each: %s makes it anew", module, o.Type, o.Name),
		Why:    fmt.Sprintf("%s.%s: “%s”", module, o.Type, o.Doc),
		Risk:   "what it is made with must not be of one request",
		Change: fmt.Sprintf("var kept = %s.%s(…) // once, at the start", module, o.Name), Sources: []string{o.Documented()},
	}
	if o.By != "" {
		r.Title = fmt.Sprintf("Call %s.%s once, keep the %s that it gives, and call its methods: %s makes one for each call", module, o.Name, o.Type, o.By)
		r.Why = fmt.Sprintf("%s.%s: “%s”", module, o.Name, o.Doc)
		r.Risk = "one is kept for each value that it is made with; whether goroutines may share it, its documentation says"
	}
	if !o.On {
		r.Title = fmt.Sprintf("Keep one %s.%s per worker in a sync.Pool, and %s it: %s makes it anew", module, o.Type, o.Calls, o.Name)
		r.Why = fmt.Sprintf("%s.%s.%s: “%s”", module, o.Type, o.Calls, o.Doc)
		r.Risk = "nothing says that goroutines may share one; it must not be used after it went back to the pool"
		r.Change = fmt.Sprintf("v := pool.Get().(*%s.%s); v.%s(…); defer pool.Put(v)", module, o.Type, o.Calls)
	}
	if o.Doc == "" {
		r.Why = "its documentation says how it is used again"
	}
	return r
}

// reusing is advice to hand back what an earlier call gave.
func reusing(o unpark.Offer) unpark.Remedy {
	r := unpark.Remedy{
		Title:  fmt.Sprintf("Hand back to %s, as %s, what it gave last, if that is nil or new each time", lastOf(o.Package)+"."+o.Name, o.Calls),
		Why:    fmt.Sprintf("%s: “%s”", o.Name, o.Doc),
		Risk:   "what was given before is overwritten: keep one per worker (sync.Pool), and nothing that points into it",
		Change: fmt.Sprintf("%s(…, %s) // a %s of an earlier call", lastOf(o.Package)+"."+o.Name, o.Calls, o.Type), Sources: []string{o.Documented()},
	}
	if o.Doc == "" {
		r.Why = fmt.Sprintf("it takes as %s the type that it gives", o.Calls)
	}
	return r
}

// offering is advice to look at what a module offers.
func offering(of []unpark.Offer) unpark.Remedy {
	var names, why, change, sources []string
	for _, o := range of {
		names = append(names, o.Name)
		if o.Doc != "" {
			why = append(why, fmt.Sprintf("%s: “%s”", o.Name, o.Doc))
		}
		line := lastOf(o.Package) + "." + strings.TrimSpace(o.Name+" "+o.Type)
		if o.By != "" {
			line += " // read by " + o.By
		}
		change = append(change, line)
		if d := o.Documented(); !slices.Contains(sources, d) {
			sources = append(sources, d)
		}
	}
	module := lastOf(of[0].Package)
	r := unpark.Remedy{
		Title:  fmt.Sprintf("See whether a setting of %s helps: %s", module, strings.Join(names, ", ")),
		Why:    strings.Join(why, "; "),
		Risk:   "nothing but their names and places in its source was read: their documentation says what else they do",
		Change: strings.Join(change, "\n"), Sources: sources,
	}
	switch of[0].Kind {
	case unpark.OfferNote:
		r.Title = fmt.Sprintf("Read what %s says of itself: “%s”", strings.Trim(module+"."+of[0].Name, "."), of[0].Doc)
		if of[0].Name == unpark.ReadMe {
			r.Title = fmt.Sprintf("Read what the first page of %s says: “%s”", module, of[0].Doc)
		}
		r.Why, r.Change = "whether that is this use of it, its documentation says", ""
		r.Risk = "what stands in its place has to do the same"
	case unpark.OfferCall:
		r.Title = fmt.Sprintf("See whether another call of %s does here what %s does: %s", module, short(of[0].At), strings.Join(names, ", "))
	}
	return r
}

// lastOf is the last element of an import path that is no major version: what its package is called,
// most often.
func lastOf(importPath string) string {
	all := strings.Split(importPath, "/")
	last := all[len(all)-1]
	if v, ok := strings.CutPrefix(last, "v"); ok && len(all) > 1 && v != "" && strings.Trim(v, "0123456789") == "" {
		return all[len(all)-2]
	}
	return last
}
