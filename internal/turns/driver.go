package turns

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// Driver measures arms, each started afresh, one after the other and in an order that chance decides: what a round is
// made of.
type Driver struct {
	// Run is what all arms share: plan, quota, rates, patience, and WorkDir, in which packages and revisions are
	// looked up. Its Command, Package, Built and Dir are not used.
	Run       investigate.Config
	Tell      func(label string, v investigate.Event) // may be nil; what goes on in which arm
	Timed     Timer                                   // investigate.Time
	Yardstick Starter

	chance *rand.Rand
}

// Timer is the signature of investigate.Time.
type Timer func(ctx context.Context, c investigate.Config, blind bool, beside investigate.Beside) (run unpark.Run, none bool, err error)

// New returns a driver of real services; seed is of the order of arms.
func New(run investigate.Config, seed uint64) *Driver {
	return &Driver{Run: run, Timed: investigate.Time, Yardstick: start, chance: rand.New(rand.NewPCG(seed, 0))} //nolint:gosec // no secret: it is printed
}

func (d *Driver) tell(label string, v investigate.Event) {
	if d.Tell != nil {
		d.Tell(label, v)
	}
}

// Pair measures two arms in turns, and says which was the first. Its error wraps compare.ErrVoid where a run was void.
func (d *Driver) Pair(ctx context.Context, before, after *Built, label string) (p compare.Pair, afterFirst bool, err error) {
	arms, samples := []*Built{before, after}, [2]compare.Sample{}
	order := d.Order()
	for _, i := range order {
		sample, _, err := d.Measure(ctx, arms[i], label+" "+arms[i].Name)
		if err != nil {
			return compare.Pair{}, order[0] == 1, fmt.Errorf("%s: %w", arms[i].Name, err)
		}
		samples[i] = sample
	}
	return compare.Pair{Before: samples[0], After: samples[1]}, order[0] == 1, nil
}

// Order is which of two arms is measured first, 0 or 1, and then the other.
func (d *Driver) Order() []int {
	if d.chance.IntN(2) == 1 {
		return []int{1, 0}
	}
	return []int{0, 1}
}

// Measure times an arm once, with the yardstick beside it.
func (d *Driver) Measure(ctx context.Context, b *Built, label string) (sample compare.Sample, void []unpark.Notice, err error) {
	g := &gauge{start: d.Yardstick}
	run, blind, err := d.Timed(ctx, d.Config(b, label), b.blind, g)
	b.blind = blind
	if err == nil {
		sample, err = compare.Measure(run)
	}
	if v, ok := g.piece.Get(); ok && err == nil {
		sample[compare.Yardstick] = v
	}
	return sample, run.Void, err
}
