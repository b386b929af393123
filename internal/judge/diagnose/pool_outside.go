package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

// askOutside is advice to have no connection of a database while something else is asked, where that is a good part of the time for
// which connections are kept. What a place of another pool bounds may be that very call.
func askOutside(m *model.Model, p model.Wait) []unpark.Remedy {
	if !roles.On(p.Heaviest.Stack, roles.Database) {
		return nil
	}
	var most model.Wait
	var share float64
	for _, w := range m.Answers {
		if kept := w.KeepsPlace(m, p); kept > share && !roles.On(w.Heaviest.Stack, roles.Database) {
			most, share = w, kept
		}
	}
	if share < leastBelow {
		return nil
	}
	return []unpark.Remedy{{
		Title: fmt.Sprintf("Call %s before the connection is taken, or after it is given back: it waits for another service for %s of the time for which connections are kept", short(most.Function()), units.Say(share, "ratio")),
		Why:   "a connection is busy from taking to giving back, and the pool serves its size ÷ that time",
		Risk:  "what was read before may have changed when it is used: look again, or write down first what is to be done",
	}}
}
