package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// overMade advises to keep a client where requests wait for answers over one that each of them makes: another wait of theirs, for the
// same module, is below what makes it. The longer of the two is often that for the answer, and says nothing of it.
func overMade(findings []unpark.Finding) {
	for i := range findings {
		f := &findings[i]
		if f.Class != unpark.ClassDownstream {
			continue
		}
		mine, ok := calledModule(*f)
		if !ok {
			continue
		}
		at := slices.IndexFunc(findings, func(o unpark.Finding) bool {
			module, ok := calledModule(o)
			return ok && module == mine && o.Class == unpark.ClassDownstream && roles.Constructs(o.Way[0].Site.Function) && !roles.Constructs(f.Way[0].Site.Function)
		})
		if at < 0 {
			continue
		}
		made := findings[at]
		f.Remedies = append([]unpark.Remedy{{
			Title: fmt.Sprintf("Call %s once for all requests, and keep what it makes: %s calls it for each", short(made.Way[0].Site.Function), short(made.Site.Function)),
			Why:   "requests wait for it as well, and what it makes has connections of its own, which begin anew",
			Risk:  "what is kept is used by many goroutines: its documentation says whether it may be",
		}}, f.Remedies...)
	}
}

// calledModule is the module whose function the application calls where it waits.
func calledModule(f unpark.Finding) (string, bool) {
	if len(f.Way) == 0 {
		return "", false
	}
	module, _, _, ok := f.Way[0].Site.Module()
	return module, ok
}
