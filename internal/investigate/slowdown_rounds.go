package investigate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/unpark-go/unpark/internal/judge/compare"
	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
)

// pilot runs the service once without delay, to see how often the places are passed
// and to choose the doses.
func (x *slowdown) pilot(ctx context.Context) error {
	m, err := x.program.twice(ctx, x.places, arm{}, "pilot")
	if err != nil {
		return fmt.Errorf("the service with the call of a delay in it, and none to be made: %w", err)
	}
	for _, p := range append([]*slowed{}, x.places...) {
		p.doses, err = p.first().Doses(m.points[p])
		if err != nil {
			x.drop(p, err.Error())
			continue
		}
		x.say(fmt.Sprintf("%s, %s: %.4g calls per request, of which one in %d is delayed by %v or %v",
			p.site.Place(), p.where, m.points[p].Calls, p.doses.Every, p.doses.Spin[0], p.doses.Spin[1]))
	}
	return nil
}

// afford drops places until the budget has room for rounds enough.
func (x *slowdown) afford() {
	for len(x.places) > 0 {
		one := x.program.oneArm() * time.Duration(len(x.places.arms()))
		left := x.c.Slowdown - time.Since(x.began)
		if int(left/one) >= slow.LeastRounds {
			return
		}
		need := time.Since(x.began) + one*time.Duration(slow.LeastRounds+1)
		x.drop(x.places[len(x.places)-1], fmt.Sprintf("the budget of %v has room for %d rounds with it, an interval takes %d: --experiment-budget %dm",
			x.c.Slowdown, max(0, int(left/one)), slow.LeastRounds, int(need/time.Minute)+1))
	}
}

// repeat makes rounds until the budget is spent. Its error is why it ended before.
func (x *slowdown) repeat(ctx context.Context) error {
	for x.rounds < x.most && len(x.places) > 0 {
		if time.Since(x.began)+x.program.oneArm()*time.Duration(len(x.places.arms())) > x.c.Slowdown {
			return nil
		}
		x.rounds++
		if err := newRound(x).run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// round is all arms once: the round n of those that a slowdown has begun.
type round struct {
	x    *slowdown
	n    int
	arms []arm
	got  map[arm]measured
}

func newRound(x *slowdown) *round {
	return &round{x: x, n: x.rounds, arms: x.places.arms(), got: map[arm]measured{}}
}

// run measures all arms, in an order that chance decides. One that is void twice
// leaves the round out; a place at which the target fails twice is given up.
func (r *round) run(ctx context.Context) error {
	for _, i := range r.x.chance.Perm(len(r.arms)) {
		if taken, err := r.take(ctx, r.arms[i]); !taken {
			return err
		}
	}
	// What others took in one arm alone would be read as an effect of the delay.
	for _, a := range r.arms {
		if _, more := r.disturbed(a); more {
			if taken, err := r.take(ctx, a); !taken {
				return err
			}
		}
	}
	var most float64
	for _, a := range r.arms {
		if by, more := r.disturbed(a); more {
			most = max(most, by)
		}
	}
	for _, p := range r.x.places {
		p.add(r.got, most > 0)
	}
	line := r.line()
	if most > 0 {
		line += fmt.Sprintf("  (something else took %.2f cores more in one of them)", most)
	}
	r.x.say(line)
	return nil
}

// take measures one arm. When it reports false the round does not count; an error ends
// them all.
func (r *round) take(ctx context.Context, a arm) (bool, error) {
	m, err := r.x.program.twice(ctx, r.x.places, a, fmt.Sprintf("round %d", r.n))
	switch {
	case err == nil:
		r.got[a] = m
		return true, nil
	case ctx.Err() != nil:
		return false, errors.New("interrupted")
	case errors.Is(err, compare.ErrVoid):
		r.x.say(fmt.Sprintf("round %2d  left out: %v", r.n, err))
		return false, nil
	case a.place == nil:
		return false, err
	default:
		r.x.drop(a.place, "with the delay in it the service failed: "+err.Error())
		return false, nil
	}
}

// disturbance is the part of a machine's cores that others may use more in one arm
// than in the quietest of its round: the larger dose is meant to have an effect of a
// fifth, and less than that is for the interval to say.
const disturbance = 0.15

// full is the part of a machine's cores from which one that uses them takes them from
// another. The kernel's own work keeps it from being all.
const full = 0.85

// disturbed tells whether something else took more processors in an arm than in the
// quietest of the round, and how many.
func (r *round) disturbed(a arm) (by float64, more bool) {
	now, ok := r.got[a].others.Get()
	if !ok || !r.got[a].full {
		return 0, false
	}
	least := now
	for _, other := range r.arms {
		least = min(least, r.got[other].others.Or(now))
	}
	return now - least, now-least > disturbance*float64(r.x.window.Machine.CPUs)
}

// line is what is reported of the round: throughput by arm.
func (r *round) line() string {
	line := fmt.Sprintf("round %2d  none %s req/s", r.n, rps(r.got[arm{}].points[r.x.places[0]]))
	for _, p := range r.x.places {
		for d := 1; d <= 2; d++ {
			point := r.got[arm{p, d}].points[p]
			line += fmt.Sprintf("  +%v %s req/s", time.Duration(point.Delay*1e9).Round(100*time.Nanosecond), rps(point))
		}
	}
	return line
}

func rps(p slow.Point) string { return strconv.FormatFloat(1/p.Gap, 'f', 0, 64) }
