package predict

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// takeStops adds the time for which a finding stops the world.
func (c *cut) takeStops(s *service, f unpark.Finding) {
	for _, at := range s.m.Ev.Stops {
		if f.Culprit != nil && at.Call.Function == f.Culprit.Function {
			c.stopped = min(mostStopped, c.stopped+at.Share)
			c.tail = max(c.tail, stoppedTail(s, at))
		}
	}
}

// stoppedTail is the part of the p99 that stops of the world make: all of their length, where
// those that are under way when it stops are more than one request in a hundred.
func stoppedTail(s *service, at facts.Stop) float64 {
	if at.Rate <= 0 || s.Response.P99 <= 0 {
		return 0
	}
	long := at.Share / at.Rate
	if at.Rate*s.population < 0.01*s.rate || long < s.Response.P90 {
		return 0
	}
	return min(1, long/s.Response.P99)
}
