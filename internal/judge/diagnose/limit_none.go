package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// unexplained abstains: something that the verdict needs was not measured, or
// what was measured does not add up to the time that requests take.
func unexplained(m *model.Model, _ []unpark.Notice) (answer, bool) {
	unknown := func(r reason) (answer, bool) { return answer{kind: unpark.LimitUnknown, reason: r}, true }
	switch {
	case m.Load == nil:
		return unknown(noLoad)
	case m.Requests <= 0:
		return unknown(noRequests)
	case m.Mean <= 0:
		return unknown(noTimes)
	case !m.Cores.Known():
		return unknown(noCPU)
	case !m.Present(unpark.KindBlock) && !m.Present(unpark.KindGoroutine):
		return unknown(noWaits)
	case m.Overloaded():
		return unknown(noCause)
	}
	floor := restFloor
	if !m.Load.Mode.Open() {
		floor = restClosed
	}
	if rest := m.Mean - accounted(m); rest > restShare*m.Mean && rest > floor {
		return unknown(isUnexplained{rest})
	}
	if !m.Load.Mode.Open() && !m.Used.Known() {
		return unknown(noCores)
	}
	return answer{}, false
}

// accounted is the part of a request's mean time, in seconds, that CPU and
// waits explain. CPU time is stretched by the queue for processors.
func accounted(m *model.Model) float64 {
	busy := min(mostBusy, max(m.Used.Or(0), m.Machine.Or(0)))
	var ready float64 // s without a processor, as the runtime measured it
	for _, p := range m.Ev.Window.Processes {
		ready += m.PerRequest(p.Metrics.SchedWait.Or(0)).Or(0)
	}
	ready = max(ready, m.Ready)
	cpu := m.CPUPerRequest().Or(0)
	sum := max(cpu/(1-busy), cpu+ready)
	for _, w := range m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle {
			sum += m.PerRequest(w.Delay).Or(0)
		}
	}
	return sum
}

// room is how full the processors are that requests use, and the rate at which they would
// be full, if requests go on costing what they cost now. On a machine that the generator
// shares, the generator's part grows as well.
func room(m *model.Model) (full float64, at unpark.Quantity) {
	// What else runs on the machine now need not run there tomorrow.
	full = m.Used.Or(0) * (1 - m.Observer)
	if n := m.Ev.MachineCores(); m.Shared && n > 0 {
		full = max(full, (m.Service.Or(0)+m.Asked+m.Load.GeneratorCPU.Or(0))/float64(n))
	}
	at = ceiling(m, full)
	// Far from full, the cost of a request is known less well: batching and
	// caches change it with the load.
	if v, ok := at.Value.Get(); ok {
		wide := spread + spreadIdle*(1-full)
		at = unpark.Between(v, max(m.RPS, v*(1-wide)), v*(1+wide), "req/s", int64(m.Requests))
	}
	return full, at
}

// healthy is the verdict when nothing binds: the figure to plan with is the rate at which
// the CPU would be full.
func healthy(m *model.Model, findings []unpark.Finding) answer {
	a := answer{kind: unpark.LimitNone, reason: nothingBinds{findings, 0}}
	if m.Load == nil {
		return a
	}
	if full, at := room(m); full > 0 {
		a.utilization, a.ceiling, a.reason = utilization(full), at, nothingBinds{findings, at.Value.Or(0)}
	}
	return a
}

// turns is the verdict for a closed loop in which nothing is full and no wait is most of a
// request: something always holds requests that are always under way (Denning and Buzen,
// The Operational Analysis of Queueing Network Models, 1978). It is the processors where
// they are busy for most of the time: what is idle between is one connection handing over
// to the next. Else it is how few connections there are; where requests wait for the service itself, over a
// connection, for most of their time, that is not known.
func turns(m *model.Model, _ []unpark.Notice) (answer, bool) {
	if m.Load == nil || m.Load.Mode.Open() {
		return answer{}, false
	}
	full, at := room(m)
	if full <= 0 {
		return answer{}, false
	}
	a := answer{kind: unpark.LimitConnections, utilization: utilization(full), ceiling: at, reason: byConnections{at.Value.Or(0)}}
	switch {
	case full >= mostlyBusy:
		a.kind, a.reason = unpark.LimitCPU, atTurns{full}
	case m.Share(m.Own.Delay).Or(0) >= model.BindingShare:
		a = answer{kind: unpark.LimitUnknown, reason: byItself{}}
	}
	return a, true
}
