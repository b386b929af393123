package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// dialled reports connections to others that are opened too often.
func dialled(m *model.Model) []unpark.Finding {
	out := churn(m, "the service opens a connection for many of its requests to others",
		dialRemedies(), facts.SignalDial, facts.SignalHandshake)
	for i := range out {
		for _, p := range freshAnswers(m) {
			out[i].Facts = append(out[i].Facts, fact("requests waited for answers over new connections in "+short(p.Function())+
				", which the other side accepts first, summed", p.Delay, "s", p.Heaviest.Source))
		}
	}
	return out
}

// freshAnswers returns the waits for answers over connections that were opened for
// them: by functions that wait for a connection nearly as often as they ask.
func freshAnswers(m *model.Model) []model.Wait {
	var out []model.Wait
	answers := m.Downstream
	for _, asks := range m.Pool {
		if !roles.On(asks.Heaviest.Stack, roles.Transport) || m.PerRequest(asks.Count).Or(0) < freshRequests {
			continue
		}
		for _, p := range answers {
			if p.Function() == asks.Function() && roles.On(p.Heaviest.Stack, roles.Exchange) &&
				p.Delay <= fresh*asks.Delay {
				out = append(out, p)
			}
		}
	}
	return out
}

// establishing reports whether waits for answers in a function are part of what new
// connections cost.
func establishing(m *model.Model, function string) bool {
	is := func(w model.Wait) bool { return w.Function() == function }
	return slices.ContainsFunc(freshAnswers(m), is) && len(dialled(m)) > 0
}

// opens reports whether a finding of the pool rule is about connections that are not
// reused; the others are about a wait.
func opens(f unpark.Finding) bool { return f.Waiter == nil }

// overNew finds the answers that come over connections which are opened for them.
func overNew(m *model.Model, mine, other unpark.Finding) bool {
	return opens(mine) && other.Waiter != nil && establishing(m, other.Waiter.Function)
}

// insideTransport finds the locks of a Transport whose connections are not reused: each is
// given, taken and cancelled under them, and none has a line to change.
func insideTransport(_ *model.Model, mine, other unpark.Finding) bool {
	return opens(mine) && other.Waiter != nil && roles.Is(other.Waiter.Function, roles.Transport)
}
