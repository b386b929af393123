package investigate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
)

// slowdown is the second measurement of a run, in which places are slowed down: all of
// them share the rounds without delay.
type slowdown struct {
	c       Config
	rec     *record
	program program
	window  unpark.Window // the one that was diagnosed
	began   time.Time
	chance  *rand.Rand
	places  places
	rounds  int // begun
	most    int // rounds at most
}

// The length of an arm in a round. Many short rounds tell more than a few long ones,
// and the warm-up need only fill the connections: what is compared has started alike.
const (
	armWindow = 3 * time.Second
	armWarmup = 1500 * time.Millisecond
	// mostRounds is where another round narrows nothing any more: what is
	// left of the interval is that of the site's time.
	mostRounds = 20
)

// slowDown makes the second prediction of findings that need one. The verdict
// stands already: whatever goes wrong is reported beside it.
func (r *runner) slowDown(ctx context.Context) {
	if r.c.Slowdown <= 0 {
		return
	}
	if len(r.rec.run.Findings) == 0 {
		r.rec.tell(Event{Phase: "experiment", Line: "experiment none: nothing was found that could be slowed down"})
		return
	}
	if err := r.dir.Save(r.rec.run); err != nil {
		r.rec.warn("experiment", "no experiment was made: "+err.Error(), "make room, and run again")
		return
	}
	i := r.rec.run.MeasuredAt()
	x := &slowdown{
		c: r.c, rec: r.rec, program: program{c: r.c, rec: r.rec, timed: Time}, window: r.rec.run.Windows[i], began: time.Now(), most: mostRounds,
		chance: rand.New(rand.NewPCG(r.rec.run.Plan.Seed, 2)), //nolint:gosec // no secret
	}
	level := r.rec.run.Plan.Plans()[min(i, len(r.rec.run.Plan.Plans())-1)]
	if why := x.unfit(level); why != "" {
		x.failAll(why)
		return
	}
	x.program.plan = r.c.Plan.Plans()[min(i, len(r.c.Plan.Plans())-1)]
	x.program.plan.Warmup = min(x.program.plan.Warmup, armWarmup.Seconds())
	x.program.plan.Duration = min(x.program.plan.Duration, armWindow.Seconds())
	if err := x.carryOut(ctx); err != nil {
		x.failAll(err.Error())
	}
	if err := x.program.built.Remove(); err != nil {
		r.rec.warn("experiment", "what was built for the experiment is left: "+err.Error(), "remove it by hand")
	}
}

// unfit says why nothing can be slowed down after this run.
func (x *slowdown) unfit(level unpark.Plan) string {
	switch {
	case x.rec.run.IsVoid():
		return "the run is void: " + x.rec.run.Void[0].Message
	case x.c.SLO != nil:
		return "the rate is the one at which the promise holds, so throughput stays what is offered: use a closed loop (--connections) for an experiment"
	}
	return slow.Loadable(level, x.window.Load)
}

// carryOut slows the places down. Its error is why it cannot, for the findings
// that have no answer yet.
func (x *slowdown) carryOut(ctx context.Context) error {
	x.tell("finding the places to slow down")
	if err := x.locate(ctx); err != nil || len(x.places) == 0 {
		return err
	}
	if err := x.build(ctx); err != nil {
		return err
	}
	if err := x.pilot(ctx); err != nil {
		return err
	}
	x.afford()
	if len(x.places) == 0 {
		return nil
	}
	ended := x.repeat(ctx)
	if ended != nil {
		x.rec.warn("experiment", "the experiment ended early: "+ended.Error(), "run it again for the rounds that are missing")
	}
	for _, p := range x.places {
		x.conclude(p)
	}
	return nil
}

// conclude writes what one place has shown into its findings.
func (x *slowdown) conclude(p *slowed) {
	rounds := p.rounds
	if len(rounds) < slow.LeastRounds && len(p.disturbed) > 0 {
		rounds = append(rounds, p.disturbed...)
		x.rec.warn("experiment-disturbed", fmt.Sprintf("something else used the machine's cores in %d of the %d rounds of the experiment, in one arm more than in another: its interval is wide",
			len(p.disturbed), len(rounds)), "stop what else runs here, or give it more rounds: --experiment-budget")
	}
	for i, s := range p.subjects {
		f := &x.rec.run.Findings[i]
		e, warnings := s.Conclude(rounds, x.rec.run.Plan.Seed)
		e.Place, e.Where = p.site, p.where
		f.Experiment = &e
		x.rec.run.Warnings = append(x.rec.run.Warnings, warnings...)
	}
}

// failAll says why the findings without an answer have none.
func (x *slowdown) failAll(why string) {
	x.say(why)
	for i := range x.rec.run.Findings {
		if x.rec.run.Findings[i].Experiment == nil {
			x.fail(i, why)
		}
	}
}

func (x *slowdown) fail(i int, why string) {
	e := slow.Failed(why)
	x.rec.run.Findings[i].Experiment = &e
}

// drop gives one place up.
func (x *slowdown) drop(p *slowed, why string) {
	for i := range p.subjects {
		x.fail(i, why)
	}
	x.places = slices.DeleteFunc(x.places, func(other *slowed) bool { return other == p })
	x.say(fmt.Sprintf("no experiment at %s: %s", p.site.Place(), why))
}

func (x *slowdown) tell(detail string) { x.rec.tell(Event{Phase: "experiment", Detail: detail}) }

// say prints a line that stays.
func (x *slowdown) say(line string) {
	x.rec.tell(Event{Phase: "experiment", Line: "experiment " + line})
}
