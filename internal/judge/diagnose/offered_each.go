package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

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
	switch o.Type {
	case unpark.TypeTurned:
		where = "before that"
		if !o.On {
			where = "without that"
		}
		r.Title = fmt.Sprintf("Call %s of %s, if what it says is wanted: %s calls %s only %s", o.Name, lastOf(o.Package), o.By, o.Calls, where)
		r.Change = fmt.Sprintf("%s.%s() // once; read by %s", lastOf(o.Package), o.Name, o.By)
	case unpark.TypeChosen:
		r.Title = fmt.Sprintf("Set %s of %s: by it %s takes %s", o.Name, lastOf(o.Package), o.By, o.Calls)
		r.Change = fmt.Sprintf("%s.%s // read by %s", lastOf(o.Package), o.Name, o.By)
	case unpark.TypeDecides:
		r.Title = fmt.Sprintf("Set %s of %s, itself or by a preset, so that it is asked for less: by it %s decides whether it calls %s", o.Name, lastOf(o.Package), o.By, o.Calls)
		r.Change = fmt.Sprintf("%s.%s(…) // read by %s", lastOf(o.Package), o.Name, o.By)
	case unpark.TypeWithout:
		r.Title = fmt.Sprintf("Give %s of %s a cache, where it has none: “%s”", o.Name, lastOf(o.Package), o.Doc)
		r.Change = fmt.Sprintf("%s.%s // one for all requests", lastOf(o.Package), o.Name)
	case unpark.TypeUnset:
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

// readying is advice to make ready once what a call makes ready each time.
func readying(o unpark.Offer) unpark.Remedy {
	r := offering([]unpark.Offer{o})
	r.Title = fmt.Sprintf("Make one %s.%s ready for all requests with %s, and call %s with it in place of %s: it does not come to %s",
		lastOf(o.Package), o.Type, o.By, o.Name, short(o.At), o.Calls)
	r.Risk = "what it is made of must not be of one request; whether goroutines may share it, its documentation says"
	r.Change = fmt.Sprintf("%s.%s(…) // once\n%s(…) // with the %s, for each request", lastOf(o.Package), o.By, o.Name, o.Type)
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

// draining is advice to read answers to their end.
func draining(o unpark.Offer) unpark.Remedy {
	r := unpark.Remedy{
		Title: fmt.Sprintf("Read the body of each answer to its end: only then does %s keep it, and without it the same is asked again", lastOf(o.Package)),
		Why: fmt.Sprintf("%s.%s calls %s where Read comes to io.EOF, and its Close does not; a Decoder stops behind its value, before the end of the body",
			lastOf(o.Package), o.Type, o.Calls),
		Risk:    "a body without end, or a huge one that is not wanted, is read as well: bound it with io.LimitReader",
		Change:  "data, err := io.ReadAll(resp.Body) // and json.Unmarshal; or, before Close:\nio.Copy(io.Discard, resp.Body)",
		Sources: []string{o.Documented()},
	}
	if o.Doc != "" {
		r.Why = fmt.Sprintf("%s: “%s”; its Close does not, and a Decoder stops behind its value, before the end of the body", o.Type, o.Doc)
	}
	return r
}

// opening is advice to open a file once.
func opening(of []unpark.Offer) unpark.Remedy {
	r := offering(of)
	module := lastOf(of[0].Package)
	r.Title = fmt.Sprintf("Open the file once, and give it to %s as a writer, perhaps with a buffer: %s opens and closes it each time", module, of[0].By)
	r.Risk = "a file that is rotated or removed has to be opened anew; what a buffer holds is lost in a crash: flush it by a timer and at exit"
	r.Change = fmt.Sprintf("file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // once\n%s.%s(…) // takes it", module, of[0].Name)
	return r
}

// caching is advice to keep what is got with what the module has for that.
func caching(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	r := unpark.Remedy{
		Title:   fmt.Sprintf("Keep what %s gets in the module's own cache, %s, if it is the same for many requests", short(o.At), call),
		Why:     fmt.Sprintf("%s.%s: “%s”", lastOf(o.Package), o.Type, o.Doc),
		Risk:    "what is kept gets old: its documentation says when it is asked for anew",
		Change:  fmt.Sprintf("kept := %s(…) // once, at the start", call),
		Sources: []string{o.Documented()},
	}
	if o.Doc == "" {
		r.Why = "it asks anew each time"
	}
	return r
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

// removing is advice to take out what is put in.
func removing(o unpark.Offer) unpark.Remedy {
	module := lastOf(o.Package)
	r := unpark.Remedy{
		Title:   fmt.Sprintf("Call %s.%s for what each %s puts in, as soon as it is done with: %s goes through all that is there", module, o.Name, o.By, o.Calls),
		Why:     fmt.Sprintf("%s: “%s”", o.Name, o.Doc),
		Risk:    "what is still in use must stay",
		Change:  fmt.Sprintf("defer %s.%s(…) // where %s is called for each request", module, o.Name, o.By),
		Sources: []string{o.Documented()},
	}
	if o.Doc == "" {
		r.Why = fmt.Sprintf("what is put into %s and never taken out makes each turn longer", o.Type)
	}
	if o.Type == unpark.TypeEnds {
		r.Why = fmt.Sprintf("it does something to what %s waits at", o.Calls)
		r.Title = fmt.Sprintf("Call %s.%s on each %s as soon as it is done with: %s runs until then", module, o.Name, o.By, o.Calls)
		r.Change = fmt.Sprintf("defer %s.%s(…) // where each request makes one", module, o.Name)
	}
	return r
}

// hastening is advice to have something done before it is asked for.
func hastening(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	r := unpark.Remedy{
		Title:   fmt.Sprintf("Call %s before requests use the %s, where it is made or changed: else the first of them has to wait for %s", call, o.Type, o.By),
		Why:     fmt.Sprintf("%s: “%s”", o.Name, o.Doc),
		Risk:    "whatever changes it has to call that again, and keep the old one in use meanwhile",
		Change:  call + "() // in the background, and then an atomic.Pointer to it for requests",
		Sources: []string{o.Documented()},
	}
	if o.Doc == "" {
		r.Why = "it does what is left to do, and no more"
	}
	return r
}

// singling is advice to get less.
func singling(of []unpark.Offer) unpark.Remedy {
	r := offering(of)
	var names []string
	for _, o := range of {
		names = append(names, o.Name)
	}
	r.Title = fmt.Sprintf("Ask only for what is read, with %s, where that is few of all that %s gets", strings.Join(names, " or "), of[0].By)
	r.Risk = "many calls for one each may cost more than one for all"
	return r
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
	of = of[:min(maxOffered, len(of))]
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
		Title:  fmt.Sprintf("See whether a %s of %s helps: %s", larger(of), module, strings.Join(names, ", ")),
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
