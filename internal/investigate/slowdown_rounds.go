package investigate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
)

// arm is what runs in a round: the service without delay, or with a dose at one place.
type arm struct {
	place *slowed // nil without delay
	dose  int     // 1, 2
}

func (a arm) String() string {
	if a.place == nil {
		return "no delay"
	}
	return a.place.doses.Spin[a.dose-1].String() + " at " + a.place.site.Place()
}

// arms are those of a round, the one without delay first.
func (x *slowdown) arms() []arm {
	out := []arm{{}}
	for _, p := range x.places {
		out = append(out, arm{p, 1}, arm{p, 2})
	}
	return out
}

// pilot runs the service once without delay, to see how often the places are passed
// and to choose the doses.
func (x *slowdown) pilot(ctx context.Context) error {
	m, err := x.twice(ctx, arm{}, "pilot")
	if err != nil {
		return fmt.Errorf("the service with the call of a delay in it, and none to be made: %w", err)
	}
	for _, p := range append([]*slowed{}, x.places...) {
		s := p.first()
		p.doses, err = slow.Plan(s, m.points[p], slow.SceneOf(x.rec.run, x.window, s.Finding))
		if err != nil {
			x.drop(p, err.Error())
			continue
		}
		x.say(fmt.Sprintf("%s, %s: %.4g calls per request, of which one in %d is delayed by %v or %v",
			p.site.Place(), p.where, m.points[p].Calls, p.doses.Every, p.doses.Spin[0], p.doses.Spin[1]))
	}
	return nil
}

// first is the subject by which the doses are chosen: that of the first finding.
func (p *slowed) first() slow.Subject {
	least := -1
	for i := range p.subjects {
		if least < 0 || i < least {
			least = i
		}
	}
	return p.subjects[least]
}

// afford drops places until the budget has room for rounds enough.
func (x *slowdown) afford() {
	for len(x.places) > 0 {
		one := x.oneArm() * time.Duration(len(x.arms()))
		left := x.c.Experiment - time.Since(x.began)
		if int(left/one) >= slow.LeastRounds {
			return
		}
		need := time.Since(x.began) + one*time.Duration(slow.LeastRounds+1)
		x.drop(x.places[len(x.places)-1], fmt.Sprintf("the budget of %v has room for %d rounds with it, an interval takes %d: --experiment-budget %dm",
			x.c.Experiment, max(0, int(left/one)), slow.LeastRounds, int(need/time.Minute)+1))
	}
}

// oneArm is how long an arm took so far, on average.
func (x *slowdown) oneArm() time.Duration {
	var sum time.Duration
	for _, d := range x.took {
		sum += d
	}
	return max(sum/time.Duration(max(1, len(x.took))), time.Millisecond)
}

// repeat makes rounds until the budget is spent. Its error is why it ended before.
func (x *slowdown) repeat(ctx context.Context) error {
	for x.rounds < x.most && len(x.places) > 0 {
		if time.Since(x.began)+x.oneArm()*time.Duration(len(x.arms())) > x.c.Experiment {
			return nil
		}
		x.rounds++
		if err := x.round(ctx); err != nil {
			return err
		}
	}
	return nil
}

// round runs all arms once, in an order that chance decides. One that is void twice
// leaves the round out; a place at which the target fails twice is given up.
func (x *slowdown) round(ctx context.Context) error {
	all := x.arms()
	got := map[arm]measured{}
	for _, i := range x.chance.Perm(len(all)) {
		if taken, err := x.take(ctx, all[i], got); !taken {
			return err
		}
	}
	// What others took in one arm alone would be read as an effect of the delay.
	for _, a := range all {
		if _, more := x.disturbed(all, got, a); more {
			if taken, err := x.take(ctx, a, got); !taken {
				return err
			}
		}
	}
	var most float64
	for _, a := range all {
		if by, more := x.disturbed(all, got, a); more {
			most = max(most, by)
		}
	}
	for _, p := range x.places {
		p.add(got, most > 0)
	}
	line := x.roundLine(got)
	if most > 0 {
		line += fmt.Sprintf("  (something else took %.2f cores more in one of them)", most)
	}
	x.say(line)
	return nil
}

// add keeps the round of one place.
func (p *slowed) add(got map[arm]measured, disturbed bool) {
	r := slow.Round{got[arm{}].points[p]}
	for d := 1; d <= 2; d++ {
		r[d] = got[arm{p, d}].points[p]
		r[d].Spin = p.doses.Spin[d-1].Seconds()
	}
	if disturbed {
		p.disturbed = append(p.disturbed, r)
	} else {
		p.rounds = append(p.rounds, r)
	}
}

// take measures one arm of a round. When it reports false there is no such round; an
// error ends them all.
func (x *slowdown) take(ctx context.Context, a arm, got map[arm]measured) (bool, error) {
	m, err := x.twice(ctx, a, fmt.Sprintf("round %d", x.rounds))
	switch {
	case err == nil:
		got[a] = m
		return true, nil
	case ctx.Err() != nil:
		return false, errors.New("interrupted")
	case errors.Is(err, errVoid):
		x.say(fmt.Sprintf("round %2d  left out: %v", x.rounds, err))
		return false, nil
	case a.place == nil:
		return false, err
	default:
		x.drop(a.place, "with the delay in it the service failed: "+err.Error())
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

// disturbed tells whether somebody else took more processors in an arm than in the
// quietest of the round, and how many.
func (x *slowdown) disturbed(all []arm, got map[arm]measured, a arm) (by float64, more bool) {
	now, ok := got[a].others.Get()
	if !ok || !got[a].full {
		return 0, false
	}
	least := now
	for _, other := range all {
		least = min(least, got[other].others.Or(now))
	}
	return now - least, now-least > disturbance*float64(x.window.Machine.CPUs)
}

// roundLine is one round: throughput by arm.
func (x *slowdown) roundLine(got map[arm]measured) string {
	line := fmt.Sprintf("round %2d  none %s req/s", x.rounds, rps(got[arm{}].points[x.places[0]]))
	for _, p := range x.places {
		for d := 1; d <= 2; d++ {
			point := got[arm{p, d}].points[p]
			line += fmt.Sprintf("  +%v %s req/s", time.Duration(point.Delay*1e9).Round(100*time.Nanosecond), rps(point))
		}
	}
	return line
}

func rps(p slow.Point) string { return strconv.FormatFloat(1/p.Gap, 'f', 0, 64) }
