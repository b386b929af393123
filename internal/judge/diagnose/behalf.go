package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// onBehalf leaves out waits on goroutines that a function starts for each call and then waits for: both wait for the same answer, and it is the
// caller's stack that leads to the application's line. So does HTTP/2's client, whose roundTrip starts a goroutine that sends the request and stays
// until its answer has ended.
func onBehalf(findings []unpark.Finding) []unpark.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f unpark.Finding) bool {
		if len(f.Path) == 0 {
			return false
		}
		root := f.Path[len(f.Path)-1].Function
		starter := roles.Outer(root)
		if starter == root {
			return false
		}
		var theirs float64
		for _, o := range findings {
			inner := slices.IndexFunc(o.Path, func(s unpark.Site) bool { return !roles.Is(s.Function, roles.Runtime) })
			if inner >= 0 && o.Path[inner].Function == starter {
				theirs += o.Cost.MeanWaiters.Value.Or(0)
			}
		}
		return theirs > 0 && theirs >= mostOfCause*f.Cost.MeanWaiters.Value.Or(0)
	})
}
