package ab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
	"github.com/unpark-go/unpark/internal/turns"
)

// Config says which two arms to run in turns, and how.
type Config struct {
	// Run is what both arms share: plan, quota, rates, patience, and WorkDir, in which
	// packages and revisions are looked up. Its Command, Package, Built and Dir are not
	// used. With its Costs, each arm is profiled after its window, for functions that changed.
	Run           investigate.Config
	Before, After turns.Arm
	Dir           string // of the result; must not exist

	Rounds    int           // exactly so many; 0: until compare.Enough says so
	Identical int           // rounds of the arm before against itself
	Budget    time.Duration // no round begins that would end after it; 0: none
	Profile   time.Duration // length of each arm's profiled window, whole seconds; 0: none
	Seed      uint64        // of the order of the arms
	Options   compare.Options

	Progress func(Event) // may be nil; called from one goroutine at a time
}

// Defaults of an experiment. Many short rounds tell more than a few long ones:
// the round is the sampling unit.
const (
	DefaultDuration  = 5 * time.Second
	DefaultWarmup    = 2 * time.Second
	DefaultProfile   = investigate.DefaultDuration
	DefaultBudget    = 20 * time.Minute
	DefaultIdentical = 3
)

// Trial is one round: both arms under one plan, one after the other. Samples are
// those of package compare, by metric; nil in an arm that gave none.
type Trial struct {
	Round      int    // from 1; rounds of identical arms have their own numbers
	Identical  bool   // both samples are of the arm before
	AfterFirst bool   // the second of the two names ran first
	LeftOut    string // why the round does not count; empty when it does

	Before, After compare.Sample
	costs         functions.Pair // of functions, where they were profiled
}

// Event is one step of an experiment: the phase of the run that goes on, a line
// that stays, or a round that ended.
type Event struct {
	Run   *investigate.Event
	Label string // with Run: what it is part of, "round 3 before"
	Line  string
	Trial *Trial
	Note  string // with Trial: how far the experiment is
}

// Outcome is what an experiment found and the directory that holds it.
type Outcome struct {
	Comparison    unpark.Comparison
	Before, After investigate.Outcome // the profiled runs; zero when there were none
	Trials        []Trial
	Dir           string
	// Void says why no round counts; empty when one does, or when rounds failed.
	Void string
}

