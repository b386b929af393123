package slowdown

import (
	"fmt"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// Doses are the two delays of a subject, ascending, and how they are spread.
type Doses struct {
	Spin  [2]time.Duration // of each call that is delayed
	Every int              // one in so many calls is
}

// Doses chooses the doses of a subject by what a round without delay showed. The
// error says why there are none.
func (s Subject) Doses(base Point) (Doses, error) {
	s = s.scaled(base)
	c := s.Removed.Value.Or(0)
	calls := base.Calls
	switch {
	case calls < leastCalls:
		return Doses{}, fmt.Errorf("requests do not pass %s: %.3g calls per request", s.Spot.Site.Place(), calls)
	case calls*callCost > mostCalls*c:
		return Doses{}, fmt.Errorf("it is called %.0f times per request: the call of a delay alone would change the service", calls)
	}
	part := stats.Bound(effect/max(s.weight(base), 1e-9), leastPart, mostPart)
	d := Doses{Every: 1}
	each := part * c / calls
	if small := 2 * leastSpin.Seconds(); each < small {
		if s.Spot.Lock {
			// Some longer holds among many short ones make another queue.
			return Doses{}, fmt.Errorf("it is held for %.0f ns at a time: too short for a delay that can be measured", 1e9*c/calls)
		}
		d.Every = int(small/each) + 1
		each *= float64(d.Every)
	}
	d.Spin[1] = time.Duration(each * 1e9)
	d.Spin[0] = d.Spin[1] / 2
	return d, nil
}

// weight is the share of the time between two answers that the site takes if it is
// what binds: of one lock, or of the processors.
func (s Subject) weight(base Point) float64 {
	c := s.Removed.Value.Or(0)
	if s.Spot.Lock {
		return c / base.Gap
	}
	if all := base.CPU + s.scene.Generator; all > 0 {
		return c / all
	}
	return 1
}

// scaled returns the subject with the time it takes in the rounds: the window that it
// was measured in was profiled, and may have had another machine. What stays is its
// share of the CPU, and of a lock its utilisation.
func (s Subject) scaled(base Point) Subject {
	was, is := s.scene.CPU, base.CPU
	if s.Spot.Lock {
		was, is = s.scene.Gap, base.Gap
	}
	if was <= 0 || is <= 0 {
		return s
	}
	s.Removed = times(s.Removed, is/was)
	return s
}

// times is a quantity by a factor.
func times(q unpark.Quantity, factor float64) unpark.Quantity {
	by := func(n unpark.Number) unpark.Number {
		v, ok := n.Get()
		if !ok {
			return n
		}
		return unpark.Num(v * factor)
	}
	q.Value, q.Low, q.High = by(q.Value), by(q.Low), by(q.High)
	return q
}
