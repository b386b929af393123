package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// awaited is what requests wait for.
type awaited int

const (
	aPlace awaited = iota
	answersFromOutside
	systemCalls
	mostSystemCalls
	mostAnswers
	onPurpose
	otherGoroutines
	newConnections
	openedForIt
	aLoop
	callsOfAnother
	connectionOfAnother
)

func (a awaited) String() string {
	return [...]string{
		aPlace:              "for a place in a bounded pool",
		answersFromOutside:  "for answers from outside the process",
		systemCalls:         "inside system calls",
		mostSystemCalls:     "inside system calls, most of that",
		mostAnswers:         "for answers from outside the process, most of that",
		onPurpose:           "on purpose (limiter, sleep or timer)",
		otherGoroutines:     "for other goroutines",
		newConnections:      "for answers over connections opened anew",
		openedForIt:         "for connections that are opened for it",
		aLoop:               "for one of the few goroutines that serve them, each of which waits",
		callsOfAnother:      "for another goroutine's system calls",
		connectionOfAnother: "for the other end of a connection that another goroutine uses",
	}[a]
}

// The waits that are a limit.
type (
	atLock struct{ lock model.Lock }
	atWait struct {
		wait    model.Wait
		what    awaited
		outside bool // of the process
	}
	atClients struct{ wait model.Wait }
)

func (r atLock) say(m *model.Model) string {
	name := short(r.lock.Queue().Taker)
	if more := chained(r.lock); more != "" {
		name += ", " + more
	}
	why := fmt.Sprintf("%s goroutines on average wait for the lock in %s", units.Say(r.lock.Waiters, ""), name)
	if wait, ok := m.PerRequest(r.lock.Lost()).Get(); ok && m.Mean > 0 {
		why = fmt.Sprintf("a request takes %s, %s of it waiting for the lock in %s", units.Say(m.Mean, "s"), units.Say(min(wait, m.Mean), "s"), name) +
			sayRequeue(m, r.lock.Requeue, r.lock.Lost())
	}
	if u, ok := r.lock.Utilization.Get(); ok {
		why += fmt.Sprintf(", which is held %s of the time", units.Say(u, "ratio"))
	}
	return why + sayTail(m) + sayUse(m)
}

func (r atWait) say(m *model.Model) string {
	wait, _ := m.PerRequest(r.wait.Lost()).Get()
	why := fmt.Sprintf("a request takes %s, %s of it waiting %s in %s",
		units.Say(m.Mean, "s"), units.Say(min(wait, m.Mean), "s"), r.what, short(r.wait.Function())) +
		sayRequeue(m, r.wait.Requeue, r.wait.Lost()) + sayTail(m) + sayUse(m)
	if r.outside {
		why += "; the limit is not in this process"
	}
	return why
}

// asleep is the verdict of a closed loop whose requests sleep for most of their time.
type asleep struct{ wait model.Wait }

func (r asleep) say(m *model.Model) string {
	wait, _ := m.PerRequest(r.wait.Lost()).Get()
	return fmt.Sprintf("a request takes %s, %s of it waiting %s in %s, which holds up no other: %s, each of which asks again when it is answered, reach %s",
		units.Say(m.Mean, "s"), units.Say(min(wait, m.Mean), "s"), onPurpose, short(r.wait.Function()), connections(m), units.Say(reached(m), "req/s")) + sayTail(m) + sayUse(m)
}

// betweenTries is the verdict of requests of which a few wait between tries, over and over.
type betweenTries struct{ wait model.Wait }

func (r betweenTries) say(m *model.Model) string {
	return fmt.Sprintf("%s of the requests wait in %s, %s each time and again after it, for what is not to be had meanwhile; "+
		"these take %s of all requests' time, and of more connections more wait",
		units.Say(r.wait.Count/m.Requests, "ratio"), short(r.wait.Function()), units.Say(r.wait.Delay/r.wait.Count, "s"),
		units.Say(min(1, m.Share(r.wait.Lost()).Or(1)), "ratio")) + sayTail(m) + sayUse(m)
}

// sayRequeue says how much of a wait is the way back to a processor after it.
func sayRequeue(m *model.Model, requeue, lost float64) string {
	each, ok := m.PerRequest(requeue).Get()
	if !ok || requeue < mostlyRequeue*lost {
		return ""
	}
	return fmt.Sprintf(" (%s of that woken and not yet running: many short waits)", units.Say(min(each, m.Mean), "s"))
}

