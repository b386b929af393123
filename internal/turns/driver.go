package turns

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
)

// Attempts is how often a round, or an arm of it, is measured that is void or fails: a busy moment of the machine does not come twice, a
// broken service does.
// Unit: times. Source: convention. Test: internal/ab.TestVoidRounds.
const Attempts = 2

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
		m, err := d.Measure(ctx, arms[i], label+" "+arms[i].Name)
		if err != nil {
			return compare.Pair{}, order[0] == 1, fmt.Errorf("%s: %w", arms[i].Name, err)
		}
		samples[i] = m.Sample
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

// Measured is what came of an arm in a round.
type Measured struct {
	Sample compare.Sample
	Costs  functions.Costs // of what was profiled meanwhile (investigate.Config.Costs); nil without
	Void   []unpark.Notice
}

// Measure times an arm once, with the yardstick beside it.
func (d *Driver) Measure(ctx context.Context, b *Built, label string) (m Measured, err error) {
	g := &gauge{start: d.Yardstick}
	run, blind, err := d.Timed(ctx, d.Config(b, label), b.blind, g)
	b.blind = blind
	m.Void = run.Void
	if err == nil {
		m.Sample, err = compare.Measure(run)
	}
	if err != nil {
		return m, err
	}
	if v, ok := g.piece.Get(); ok {
		m.Sample[compare.Yardstick] = v
	}
	m.Costs = functions.Of(run)
	d.sampled(m.Costs)
	for metric := range m.Costs {
		if v, ok := m.Sample[metric]; ok && metric != functions.Wait { // what the runtime counts is locks alone
			m.Costs.At(metric, v)
		}
	}
	return m, nil
}

// sampled keeps to the lowest rate of CPU samples that any arm could have: from the next round on both have it.
func (d *Driver) sampled(c functions.Costs) {
	if rate := c[functions.CPU].Rate; rate > 0 && (d.Run.CostsHertz == 0 || rate < d.Run.CostsHertz) {
		d.Run.CostsHertz = rate
	}
}
