package diagnose

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
)

// makingOnce is advice to make once what a function of the user's own makes for each request.
func makingOnce(o unpark.Offer) unpark.Remedy {
	module, maker := lastOf(o.Package), o.By
	if maker == "" {
		maker = short(o.At)
	}
	r := unpark.Remedy{
		Title:  fmt.Sprintf("Call %s.%s once, at the start, and keep the %s: %s (%s) calls it for each request", module, o.Name, o.Type, maker, o.Calls),
		Why:    "it keeps something between calls, as connections, tokens or what it has found, and what one request brought into it is lost to the next",
		Risk:   "what it is made with must not be of one request, and it must not be closed at the end of one",
		Change: fmt.Sprintf("var kept = %s.%s(…) // once, at the start", module, o.Name), Sources: []string{o.Documented()},
	}
	if o.On {
		r.Title = fmt.Sprintf("Make one %s.%s at the start, once, and keep it: %s (%s) makes one for each request", module, o.Type, maker, o.Calls)
		r.Change = fmt.Sprintf("var kept = &%s.%s{…} // once, at the start", module, o.Name)
	}
	if o.Doc != "" {
		r.Why = fmt.Sprintf("%s.%s: “%s”; what one request brought into it is lost to the next", module, o.Type, o.Doc)
	}
	return r
}

// askingOnce is advice to do once for all of some things what a loop of the user's own does, and waits for, for each.
func askingOnce(o unpark.Offer) unpark.Remedy {
	loop := fmt.Sprintf("once for each of %s, in a loop (%s)", o.Name, o.Calls)
	if o.Name == "" {
		loop = fmt.Sprintf("in each turn of a loop (%s)", o.Calls)
	}
	r := unpark.Remedy{
		Title: fmt.Sprintf("Ask for all in one call, or for several at a time: %s asks and waits %s", short(o.At), loop),
		Why:   "the loop takes the sum of all answers: one call for all takes little more than one of them, several at a time the slowest",
		Risk:  "bound how many are under way at once, and how many go into one call",
		Fix:   unpark.FixTogether,
	}
	if o.Class == unpark.ClassIO {
		r.Title = fmt.Sprintf("Write or read all in one: %s waits for the disk %s", short(o.At), loop)
		r.Why = "the loop takes the sum of all waits: one for all takes little more than one of them"
		r.Risk = "what was written before the last of them is lost with it"
	}
	return r
}

// takingPart is for a call that goes through all there is, of which the user's own code uses a part.
func takingPart(o unpark.Offer) unpark.Remedy {
	pkg := lastOf(o.Package)
	r := unpark.Remedy{
		Title: fmt.Sprintf("Go through no more than is used: %s leaves the loop over what %s.%s gave when it has enough (%s), and all was made by then", short(o.At), pkg, o.By, o.Calls),
		Why:   "what is made for the rest is thrown away, and it grows with all that there is",
		Risk:  "what is walked may change meanwhile, where a copy does not",
	}
	if o.Type == unpark.TypeFiltered {
		r.Title = fmt.Sprintf("Seek to what is wanted, or keep an index of it: %s.%s scans all that there is, and what %s does with each (%s) passes over some", pkg, o.By, short(o.At), o.Calls)
		r.Why = "each request then takes as long as all there is, however little it asks for"
		r.Risk = "the order, or the key, has to be that which is asked by"
	}
	if o.Name != "" {
		r.Change = fmt.Sprintf("see %s.%s", pkg, o.Name)
		r.Title += fmt.Sprintf(": see %s.%s", pkg, o.Name)
		r.Sources = []string{o.Documented()}
	}
	return r
}

// growing is advice to keep what is made of all that there is, and to add to it.
func growing(o unpark.Offer) unpark.Remedy {
	kept, method := lastOf(o.Package)+"."+o.Type, o.By[strings.LastIndexByte(o.By, '.')+1:]
	if o.On {
		kept = "*" + kept
	}
	return unpark.Remedy{
		Title:  fmt.Sprintf("Keep the %s and add what is new to it: %s makes it anew from all of %s for each request, in a loop (%s)", kept, short(o.At), o.Name, o.Calls),
		Why:    "each request costs as much as all that there is, and the sum grows with the square of that; what is kept takes one more turn for what is new",
		Risk:   "what goroutines share needs a lock; what is taken out, or changed, has to be taken out of what is kept, or that made anew then",
		Change: fmt.Sprintf("kept.%s(…) // where something is added, beside what has it", method), Sources: []string{o.Documented()},
	}
}
