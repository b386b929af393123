package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
)

const (
	// secondDose is how many times the throughput of one level another must have for
	// the two to tell anything.
	secondDose = 1.5
	// responds is the part of the rise in throughput that the mean number of waiters
	// must follow. Of a wait that each request has it rises as much (Little's law), of
	// one behind a queue it rises more, of parked goroutines not at all.
	responds = 0.25
	// tracedPart is the part of a wait that traces must find inside requests.
	tracedPart = 0.2
)

// response is how a wait follows the load.
type response struct {
	low, high       float64 // mean waiters
	lowRPS, highRPS float64
}

// response compares a wait in a function at this level with the lowest level that
// differs enough; false without a second dose.
func (r reading) response(classes []unpark.WaitClass, function string, waiters float64) (response, bool) {
	for _, d := range r.ev.Doses {
		if d.RPS <= 0 || d.Seconds <= 0 || r.rps < secondDose*d.RPS {
			continue
		}
		out := response{high: waiters, lowRPS: d.RPS, highRPS: r.rps}
		for _, w := range d.Waits {
			if slices.Contains(classes, w.Class) && w.Side == unpark.RequestPath && !w.Idle && (w.Waiter.Function == function || on(w.Stack, function)) {
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

// doubt weighs the waits of findings by their second sign: whether they grow with
// the load. One that does not is parking by that sign, whatever its stack looks
// like. It is claimed only where a trace finds it inside requests, and then with
// low confidence; parked holds the others, of which nothing is claimed.
func (r reading) doubt(findings []unpark.Finding) (parked []unpark.Finding, notices []unpark.Notice) {
	for i := range findings {
		f := &findings[i]
		waiters, known := f.Cost.MeanWaiters.Value.Get()
		if f.Class != unpark.ClassLock && f.Class != unpark.ClassChannel || f.Waiter == nil || !known {
			continue
		}
		classes := tailClasses(f.Class)
		s, ok := r.response(classes, f.Waiter.Function, waiters)
		if !ok {
			continue
		}
		figures := fmt.Sprintf("%s waiters at %s, %s at %s", digits(s.low), rate(s.lowRPS), digits(s.high), rate(s.highRPS))
		if s.grows() {
			f.Facts = append(f.Facts, unpark.Fact{Text: "the wait grows with the load: " + figures, Source: "load"})
			continue
		}
		f.Facts = append(f.Facts, unpark.Fact{Text: "the wait does not grow with the load: " + figures, Source: "load"})
		n := unpark.Notice{
			Code:    "signs-disagree",
			Message: fmt.Sprintf("goroutines wait in %s, which looks like requests by their stacks, but not more of them under more load (%s): ", short(f.Waiter.Function), figures),
			Cure:    "look at who waits there; a trace (--trace 5s) tells whether it is inside requests",
		}
		if r.inside(classes, f.Waiter.Function) >= tracedPart*waiters {
			f.Confidence = unpark.Low
			n.Message += "a trace finds the wait inside requests, so it is listed, with low confidence"
		} else {
			parked = append(parked, *f)
			n.Message += "so it is not named as a cause"
		}
		notices = append(notices, n)
	}
	return parked, notices
}

// without takes waits that turned out to be parking out of the evidence.
func without(ev unpark.Evidence, parked []unpark.Finding) unpark.Evidence {
	is := func(class unpark.WaitClass, waiter string) bool {
		return slices.ContainsFunc(parked, func(f unpark.Finding) bool {
			return f.Waiter.Function == waiter && slices.Contains(tailClasses(f.Class), class)
		})
	}
	ev.Waits = slices.DeleteFunc(slices.Clone(ev.Waits), func(w unpark.Wait) bool { return is(w.Class, w.Waiter.Function) })
	ev.Locks = slices.DeleteFunc(slices.Clone(ev.Locks), func(l unpark.Lock) bool { return is(unpark.WaitLock, l.Waiter.Function) })
	return ev
}

// inside is the mean number of waiters in a function inside requests, by traces.
func (r reading) inside(classes []unpark.WaitClass, function string) float64 {
	t := r.ev.Tracing
	if t == nil || t.Seconds <= 0 {
		return 0
	}
	var delay float64
	for _, e := range t.Edges {
		if slices.Contains(classes, e.Class) && e.Waiter.Function == function {
			delay += e.Delay
		}
	}
	return delay / t.Seconds
}
