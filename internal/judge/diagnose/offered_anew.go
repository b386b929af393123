package diagnose

import (
	"fmt"

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
		Why:    "it keeps something between calls, behind a lock or in a map, and what one request brought into it is lost to the next",
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
