package investigate

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/external"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// slack is added to the length that a load command is given: for what lies between
// the phases.
const slack = 2 * time.Second

// underCommand measures the window under the load of the user's own generator.
func (r *runner) underCommand(ctx context.Context, i int, plan unpark.Plan) (window.Contents, error) {
	length := seconds(plan.Warmup+plan.Duration) + r.c.Trace + slack
	c, err := external.Start(external.Spec{Line: r.c.LoadCommand, URL: r.load.base, Length: length})
	if err != nil {
		return window.Contents{}, err
	}
	r.load.command, r.load.started = c, time.Now()
	if err := r.load.warmUp(ctx, plan, c.Done()); err != nil {
		return window.Contents{}, err
	}
	if err := c.Failure(); err != nil {
		return window.Contents{}, tooEarly(err, length)
	}
	contents, err := r.measure(ctx, i, plan, c.Done())
	if err == nil && cutShort(c, contents.Window) && contents.Window.Seconds() < shortest {
		err = tooEarly(c.Failure(), length)
	}
	r.rec.tell(Event{Phase: "load", Detail: "waiting for the load command to end"})
	if stopped := c.Stop(ctx); err == nil {
		err = stopped
	}
	if ctx.Err() != nil && err == nil {
		err = fmt.Errorf("wait for the load command: %w", ctx.Err())
	}
	if n, cut := r.ending(c, contents.Window, length); cut && ctx.Err() == nil {
		contents.Warnings = append(contents.Warnings, n)
	}
	contents.Warnings = append(contents.Warnings, figures(c, r.c.LoadCommand, &contents.Window)...)
	if r.c.Baseline > 0 {
		contents.Warnings = append(contents.Warnings, unpark.Notice{
			Code:    "no-baseline",
			Message: "what capture cost the service is not known: with a load command there is no unprofiled stretch to compare with",
			Cure:    "let unpark drive the load (-c or --rate), or say --baseline 0s",
		})
	}
	return contents, err
}

// shortest is how many seconds a window must have that was cut: a CPU profile has a
// hundred samples of a busy core then.
const shortest = 1

func tooEarly(err error, length time.Duration) error {
	return fmt.Errorf("%w: a window needs load until it ends: let the command run for %s or longer (unpark ends it; {seconds} in it stands for that time), and try it by hand if it fails", err, length.Round(time.Second))
}

func cutShort(c *external.Command, w unpark.Window) bool {
	at := c.Ended()
	return !at.IsZero() && !at.After(w.End)
}

// ending tells that the command ended before the window did, if so.
func (r *runner) ending(c *external.Command, w unpark.Window, length time.Duration) (unpark.Notice, bool) {
	if !cutShort(c, w) {
		return unpark.Notice{}, false
	}
	how := ""
	if err := c.Exit(); err != nil {
		how = unpark.RedactText(fmt.Sprintf(" (%v, its last line: %s)", err, c.LastLine()))
	}
	return unpark.Notice{
		Code: "load-command-ended",
		Message: fmt.Sprintf("the load command ended after %.1f s%s, before the window did: the window was cut to %.1f of %.0f s, and there is no trace",
			c.Ran().Seconds(), how, w.Seconds(), r.c.Plan.Duration),
		Cure: fmt.Sprintf("let it run for %s or longer: unpark ends it; {seconds} in the command stands for that time", length.Round(time.Second)),
	}, true
}

// figures reads the command's own figures into the window, as far as they are
// understood, and says what they are worth.
func figures(c *external.Command, line string, w *unpark.Window) []unpark.Notice {
	cores := c.Cores(w.Start, w.End)
	result, err := c.Parse()
	if err == nil && result.Load.Seconds <= 0 {
		err = fmt.Errorf("the summary of %s tells no rate and no time", result.Tool)
	}
	if err != nil {
		return []unpark.Notice{{
			Code:    "load-output-unknown",
			Message: unpark.RedactText(fmt.Sprintf("the load was not measured: %v; rates, latencies and every figure per request are missing%s", err, used(cores))),
			Cure:    external.Hint(line) + "; understood are " + external.Formats(),
		}}
	}
	l := result.Within(w.Seconds())
	l.ErrorSample = unpark.RedactText(l.ErrorSample) // tools quote their URL
	l.GeneratorCPU = cores
	w.Load = &l
	for i := range w.Processes {
		p := &w.Processes[i]
		if v, ok := p.Cores.Get(); ok {
			p.CPUPerReq = unpark.Ratio(v*w.Seconds(), float64(l.Requests))
		}
	}
	out := []unpark.Notice{{
		Code:    "load-figures",
		Message: "rates and latencies are those of " + result.Tool + ": " + strings.Join(result.Missing, "; "),
		Cure:    "for latencies that count from the intended start, let unpark drive the load (--rate)",
	}}
	if own := result.Load.Seconds; math.Abs(own-w.Seconds()) > 0.1*w.Seconds() {
		out = append(out, unpark.Notice{
			Code: "load-span",
			Message: fmt.Sprintf("%s's figures cover its whole run of %.1f s, warm-up included, and not the window of %.1f s: counts in the window are in proportion, latencies are of the whole run",
				result.Tool, own, w.Seconds()),
			Cure: "make the window a larger part of the run (--duration), or --warmup 0s where the service needs none",
		})
	}
	return out
}

func used(cores unpark.Number) string {
	if v, ok := cores.Get(); ok {
		return fmt.Sprintf(" (it used %.2f cores)", v)
	}
	return ""
}

// applicable leaves out what package load says of its own generator alone.
func applicable(l unpark.Load, warnings []unpark.Notice) []unpark.Notice {
	if l.Mode != unpark.External {
		return warnings
	}
	var out []unpark.Notice
	for _, n := range warnings {
		switch {
		case n.Code == "few-requests" && l.Requests > 0 && l.Response.N == 0:
			continue // answered, but the tool printed no quantiles: that is reported already
		case n.Code == "errors":
			n.Cure = "look at the target's log, and at what the load command requests"
		}
		out = append(out, n)
	}
	return out
}
