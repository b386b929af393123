package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// response is how a wait follows the load.
type response struct {
	low, high       float64 // mean waiters
	lowRPS, highRPS float64
}

// responseOf compares a wait in a function at this level with the lowest level that
// differs enough; false without a second dose.
func responseOf(m *model.Model, classes []unpark.WaitClass, function string, waiters float64) (response, bool) {
	for _, d := range m.Ev.Doses {
		if d.RPS <= 0 || d.Seconds <= 0 || m.RPS < secondDose*d.RPS {
			continue
		}
		out := response{high: waiters, lowRPS: d.RPS, highRPS: m.RPS}
		for _, w := range d.Waits {
			if slices.Contains(classes, w.Class) && w.Side == unpark.RequestPath && !w.Idle && (w.Waiter.Function == function || facts.Through(w.Stack, function)) {
				out.low += w.Delay / d.Seconds
			}
		}
		return out, true
	}
	return response{}, false
}

// grows reports whether the waiters follow the load.
func (s response) grows() bool {
	return s.high-s.low >= responds*s.low*(s.highRPS/s.lowRPS-1)
}

// String gives the waiters at both levels.
func (s response) String() string {
	return fmt.Sprintf("%s waiters at %s, %s at %s", units.Say(s.low, ""), units.Say(s.lowRPS, "req/s"), units.Say(s.high, ""), units.Say(s.highRPS, "req/s"))
}

// respond weighs the wait of a finding by its second sign: whether it grows with the
// load. False where the finding is not a wait for another goroutine, or there is no
// second level.
func respond(m *model.Model, f unpark.Finding) (response, bool) {
	waiters, known := f.Cost.MeanWaiters.Value.Get()
	if f.Class != unpark.ClassLock && f.Class != unpark.ClassChannel || f.Waiter == nil || !known {
		return response{}, false
	}
	return responseOf(m, f.Class.States(), f.Waiter.Function, waiters)
}

// parks reports whether the wait of a finding is parking by its second sign, whatever
// its stack looks like, and no trace finds it inside requests: nothing is claimed of
// it then.
func parks(m *model.Model, f unpark.Finding) bool {
	s, ok := respond(m, f)
	return ok && !s.grows() && !traces(m, f, s)
}

// traces reports whether a trace finds the wait of a finding inside requests.
func traces(m *model.Model, f unpark.Finding, s response) bool {
	return inside(m, f.Class.States(), f.Waiter.Function) >= tracedPart*s.high
}

// weigh adds what the second level says of a finding that is claimed. One that does
// not grow is there because a trace finds it inside requests.
func weigh(m *model.Model, f *unpark.Finding) {
	s, ok := respond(m, *f)
	switch {
	case !ok:
	case s.grows():
		f.Facts = append(f.Facts, unpark.Fact{Text: "the wait grows with the load: " + s.String(), Source: "load"})
	default:
		f.Facts = append(f.Facts, unpark.Fact{Text: "the wait does not grow with the load: " + s.String(), Source: "load"})
		f.Confidence = unpark.Low
	}
}

// doubts says of which waits the two signs contradict each other.
func doubts(m *model.Model, findings []unpark.Finding) []unpark.Notice {
	var out []unpark.Notice
	for _, f := range findings {
		s, ok := respond(m, f)
		if !ok || s.grows() {
			continue
		}
		n := unpark.Notice{
			Code:    "signs-disagree",
			Message: fmt.Sprintf("goroutines wait in %s, which looks like requests by their stacks, but not more of them under more load (%s): ", short(f.Waiter.Function), s),
			Cure:    "look at what waits there; a trace (--trace 5s) tells whether it is inside requests",
		}
		if traces(m, f, s) {
			n.Message += "a trace finds the wait inside requests, so it is listed, with low confidence"
		} else {
			n.Message += "so it is not named as a cause"
		}
		out = append(out, n)
	}
	return out
}

// without takes waits that turned out to be parking out of the evidence.
func without(ev facts.Evidence, parked []unpark.Finding) facts.Evidence {
	is := func(class unpark.WaitClass, waiter string) bool {
		return slices.ContainsFunc(parked, func(f unpark.Finding) bool {
			return f.Waiter.Function == waiter && slices.Contains(f.Class.States(), class)
		})
	}
	ev.Waits = slices.DeleteFunc(slices.Clone(ev.Waits), func(w facts.Wait) bool { return is(w.Class, w.Waiter.Function) })
	ev.Locks = slices.DeleteFunc(slices.Clone(ev.Locks), func(l facts.Lock) bool { return is(unpark.WaitLock, l.Waiter.Function) })
	return ev
}

// inside is the mean number of waiters in a function inside requests, by traces.
func inside(m *model.Model, classes []unpark.WaitClass, function string) float64 {
	t := m.Ev.Tracing
	if t == nil || t.Seconds <= 0 {
		return 0
	}
	var delay float64
	for _, e := range m.Edges(classes, function) {
		delay += e.Delay
	}
	return delay / t.Seconds
}
