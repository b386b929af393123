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
		dialRemedies(m), facts.SignalDial, facts.SignalHandshake)
	for i := range out {
		resolving(m, &out[i])
		for _, p := range freshAnswers(m) {
			out[i].Facts = append(out[i].Facts, fact("requests waited for answers over new connections in "+short(p.Function())+
				", which the other side accepts first, summed", p.Delay, "s", p.Heaviest.Source))
		}
	}
	return out
}

// resolving names the lookup of names where that is most of what opening takes.
func resolving(m *model.Model, f *unpark.Finding) {
	var lookups, dials float64
	var heaviest model.Wait
	for _, p := range m.Downstream {
		if !roles.On(p.Heaviest.Stack, roles.Dial) {
			continue
		}
		dials += p.Delay
		if roles.On(p.Heaviest.Stack, roles.Lookup) {
			lookups += p.Delay
			if p.Delay > heaviest.Delay {
				heaviest = p
			}
		}
	}
	if lookups == 0 || lookups < mostOfCause*max(dials, f.Cost.WaitPerRequest.Value.Or(0)*m.Requests) {
		return
	}
	stack := heaviest.Heaviest.Stack
	at := slices.IndexFunc(stack, func(s unpark.Site) bool { return roles.Is(s.Function, roles.Lookup) })
	f.Title = "Connections are not reused, and opening one is mostly looking its name up"
	f.Culprit, f.Path = pointer(stack[at]), path(stack[at:])
	f.Facts = append(f.Facts, fact("waits for names to be looked up, summed", lookups, "s", heaviest.Heaviest.Source))
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
// reused; the others are about a wait for a place.
func opens(f unpark.Finding) bool {
	return f.Waiter == nil || roles.On(f.Path, roles.Opening) && roles.On(f.Path, roles.Socket)
}

// opener names what opens connections: the handshake, where that is most of it; else the
// function of a library that the application's line goes into, else Go's own that dials.
func opener(m *model.Model, f *unpark.Finding, s model.Hotspot) {
	var greets, all float64
	var greeting facts.Signal
	for _, v := range m.Ev.Signals {
		if v.ID == facts.SignalHandshake {
			greets += v.CPU
			if v.CPU > greeting.CPU {
				greeting = v
			}
		}
		if v.ID == facts.SignalDial || v.ID == facts.SignalHandshake {
			all += v.CPU
		}
	}
	if greets >= mostOfCause*all && greets > 0 {
		i := slices.IndexFunc(greeting.Stack, func(at unpark.Site) bool { return roles.Is(at.Function, roles.Handshake) })
		if i >= 0 {
			f.Culprit, f.Path = pointer(greeting.Stack[i]), path(greeting.Stack[i:])
			return
		}
	}
	way := s.Stack
	if i := slices.IndexFunc(way, func(at unpark.Site) bool { return at.Function == f.Site.Function }); i >= 0 {
		way = way[:i]
	}
	// What is inside of the pool's own call opens; around it is how the program asks.
	if i := slices.IndexFunc(way, func(at unpark.Site) bool { return roles.Is(at.Function, roles.Opening) }); i > 0 {
		way = way[:i]
	}
	all = 0
	for i, at := range slices.Backward(way) {
		if roles.Is(at.Function, roles.Standard) || roles.Is(at.Function, roles.Low) {
			continue
		}
		cost := m.Ev.CPU.Tree.Through(at.Function)
		if f.Culprit == nil || all > 0 && cost >= mostOfCause*all {
			f.Culprit, f.Path = pointer(at), path(s.Stack[i:])
		}
		all = max(all, cost)
	}
	if f.Culprit != nil {
		return
	}
	if s.Leaf.Function != f.Site.Function {
		f.Culprit = pointer(s.Leaf)
	}
}

// mostlyOpens finds the CPU of a function that it mostly takes for opening connections.
func mostlyOpens(m *model.Model, mine, other unpark.Finding) bool {
	if !opens(mine) || other.Culprit == nil {
		return false
	}
	var below float64
	for _, v := range m.Ev.Signals {
		if (v.ID == facts.SignalDial || v.ID == facts.SignalHandshake) && facts.Through(v.Stack, other.Culprit.Function) {
			below += v.CPU
		}
	}
	return below >= model.BindingShare*m.Ev.CPU.Tree.Through(other.Culprit.Function)
}

// overNew finds the answers that come over connections which are opened for them, and what is waited for until they are open.
func overNew(m *model.Model, mine, other unpark.Finding) bool {
	return opens(mine) && other.Waiter != nil && (establishing(m, other.Waiter.Function) || mostlyDials(m, other.Waiter.Function))
}

// mostlyDials reports whether what a function waits for at the other end of connections is mostly that they open.
func mostlyDials(m *model.Model, function string) bool {
	var all, dials float64
	for _, w := range m.Ev.Waits {
		if w.Waiter.Function != function || w.Side != unpark.RequestPath || w.Idle || w.Class != unpark.WaitDownstream {
			continue
		}
		all += w.Delay
		if roles.On(w.Stack, roles.Dial) {
			dials += w.Delay
		}
	}
	return dials > 0 && dials >= mostOfCause*all
}

// insideLoop finds what the goroutines wait for that serve one request after another.
func insideLoop(m *model.Model, mine, other unpark.Finding) bool {
	return mine.Waiter != nil && other.Waiter != nil && mine.Waiter.Function == other.Waiter.Function &&
		slices.ContainsFunc(m.Pool, func(p model.Wait) bool { return p.Loops && p.Function() == mine.Waiter.Function })
}

// insideTransport finds the locks of a Transport whose connections are not reused: each is
// given, taken and cancelled under them, and none has a line to change.
func insideTransport(_ *model.Model, mine, other unpark.Finding) bool {
	return opens(mine) && other.Waiter != nil && roles.Is(other.Waiter.Function, roles.Transport)
}