func (r atClients) say(m *model.Model) string {
	return fmt.Sprintf("%s of a request's time is waiting for the client's connection in %s: bytes are taken slower than they are made",
		units.Say(min(1, m.Share(r.wait.Delay).Or(0)), "ratio"), short(r.wait.Function()))
}

// nothingBinds is the verdict of a service that has room; ceiling is in requests per
// second, 0 where it is not known.
type nothingBinds struct {
	findings []unpark.Finding
	ceiling  float64
}

func (r nothingBinds) say(m *model.Model) string {
	tail := ""
	if m.Load.Response.N > 0 {
		tail = fmt.Sprintf(" (p99 %s)", units.Say(m.Load.Response.P99, "s"))
	}
	why := r.begin() + fmt.Sprintf(": a request takes %s%s at %s", units.Say(m.Mean, "s"), tail, units.Say(reached(m), "req/s")) + saySleep(m)
	if most := m.RampTop(); most > 0 {
		why += fmt.Sprintf(", and the service kept up with the ramp to %s", units.Say(most, "req/s"))
	}
	if r.ceiling > 0 {
		why += fmt.Sprintf("; the CPU (%s of %s now) would be full at about %s",
			units.Say(m.Service.Or(0)+m.Asked, ""), units.Say(m.Allowed.Or(0), "cores"), units.About(r.ceiling, "req/s"))
	}
	return why + sayTaken(m)
}

// reached is the throughput, in requests per second, as the load has it: by its own stretch of time, which is a little longer than the
// window where the last answers were late.
func reached(m *model.Model) float64 {
	if m.Load != nil && m.Load.AchievedRPS > 0 {
		return m.Load.AchievedRPS
	}
	return m.RPS
}

// byConnections is the verdict of a closed loop that has room; ceiling is in requests per
// second, 0 where it is not known.
type byConnections struct{ ceiling float64 }

func (r byConnections) say(m *model.Model) string {
	why := fmt.Sprintf("nothing in the service is full, and no wait is most of a request (%s%s): %s, each of which asks again when it is answered, reach %s",
		units.Say(m.Mean, "s"), saySleep(m), connections(m), units.Say(reached(m), "req/s"))
	if r.ceiling > 0 {
		why += fmt.Sprintf("; with more of them the CPU (%s of %s now) would be full at about %s",
			units.Say(m.Service.Or(0)+m.Asked, ""), units.Say(m.Allowed.Or(0), "cores"), units.About(r.ceiling, "req/s"))
	}
	return why + sayTaken(m)
}

// byItself is the verdict of a closed loop whose requests ask the service itself, over a connection.
type byItself struct{}

func (byItself) say(m *model.Model) string {
	return fmt.Sprintf("%s of the %s that a request takes it waits in %s for the service itself, over a connection: no processor is short, and what is at the other end, and waits there, was not told apart",
		units.Say(min(m.PerRequest(m.Own.Delay).Or(0), m.Mean), "s"), units.Say(m.Mean, "s"), short(m.Own.Function()))
}

// begin keeps a limit of "none" from hiding what was found: a lock may cost a tenth of
// each request and bind nothing, and a leak binds nothing within a window and everything
// after some hours.
func (r nothingBinds) begin() string {
	if len(r.findings) == 0 {
		return "nothing is wrong"
	}
	for _, f := range r.findings {
		if f.Class == unpark.ClassLeak {
			return "nothing binds yet, but goroutines leak in " + short(f.Site.Function)
		}
	}
	return "nothing binds"
}

// saySleep names a sleep that is much of a request's time.
func saySleep(m *model.Model) string {
	for _, p := range m.Sleeps {
		if v, ok := m.PerRequest(p.Delay).Get(); ok && felt(m, p) {
			return fmt.Sprintf(", %s of it asleep in %s", units.Say(min(v, m.Mean), "s"), short(p.Function()))
		}
	}
	for _, p := range m.Joins {
		v, ok := m.PerRequest(p.Delay).Get()
		e, known := m.End([]unpark.WaitClass{p.Heaviest.Class}, p.Function())
		asleep := e.Spent(unpark.WaitSleep)
		if ok && known && asleep >= model.BindingShare && felt(m, p) && p.Served {
			return fmt.Sprintf(", %s of it while %s sleeps for it", units.Say(min(v*asleep, m.Mean), "s"), short(e.Holder.Function))
		}
	}
	return ""
}
