package bisect

import (
	"context"
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/bisect"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
	"github.com/unpark-go/unpark/internal/turns"
)

// changed is the functions that cost another amount in a commit than in the one before it.
type changed struct {
	Commit    string                  `json:"commit"`
	Functions []unpark.FunctionChange `json:"functions"`
	Tested    unpark.FunctionsTested  `json:"tested"`
}

// dissection measures the commit that was found against the one before it, in rounds that are profiled after their
// timed part: nothing else is between the two.
type dissection struct {
	s     *search
	best  bisect.Culprit
	pairs []compare.Pair
	costs []functions.Pair
}

// run adds to the search which functions changed. That it cannot is no reason to lose what was found.
func (d *dissection) run(ctx context.Context) error {
	hash := d.s.history.hash(d.best.Last)
	if !d.s.c.Functions || d.s.spent() || d.s.changed != nil && d.s.changed.Commit == hash {
		return nil
	}
	err := d.measure(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		d.s.warn("functions-unknown", fmt.Sprintf("which functions changed is not known: %v", err), "see that the commit and the one before it run on their own, or leave it out with --functions=false")
		return nil
	}
	c := changed{Commit: hash}
	c.Functions, c.Tested = turns.Functions(d.pairs, d.costs, functions.Options{Seed: d.s.c.Seed})
	d.s.changed = &c
	return d.s.journal.write(entry{Changed: &c})
}

func (d *dissection) measure(ctx context.Context) error {
	s, before := d.s, d.best.First-1
	for _, at := range []int{before, d.best.Last} {
		if err := s.build(ctx, at); err != nil {
			return err
		}
	}
	profiled := *s.driver
	profiled.Run.Costs = true
	arms := []*turns.Built{s.built[before], s.built[d.best.Last]}
	for len(d.pairs) < functionRounds && !s.spent() {
		var got [2]turns.Measured
		for _, i := range profiled.Order() {
			var err error
			if got[i], err = profiled.Measure(ctx, arms[i], fmt.Sprintf("functions %d %s", len(d.pairs)+1, arms[i].Name)); err != nil {
				return err
			}
		}
		d.pairs = append(d.pairs, compare.Pair{Before: got[0].Sample, After: got[1].Sample})
		d.costs = append(d.costs, functions.Pair{Before: got[0].Costs, After: got[1].Costs})
		s.say(fmt.Sprintf("functions: round %d of %d, %s against the one before it", len(d.pairs), functionRounds, s.history.name(d.best.Last)))
	}
	return nil
}
