package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

const (
	// fresh bounds how many times longer than for their connections requests wait for
	// the answers while both count as one cause. The other side accepts a connection and
	// sets it up after the dial has returned (the kernel completes it from the backlog),
	// so the first answer waits for that: two to three times were seen where the answer
	// itself was ready. One that takes longer is slow by itself.
	fresh = 4
	// freshRequests is the part of the requests that must have waited for a connection.
	freshRequests = 0.5
)

// dialled reports connections to others that are opened too often.
func (r reading) dialled() []unpark.Finding {
	out := r.churn("the service opens a connection for many of its requests to others",
		dialRemedies(), facts.SignalDial, facts.SignalHandshake)
	for i := range out {
		for _, p := range r.freshAnswers() {
			out[i].Facts = append(out[i].Facts, fact("requests waited for answers over new connections in "+short(p.wait.Waiter.Function)+
				", which the other side accepts first, summed", p.delay, "s", p.wait.Source))
		}
	}
	return out
}

// freshAnswers returns the waits for answers over connections that were opened for
// them: by functions that wait for a connection nearly as often as they ask.
func (r reading) freshAnswers() []pause {
	var out []pause
	answers := r.pauses(unpark.WaitDownstream)
	for _, asks := range r.pauses(unpark.WaitPool) {
		if !roles.On(asks.wait.Stack, roles.Transport) || r.perRequest(asks.count).Or(0) < freshRequests {
			continue
		}
		for _, p := range answers {
			if p.wait.Waiter.Function == asks.wait.Waiter.Function && roles.On(p.wait.Stack, roles.Exchange) &&
				p.delay <= fresh*asks.delay {
				out = append(out, p)
			}
		}
	}
	return out
}

// establishing reports whether a wait for answers is part of what new connections cost.
func (r reading) establishing(p pause) bool {
	is := func(other pause) bool { return other.wait.Waiter.Function == p.wait.Waiter.Function }
	return p.wait.Class == unpark.WaitDownstream && slices.ContainsFunc(r.freshAnswers(), is) && len(r.dialled()) > 0
}

// insideTransport drops the locks of a Transport where connections are not reused: each
// is given, taken and cancelled under them, and none has a line to change.
func insideTransport(findings []unpark.Finding) []unpark.Finding {
	opens := slices.ContainsFunc(findings, func(f unpark.Finding) bool {
		return f.Class == unpark.ClassPool && f.Waiter == nil // a wait has one
	})
	return slices.DeleteFunc(findings, func(f unpark.Finding) bool {
		return opens && f.Class == unpark.ClassLock && f.Waiter != nil && roles.Is(f.Waiter.Function, roles.Transport)
	})
}