// Run runs two arms in turns and compares them. Each round starts both afresh, in
// an order that chance decides, drives the same load at each and profiles nothing;
// findings and forecasts come from one profiled run of each arm, before the first
// round. Rounds are added until the intervals are narrow enough, their number is
// reached or the budget is spent. When a round fails twice or ctx ends, what is
// known by then is judged, and comes with the error. Both arms are stopped, and
// what was built is removed, in any case.
func Run(ctx context.Context, c Config) (Outcome, error) {
	e := newExperiment(c)
	defer e.discard()
	e.shows()
	if err := e.build(ctx); err != nil {
		return Outcome{}, err
	}
	var err error
	if e.out, err = newFolder(c.Dir); err != nil {
		return Outcome{}, err
	}
	defer e.broadcast()()
	e.profile(ctx)
	if ctx.Err() == nil {
		err = e.rounds(ctx)
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	return e.conclude(err)
}

// experiment is an A/B comparison while it goes on.
type experiment struct {
	c     Config
	turns *turns.Driver
	arms  [2]*turns.Built // before, after
	out   *folder
	began time.Time

	profiled         [2]investigate.Outcome
	trials           []Trial
	pairs, identical []compare.Pair
	costs            []functions.Pair // of functions, of the rounds in pairs
	took             []time.Duration  // rounds
	warnings         []unpark.Notice
	void             string // why the last round was left out
}

func newExperiment(c Config) *experiment {
	e := &experiment{c: c, began: time.Now()}
	e.turns = turns.New(c.Run, c.Seed)
	e.turns.Tell = func(label string, v investigate.Event) { e.tell(Event{Run: &v, Label: label}) }
	return e
}

// leftOutMost is how many rounds in a row may be left out: more say that the
// machine or the plan is at fault.
const leftOutMost = 3

// rounds runs rounds until there are enough; an error ends them.
func (e *experiment) rounds(ctx context.Context) error {
	e.affordable()
	for row := 0; row < leftOutMost; {
		done, why := e.enough()
		if done {
			e.say("enough: " + why)
			return nil
		}
		identical := e.identicalNext()
		if e.spent() {
			e.warn("budget", fmt.Sprintf("the budget of %v was spent after %s", e.c.Budget, counted(len(e.pairs))), "give it more: --budget")
			return nil
		}
		started := time.Now()
		t, err := e.round(ctx, identical)
		if err != nil {
			return err
		}
		e.took = append(e.took, time.Since(started))
		e.trials = append(e.trials, t)
		row++
		if t.LeftOut == "" {
			row = 0
			if pair := (compare.Pair{Before: t.Before, After: t.After}); identical {
				e.identical = append(e.identical, pair)
			} else {
				e.pairs, e.costs = append(e.pairs, pair), append(e.costs, t.costs)
			}
		}
		_, note := e.enough()
		e.tell(Event{Trial: &t, Note: note})
		if !identical && t.LeftOut == "" && len(e.pairs) == scattered {
			e.shows()
		}
	}
	e.warn("void-rounds", fmt.Sprintf("%d rounds in a row were left out, and no more were made: %s", leftOutMost, e.void),
		"cure what voids them: a lower rate, longer rounds, or processors for the generator")
	return nil
}

// enough reports whether there are rounds enough, and why or why not.
func (e *experiment) enough() (done bool, why string) {
	if e.c.Rounds > 0 {
		return len(e.pairs) >= e.c.Rounds, fmt.Sprintf("%d of %s", len(e.pairs), counted(e.c.Rounds))
	}
	done, why = compare.Enough(e.pairs, e.c.Options)
	if done && e.c.Run.Costs {
		if wide, open := turns.Open(e.pairs, e.costs); open {
			return false, fmt.Sprintf("the functions that changed are known to %.1f %% of the service, 2 %% is wanted", 100*wide)
		}
	}
	return done, why
}

// between is how many rounds lie between two of identical arms.
const between = 3

// identicalNext says whether the next round is of identical arms: they are spread
// among the others, so that both see the same machine.
func (e *experiment) identicalNext() bool {
	every := between
	if e.c.Rounds > 0 && e.c.Identical > 0 {
		every = min(between, max(1, e.c.Rounds/e.c.Identical))
	}
	return len(e.identical) < e.c.Identical && len(e.pairs) >= 1+every*len(e.identical)
}

// spent reports whether another round would go beyond the budget.
func (e *experiment) spent() bool {
	return e.c.Budget > 0 && time.Since(e.began)+e.oneRound() > e.c.Budget
}

// oneRound estimates how long a round takes.
func (e *experiment) oneRound() time.Duration {
	const starting = time.Second // and stopping, of a small service
	length := 2 * (e.c.Run.Warmup() + e.c.Run.Window() + starting)
	if e.c.Run.Costs {
		length += 2 * e.c.Run.Window() // the profiled stretch
	}
	if n := len(e.took); n > 0 {
		length = 0
		for _, d := range e.took {
			length += d / time.Duration(n)
		}
	}
	return length
}

// affordable tells when the budget is too small for an answer.
func (e *experiment) affordable() {
	_, usual := e.c.Options.Least()
	if e.c.Budget <= 0 || e.c.Rounds > 0 && e.c.Rounds < usual {
		return
	}
	left := e.c.Budget - time.Since(e.began)
	fits := int(left/e.oneRound()) - e.c.Identical
	if fits < usual {
		need := time.Since(e.began) + e.oneRound()*time.Duration(usual+e.c.Identical+1)
		e.say(fmt.Sprintf("the budget of %v has room for about %s; a change of one metric alone takes %d: --budget %s",
			e.c.Budget, counted(max(0, fits)), usual, short(need)))
	}
}

// short prints a time in whole minutes, rounded up.
func short(d time.Duration) string { return fmt.Sprintf("%dm", int(d/time.Minute)+1) }

func (e *experiment) say(line string) { e.tell(Event{Line: line}) }

func (e *experiment) tell(v Event) {
	if e.c.Progress != nil {
		e.c.Progress(v)
	}
}

func (e *experiment) warn(code, message, cure string) {
	e.warnings = append(e.warnings, unpark.Notice{Code: code, Message: message, Cure: cure})
}

// profile makes the profiled run of each arm. One that fails leaves the rounds
// without findings, not without an answer.
func (e *experiment) profile(ctx context.Context) {
	if e.c.Profile <= 0 {
		return
	}
	for i := range e.arms {
		c := e.turns.Config(e.arms[i], "profile "+e.name(i))
		c.Dir = e.out.path(e.name(i))
		c.Plan.Duration = e.c.Profile.Seconds()
		outcome, err := investigate.Run(ctx, c)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			e.warn("not-profiled", fmt.Sprintf("the arm %s has no profiled run, so nothing is known of findings: %v", e.name(i), err),
				"see that `unpark run` works with it, or leave the profiled runs out: --profile-duration 0s")
			e.say("no profiled run: " + e.warnings[len(e.warnings)-1].Message)
			return
		}
		e.profiled[i] = outcome
		e.say(verdictLine(e.name(i), outcome.Run))
	}
}

// verdictLine says what limits an arm, and what was foretold for its first
// finding.
func verdictLine(name string, r unpark.Run) string {
	line := fmt.Sprintf("%s: limit %s: %s", name, r.Limit.Kind, r.Limit.Why)
	if r.IsVoid() {
		line = fmt.Sprintf("%s: the profiled run is void: %s", name, r.Void[0].Message)
	}
	if len(r.Findings) > 0 && name == beforeName && r.Findings[0].Prediction.Summary != "" {
		line += "\n  forecast: " + r.Findings[0].Prediction.Summary
	}
	return strings.TrimSpace(line)
}
