package load

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

func warnLag(l unpark.Load, c Conditions) *unpark.Notice {
	own, known := ownLag(l)
	limit := max(lagFloor, lagWarnShare*l.Service.P99)
	if !known || l.Service.N == 0 || own <= limit || ruleLag(l, c) != nil {
		return nil
	}
	return &unpark.Notice{
		Code: "lag",
		Message: fmt.Sprintf("the generator itself delayed requests by %s at p99, against a service p99 of %s: response times are that much too long",
			units.Say(own, "s"), units.Say(l.Service.P99, "s")),
		Cure: "lower the rate or use fewer connections, or " + isolate,
	}
}

func warnSteal(_ unpark.Load, c Conditions) *unpark.Notice {
	steal, known := c.Steal.Get()
	if !known || c.CPUs <= 0 || steal <= stealShare*float64(c.CPUs) {
		return nil
	}
	return &unpark.Notice{
		Code:    "steal",
		Message: fmt.Sprintf("the hypervisor took %.2f cores away (%.1f %% of %d): runs on this machine differ by what its neighbours do", steal, 100*steal/float64(c.CPUs), c.CPUs),
		Cure:    "compare several runs taken in turns, or use a machine with processors of its own",
	}
}

func warnErrors(l unpark.Load, _ Conditions) *unpark.Notice {
	attempts := float64(l.Attempts())
	if l.Errors == 0 || float64(l.Errors) <= errorShare*attempts {
		return nil
	}
	return &unpark.Notice{
		Code:    "errors",
		Message: fmt.Sprintf("%d of %.0f requests failed (%s); the first: %s", l.Errors, attempts, share(float64(l.Errors)/attempts), l.ErrorSample),
		Cure:    "look at the target's log; if the status is meant, say so with --expect",
	}
}

func warnUnfinished(l unpark.Load, _ Conditions) *unpark.Notice {
	total := l.Response.N
	if l.Unfinished == 0 || float64(l.Unfinished) <= openShare*float64(total) {
		return nil
	}
	n := &unpark.Notice{
		Code:    "unfinished",
		Message: fmt.Sprintf("%d of %s had no answer when the stretch was closed; their age then (at most %s) counts, so the tail is longer than shown", l.Unfinished, unpark.Counted(total, "request"), units.Say(l.Response.Max, "s")),
		Cure:    "lower the rate: the target did not keep up",
	}
	if !l.Mode.Open() {
		n.Cure = "measure for longer, or use fewer connections"
	}
	return n
}

func warnFew(l unpark.Load, _ Conditions) *unpark.Notice {
	n := l.Response.N
	if n >= enoughForP99 {
		return nil
	}
	if n == 0 {
		return &unpark.Notice{
			Code: "few-requests", Message: "no request was answered, so there are no latencies",
			Cure: "see the errors; check that the target runs and that the URL is right",
		}
	}
	return &unpark.Notice{
		Code:    "few-requests",
		Message: fmt.Sprintf("%s: few for a p99, %d of them above it", unpark.Counted(n, "request"), n/100),
		Cure:    fmt.Sprintf("measure for longer or at a higher rate: %d requests or more", enoughForP99),
	}
}

// share prints a share of the whole.
func share(v float64) string {
	if v < 0.1 {
		return fmt.Sprintf("%.2g %%", 100*v)
	}
	return fmt.Sprintf("%.0f %%", 100*v)
}
