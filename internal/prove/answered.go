package prove

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/answers"
	"github.com/unpark-go/unpark/internal/turns"
)

// errAsked ends a start of a service in which all was asked.
var errAsked = errors.New("all was asked")

// once starts an arm afresh, as for a round, and asks it. The plan is the one that a round has, completed.
func (p *prover) once(ctx context.Context, driver *turns.Driver, arm int) (asked, []question, unpark.Plan, error) {
	c := driver.Config(p.arms[arm], "")
	var out asked
	var questions []question
	var plan unpark.Plan
	complete := c.Prepare
	c.Prepare = func(ctx context.Context, base string, given unpark.Plan) (unpark.Plan, error) {
		var err error
		if plan = given; complete != nil {
			if plan, err = complete(ctx, base, plan); err != nil {
				return plan, err
			}
		}
		if arm == 0 && p.proof.Plan.Mode == "" {
			p.hold(ctx, base, plan)
			if len(p.proof.Reasons) > 0 {
				return plan, errAsked
			}
		}
		if questions, err = questionsOf(plan); err == nil {
			out, err = ask(ctx, plan, questions)
		}
		return plan, errors.Join(err, errAsked)
	}
	_, _, err := investigate.Time(ctx, c, true, nil)
	switch {
	case ctx.Err() != nil:
		return out, questions, plan, ctx.Err()
	case err == nil:
		return out, questions, plan, errors.New("ask the service: it was not asked")
	case !errors.Is(err, errAsked):
		return out, questions, plan, err
	}
	return out, questions, plan, joined(err)
}

// joined is what was joined to errAsked.
func joined(err error) error {
	var all interface{ Unwrap() []error }
	if !errors.As(err, &all) {
		return nil
	}
	for _, one := range all.Unwrap() {
		if one != nil && !errors.Is(one, errAsked) {
			return one
		}
	}
	return nil
}

// hold holds the plan against those that it must not be weaker than.
func (p *prover) hold(ctx context.Context, base string, plan unpark.Plan) {
	p.proof.Plan = plan.Redacted()
	rounds := p.rounds()
	for _, h := range p.c.Held {
		if h.Prepare != nil {
			completed, err := h.Prepare(ctx, base, h.Plan)
			if err != nil {
				p.refuse("plan", fmt.Sprintf("the load of %s cannot be made: %v", h.Name, err), "mend it")
				continue
			}
			h.Plan = completed
		}
		reasons := weaker(plan, h, rounds)
		for _, why := range reasons {
			p.refuse("weaker-load", "the load is weaker than the one before, or another: "+why, "prove it under the same load: leave the flags out")
		}
		if len(reasons) == 0 {
			p.proof.HeldTo = append(p.proof.HeldTo, h.Name)
		}
	}
}

// rounds is how many there are at least.
func (p *prover) rounds() int {
	if n := p.c.Measure.Rounds; n > 0 {
		return n
	}
	fewest, _ := p.c.Measure.Options.Bounds()
	return fewest
}

// answered asks both arms, before twice over. A difference is seen again, before it counts.
func (p *prover) answered(ctx context.Context) error {
	driver := turns.New(p.c.Measure.Run, 0)
	var befores []asked
	var after asked
	var questions []question
	start := func(arm int) (asked, error) {
		p.c.Tell("answers   of the tree " + []string{"before", "after"}[arm])
		out, asking, _, err := p.once(ctx, driver, arm)
		if questions = asking; err != nil {
			err = fmt.Errorf("the tree %s: %w", []string{"before", "after"}[arm], err)
		}
		return out, err
	}
	for attempt := range attempts {
		for len(befores) < 2+attempt {
			out, err := start(0)
			if err != nil || len(p.proof.Reasons) > 0 {
				return err
			}
			befores = append(befores, out)
		}
		var err error
		if after, err = start(1); err != nil {
			if ctx.Err() != nil {
				return err
			}
			p.refuse("answers", err.Error(), "make it start and answer as the tree before does")
			return nil
		}
		p.proof.Answers = compared(questions, befores, after)
		if equal(p.proof.Answers) {
			break
		}
	}
	p.tellAnswers(questions)
	return nil
}

func equal(a unpark.ProofAsked) bool {
	for _, r := range a.Requests {
		if !r.Equal {
			return false
		}
	}
	return true
}

// compared is the document of what was asked.
func compared(questions []question, befores []asked, after asked) unpark.ProofAsked {
	out := unpark.ProofAsked{Asked: after.count}
	all := sha256.New()
	for i, q := range questions {
		var was []answers.Series
		for _, b := range befores {
			was = append(was, b.series[i])
		}
		v := answers.Compare(was, after.series[i], after.steps[i])
		one := unpark.ProofAnswer{Request: q.shown, Equal: v.Difference == "", Difference: v.Difference, Varies: v.Varies}
		if len(after.series[i]) > 0 {
			one.Before, one.After = sumOf(was[0][0]), sumOf(after.series[i][0])
		}
		fmt.Fprintf(all, "%q %s %s\n", one.Request, one.Before, one.After)
		out.Requests = append(out.Requests, one)
	}
	out.Digest = hex.EncodeToString(all.Sum(nil))
	return out
}

func sumOf(a answers.Answer) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q %q %s", a.Status, a.Type, a.Place, a.Body))
	return hex.EncodeToString(sum[:])
}

// tellAnswers refuses for answers that differ, and warns of what was not asked.
func (p *prover) tellAnswers(questions []question) {
	writes, reads, calls := false, false, false
	for i, r := range p.proof.Answers.Requests {
		writes, reads, calls = writes || !questions[i].reads(), reads || questions[i].reads(), calls || questions[i].rpc
		if !r.Equal {
			p.refuse("answers", r.Request+": "+r.Difference, "the tree after has to answer as the tree before does, also again, later, after a write and beside other requests")
		}
		for _, place := range r.Varies {
			if place == "$" && r.Equal {
				p.warn("varies", "all of the answer to "+r.Request+" varies before as well, so that only its status and kind were compared", "ask for something that is the same each time as well")
			}
		}
	}
	if calls {
		p.warn("calls", "nothing says which calls of gRPC write: each was asked at each step, and none after a write", "")
	}
	if !writes && reads && !calls {
		p.warn("no-write", "no request of the load writes, so that nothing says whether answers stay fresh after a write", "add one to urls in unpark.yaml: POST /path")
	}
	if n := len(p.proof.Plan.Requests); n > mostRequests {
		p.warn("sample", fmt.Sprintf("of %d requests %d were asked, evenly drawn", n, mostRequests), "")
	}
}

// roundsFolder is where package ab writes, in the folder of the proof.
const roundsFolder = "rounds"
