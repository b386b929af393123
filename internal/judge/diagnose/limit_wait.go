package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

func lockBound(m *model.Model, _ []unpark.Notice) (answer, bool) {
	for _, q := range m.Locks {
		if !q.Binds() || q.Starved {
			continue
		}
		a := answer{kind: unpark.LimitLock, reason: atLock{q}}
		if u, ok := q.Utilization.Get(); ok {
			a.utilization, a.ceiling = utilization(u), ceiling(m, u)
		}
		return a, true
	}
	return answer{}, false
}

// waitKind is a limit with the waits that make it.
type waitKind struct {
	kind  unpark.LimitKind
	waits []model.Wait
	what  awaited
}

// waitKinds lists the waits in the order of cause before effect: a channel that
// requests wait on is only how they learn that something else is done.
func waitKinds(m *model.Model) []waitKind {
	return []waitKind{
		{unpark.LimitPool, m.Pool, aPlace},
		{unpark.LimitDownstream, m.Answers, answersFromOutside},
		{unpark.LimitIO, m.IO, systemCalls},
		{unpark.LimitRateLimit, m.Intended, onPurpose},
	}
}

func waitBound(m *model.Model, _ []unpark.Notice) (answer, bool) {
	var best model.Wait
	var is waitKind
	for _, k := range waitKinds(m) {
		for _, p := range k.waits {
			// A sleep in an open loop that keeps up is part of the answer, not a limit.
			if p.Heaviest.Class == unpark.WaitSleep && m.Load != nil && m.Load.Mode.Open() && !m.Overloaded() {
				continue
			}
			if k.kind == unpark.LimitPool && p.Starved {
				continue // with more places, more would want a processor
			}
			if felt(m, p) && p.Lost() > best.Lost() {
				best, is = p, k
			}
		}
	}
	// Calls in several places are waits for one machine: together they can be most of a
	// request where none is alone.
	if all := calling(m); all.Lost() > best.Lost() {
		best, is = all, waitKind{kind: unpark.LimitIO, what: mostSystemCalls}
	}
	if all := asking(m); all.Lost() > best.Lost() && !all.Overlaps(m) {
		best, is = all, waitKind{kind: unpark.LimitDownstream, what: mostAnswers}
	}
	for _, p := range joinWaits(m) {
		// A join counts when it is clearly longer than what the request waits for
		// elsewhere; otherwise the other wait is its cause.
		if !p.ExplainedBy(best) {
			best, is = p, waitKind{kind: unpark.LimitChannel, what: otherGoroutines}
		}
	}
	share, ok := m.Share(best.Lost()).Get()
	if best.Lost() == 0 || !ok || share < model.BindingShare {
		return answer{}, false
	}
	if best.Heaviest.Class == unpark.WaitDownstream && establishing(m, best.Function()) {
		is = waitKind{kind: unpark.LimitPool, what: newConnections}
	}
	switch {
	case best.Loops:
		is.what = aLoop
	case is.what == aPlace && (opened(best) || forOpening(best) && len(dialled(m)) > 0):
		is.what = openedForIt
	case best.Calls != nil && is.kind == unpark.LimitIO:
		is.what = callsOfAnother
	case best.Calls != nil:
		is.what = connectionOfAnother
	}
	if best.Heaviest.Class == unpark.WaitSleep {
		return pausing(m, best), true
	}
	return answer{kind: is.kind, reason: atWait{best, is.what, is.kind == unpark.LimitDownstream}}, true
}

// pausing is the verdict of requests that wait for a time: such a wait holds up no other request, so with more connections
// more is answered, but for one between tries.
func pausing(m *model.Model, w model.Wait) answer {
	if w.Again(m) {
		return answer{kind: unpark.LimitRateLimit, reason: betweenTries{w}}
	}
	full, at := room(m)
	return answer{kind: unpark.LimitConnections, utilization: utilization(full), ceiling: at, reason: asleep{w}}
}

// calling is the requests' own waits inside system calls, as one; the heaviest names them.
func calling(m *model.Model) model.Wait { return together(m, m.IO) }

// asking is the requests' own waits for answers from outside, as one. Those of several at
// the same time do not add up: they are longer together than the requests are.
func asking(m *model.Model) model.Wait { return together(m, m.Answers) }

// together adds up the waits that requests feel, and have themselves; the heaviest names them.
func together(m *model.Model, waits []model.Wait) model.Wait {
	var all model.Wait
	for _, p := range waits {
		switch {
		case p.Calls != nil || !felt(m, p):
		case all.Lost() == 0:
			all = p
		default:
			all.Delay += p.Delay
			all.Requeue += p.Requeue
		}
	}
	return all
}

func networkBound(m *model.Model, _ []unpark.Notice) (answer, bool) {
	for _, p := range m.Network {
		if share, ok := m.Share(p.Delay).Get(); ok && felt(m, p) && share >= model.BindingShare {
			return answer{kind: unpark.LimitNetwork, reason: atClients{p}}, true
		}
	}
	return answer{}, false
}
