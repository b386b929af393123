package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// askedBehind is the place in which the goroutines that a join waits for wait for another service, where that is most
// of it: requests queue for few that ask one after the other.
func askedBehind(m *model.Model, join model.Wait) (unpark.Site, bool) {
	o, ok := m.Origin(nil, join.Function())
	return o.Held.Site, ok && o.Held.Class == unpark.WaitDownstream && o.Share >= model.BindingShare
}

// queuedFor reports whether requests queue for those that wait here, for longer than these do: what is saved here is
// saved of each place in the queue, so it is told there.
func queuedFor(m *model.Model, w model.Wait) bool {
	return slices.ContainsFunc(joinWaits(m), func(join model.Wait) bool {
		at, ok := askedBehind(m, join)
		return ok && at.Function == w.Function() && !join.ExplainedBy(w)
	})
}

// askLessBehind is what to do about the other service for which those wait that requests queue for.
func askLessBehind(at unpark.Site) unpark.Remedy {
	return unpark.Remedy{
		Title: "Ask less in " + short(at.Function) + ": cache what changes slowly, or ask for several requests at once",
		Why:   "those that requests queue for wait there, one answer after the other: what is saved of one is saved of each place in the queue",
		Risk:  "stale answers; the first of a batch waits for the last",
	}
}
