package ab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
	"github.com/unpark-go/unpark/internal/turns"
)

// round runs both arms once, in an order that chance decides. A void round is
// repeated once and then left out; one that fails is repeated once and then ends
// the experiment.
func (e *experiment) round(ctx context.Context, identical bool) (Trial, error) {
	t := Trial{Round: len(e.pairs) + 1, Identical: identical}
	if identical {
		t.Round = len(e.identical) + 1
	}
	var err error
	for attempt := 1; attempt <= turns.Attempts; attempt++ {
		if err = e.both(ctx, &t, attempt); err == nil {
			return t, nil
		}
		if ctx.Err() != nil {
			return t, err
		}
	}
	if !errors.Is(err, compare.ErrVoid) {
		return t, fmt.Errorf("%s failed twice: %w", t, err)
	}
	t.LeftOut, e.void = err.Error(), err.Error()
	return t, nil
}

// String names the round in a sentence.
func (t Trial) String() string {
	if t.Identical {
		return fmt.Sprintf("round %d of identical arms", t.Round)
	}
	return fmt.Sprintf("round %d", t.Round)
}

// both runs the arms of a round; the first that gives no sample ends it.
func (e *experiment) both(ctx context.Context, t *Trial, attempt int) error {
	t.Before, t.After, t.costs = nil, nil, functions.Pair{}
	order := e.turns.Order()
	t.AfterFirst = order[0] == 1
	for _, role := range order {
		arm := role
		if t.Identical {
			arm = 0
		}
		m, err := e.measure(ctx, *t, arm, role, attempt)
		if err != nil {
			return fmt.Errorf("the arm %s: %w", e.name(arm), err)
		}
		if role == 0 {
			t.Before, t.costs.Before = m.Sample, m.Costs
		} else {
			t.After, t.costs.After = m.Sample, m.Costs
		}
	}
	return nil
}

// measure times an arm once and writes down what came of it. In a round of
// identical arms role says for which of the two it stands.
func (e *experiment) measure(ctx context.Context, t Trial, arm, role, attempt int) (turns.Measured, error) {
	label := fmt.Sprintf("round %d %s", t.Round, e.name(arm))
	if t.Identical {
		label = fmt.Sprintf("floor %d %s", t.Round, e.name(arm))
	}
	started := time.Now()
	m, err := e.turns.Measure(ctx, e.arms[arm], label)
	kept := e.out.sample(sampleLine{
		Round: t.Round, Identical: t.Identical, Arm: e.name(arm), Role: e.name(role), AfterFirst: t.AfterFirst, Attempt: attempt,
		Seed: e.c.Seed, Started: started.UTC(), Sample: m.Sample, Void: m.Void, Error: message(err),
	})
	if m.Costs != nil {
		kept = errors.Join(kept, e.out.costs(costsLine{Round: t.Round, Identical: t.Identical, Role: e.name(role), Attempt: attempt, Costs: m.Costs}))
	}
	if err == nil {
		err = kept
	}
	return m, err
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
