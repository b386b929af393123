package diagnose

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
)

// joining is advice to do several things together.
func joining(o unpark.Offer) unpark.Remedy {
	module, method := lastOf(o.Package), o.By[strings.LastIndexByte(o.By, '.')+1:]
	if o.On { // it is there for many
		return unpark.Remedy{
			Title:   fmt.Sprintf("Do several in one %s.%s, with %s, and %s them together: %s does one for each call", module, o.Type, o.Name, o.Calls, o.By),
			Why:     fmt.Sprintf("%s.%s: “%s”", module, o.Type, o.Doc),
			Risk:    "the first of a batch waits for the last, and an error may be of all of them",
			Change:  fmt.Sprintf("all := %s.%s(…)\n…\nall.%s(…) // once", module, o.Name, o.Calls),
			Sources: []string{o.Documented()},
		}
	}
	return unpark.Remedy{
		Title:   fmt.Sprintf("Do several in one %s.%s, with %s, and %s it once: %s makes one for each call", module, o.Type, o.Name, o.Calls, o.By),
		Why:     "what beginning and ending it takes is then paid for once, and what the first of them copied the next may use",
		Risk:    "what is not finished yet others do not see, and an error may be of all of them",
		Change:  fmt.Sprintf("all := ….%s(…)\nall.%s(…) // for each\nall.%s(…)", o.Name[strings.LastIndexByte(o.Name, '.')+1:], method, o.Calls),
		Sources: []string{o.Documented()},
	}
}

// naming is advice to say what is tried out.
func naming(o unpark.Offer) unpark.Remedy {
	return unpark.Remedy{
		Title:   fmt.Sprintf("Call %s with the one of the %s that is known to fit, in place of %s.%s, which tries them one after the other", short(o.Calls), o.Type, lastOf(o.Package), o.Name),
		Why:     fmt.Sprintf("each of the %s that comes before it, a layout or format, costs a try and an error", o.Type),
		Risk:    "what comes in another form is refused then: fall back to all of them for that",
		Change:  fmt.Sprintf("%s(…) // with the known layout or format", short(o.Calls)),
		Sources: []string{o.Documented()},
	}
}

// repeating is advice to ask with the same key.
func repeating(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	return unpark.Remedy{
		Title:   fmt.Sprintf("Give %s the same %s for many requests, with parameters or arguments in place of literals in it: %s is on the way since its cache had none for that %s, or had to make room for it", call, o.Type, o.By, o.Type),
		Why:     fmt.Sprintf("what %s makes is kept by its %s; a setting for the size of that cache helps where there are as many on purpose", call, o.Type),
		Risk:    "a plan or program that is made for all values may suit some of them less",
		Change:  fmt.Sprintf("%s(…) // %s: the same text each time, values apart", call, o.Type),
		Sources: []string{o.Documented()},
	}
}

// declaring is advice to tell a module that a function gives the same for the same, or to call it before.
func declaring(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	return unpark.Remedy{
		Title:   fmt.Sprintf("Register %s with %s if it gives the same for the same arguments, or work out before the call what it is given: %s calls it, perhaps for each row", short(o.Calls), call, short(o.At)),
		Why:     fmt.Sprintf("%s: “%s”", o.Name, o.Doc),
		Risk:    "what is declared so and is not gives wrong answers; what is kept in a column or an index has to follow its source",
		Change:  fmt.Sprintf("err := %s(…) // at the start", call),
		Sources: []string{o.Documented()},
	}
}

// registering is advice to make a call once that adds to a list.
func registering(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	return unpark.Remedy{
		Title:   fmt.Sprintf("Call %s once, where its receiver is set up, and not for each request: it adds to %s, which each use then goes through", call, o.Type),
		Why:     fmt.Sprintf("%s: “%s”", o.Name, o.Doc),
		Risk:    "what is of one request has to come by another way, as by its context",
		Change:  fmt.Sprintf("….%s(…) // once, at the start", o.Name[strings.LastIndexByte(o.Name, '.')+1:]),
		Sources: []string{o.Documented()},
	}
}

// staying is advice to keep what a call has brought into a state that stays.
func staying(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	return unpark.Remedy{
		Title:   fmt.Sprintf("Keep each %s.%s for many requests, as in a pool, and call %s once for it: what that does (%s) lasts as long as it is open", lastOf(o.Package), o.Type, call, o.Calls),
		Why:     fmt.Sprintf("%s: “%s”", o.Name, o.Doc),
		Risk:    "one that failed must not go back, and whether goroutines may share one its documentation says",
		Change:  fmt.Sprintf("….%s(…) // once, where the %s is made", o.Name[strings.LastIndexByte(o.Name, '.')+1:], o.Type),
		Sources: []string{o.Documented()},
	}
}

// gathering is advice to make several changes of a text in one pass.
func gathering(o unpark.Offer) unpark.Remedy {
	call := lastOf(o.Package) + "." + o.Name
	return unpark.Remedy{
		Title:   fmt.Sprintf("Make all changes of %s at once: put the parts together and set them by one call of %s, or decode the whole, change it, and encode it once", o.Type, call),
		Why:     fmt.Sprintf("%s takes and gives all of %s, so that each of several calls goes through it and copies it", call, o.Type),
		Risk:    "decoding into types loses what they have no place for",
		Sources: []string{o.Documented()},
	}
}

// choosing is advice to give a call the options by which it takes less long.
func choosing(of []unpark.Offer) unpark.Remedy {
	r := offering(of)
	var names []string
	for _, o := range of[:min(maxOffered, len(of))] {
		names = append(names, o.Name)
	}
	module := lastOf(of[0].Package)
	r.Title = fmt.Sprintf("Give the call of %s, if that fits, its option %s: “%s”", module+"."+of[0].By, strings.Join(names, " or "), of[0].Doc)
	r.Risk = "an answer may have less, or be older, than without: its documentation says what else it does"
	var change []string
	for _, name := range names {
		change = append(change, fmt.Sprintf("%s.%s(…) // as one of the %s of the call", module, name, of[0].Type))
	}
	r.Change = strings.Join(change, "\n")
	return r
}

// leavingOff is advice to turn on only what is needed.
func leavingOff(of []unpark.Offer) unpark.Remedy {
	r := offering(of)
	var names []string
	for _, o := range of {
		names = append(names, o.Name)
	}
	r.Title = fmt.Sprintf("Leave off %s of %s, unless it is needed: “%s”", strings.Join(names, " and "), lastOf(of[0].Package), of[0].Doc)
	r.Risk = "whether it is on was not seen: what it is there for is not done without it"
	return r
}
