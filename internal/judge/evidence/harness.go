package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// separate takes the waits of a harness's workers for answers off the request path,
// where the process answers requests itself: what they wait for is how long a request
// takes, and where that goes is on the stacks that serve it. The workers of a process
// that serves no requests ask another service, and their waits stay. It reports whether
// there were such waits.
func separate(p *profiles) (found bool) {
	all := append([][]stack{p.stacks[unpark.KindBlock]}, p.instants...)
	if !serves(p.catalogue, append(all, p.stacks[unpark.KindCPU])) {
		return false
	}
	for _, stacks := range all {
		for i := range stacks {
			if s := &stacks[i]; answered(s.label.Class) && s.on(roles.Harness) {
				s.label.Side = unpark.Background
				found = true
			}
		}
	}
	return found
}

// serves reports whether the process answers requests.
func serves(c *profile.Catalogue, all [][]stack) bool {
	for _, stacks := range all {
		for _, s := range stacks {
			if s.label.Side != unpark.RequestPath || s.label.Idle || s.label.App < 0 {
				continue
			}
			if how := c.Serving(s.sites); how == profile.ServesInTurn || how == profile.ServesOne {
				return true
			}
		}
	}
	return false
}

// answered are the waits for the other end of a connection.
func answered(c unpark.WaitClass) bool {
	return c == unpark.WaitDownstream || c == unpark.WaitNetwork || c == unpark.WaitPool
}
