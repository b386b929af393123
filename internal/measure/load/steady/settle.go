package steady

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// Settled is a load that is ready to be measured.
type Settled struct {
	Within  float64 // the half width of the p99's interval that was asked for, as a share
	Steady  bool
	Took    float64 // s
	Window  float64 // whole seconds for which to measure
	Needed  float64 // seconds that the width takes; unknown (0) where no length is known to do
	last    mixture // of the last blocks
	answers float64 // a second, in them
}

// Longest is how long settling and a window that was chosen may take.
const Longest = (mostSettling + mostWindow) * time.Second

// Settle drives blocks of load until they show no trend, for 90 s at most, and chooses the
// length of the window: at least `least` seconds, at most 600. block drives so many seconds of
// load and returns what came of them; its error ends the settling.
func Settle(ctx context.Context, within, least float64, block func(ctx context.Context, seconds float64) (unpark.Load, error)) (Settled, error) {
	s := Settled{Within: within}
	first, err := block(ctx, shortest)
	if err != nil {
		return s, err
	}
	s.Took = first.Seconds
	length := blockLength(first)
	var seen []unpark.Load
	for wanted := blocks; len(seen) < wanted; {
		l, err := block(ctx, length)
		if err != nil {
			return s, err
		}
		s.Took += l.Seconds
		seen = append(seen, l)
		late := s.Took+length > mostSettling
		switch {
		case len(seen) < wanted || wanted > blocks:
		case moves(seen, within*smallDrift):
			if !late {
				seen = seen[1:]
			}
		default:
			s.Steady = true
			if s.take(seen); s.last.inflation() > bursty {
				wanted *= moreBlocks
			}
		}
		if late && len(seen) >= blocks {
			break
		}
	}
	s.take(seen)
	s.choose(least)
	return s, nil
}

// String says what was chosen, for a reader who waits.
func (s Settled) String() string {
	how := "after " + units.Figure(s.Took, "s")
	if !s.Steady {
		how = "not " + how
	}
	return fmt.Sprintf("%s; p99 within %s takes a window of %.0f s", how, units.Percent(s.Within), s.Window)
}

// blockLength is how long a block has to be for one to say something, by a first one.
func blockLength(first unpark.Load) float64 {
	if first.AchievedRPS <= 0 {
		return longest
	}
	return min(longest, max(shortest, perBlock/first.AchievedRPS, rounds*first.Response.P50))
}

// moves reports whether median or p99 have a trend.
func moves(loads []unpark.Load, drift float64) bool {
	var median, tail []float64
	for _, l := range loads {
		if l.Response.N > 0 {
			median, tail = append(median, l.Response.P50), append(tail, l.Response.P99)
		}
	}
	return trend(median, drift) || trend(tail, drift)
}

func (s *Settled) take(loads []unpark.Load) {
	var requests, seconds float64
	s.last = nil
	for _, l := range loads {
		s.last = append(s.last, l.Response)
		requests, seconds = requests+float64(l.Response.N), seconds+l.Seconds
	}
	if seconds > 0 {
		s.answers = requests / seconds
	}
}

// choose looks for the shortest window that gives the width asked for.
func (s *Settled) choose(least float64) {
	s.Window = math.Ceil(least)
	if s.answers <= 0 {
		return
	}
	value, inflation := s.last.quantile(percentile), s.last.inflation()
	known := s.last.count() / s.answers // the blocks' own length, in seconds
	for t := least; t < forever && s.Needed == 0; t *= growth {
		low, high, ok := ends(s.last, t*s.answers/room, inflation)
		switch width := (high - low) / 2 / value; {
		case !ok:
		case width <= s.Within:
			s.Needed = math.Ceil(t)
		case t > beyond*known:
			// So few answers have gaps between them: go on by the square root.
			s.Needed = math.Ceil(t * (width / s.Within) * (width / s.Within))
		}
	}
	if s.Needed > 0 && s.Needed <= max(least, mostWindow) {
		s.Window = max(s.Window, s.Needed)
	}
}
