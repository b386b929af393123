package predict

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// assumed lists what the prediction rests on besides the load. Gain is the
// throughput ratio that is predicted.
func (c change) assumed(f unpark.Finding, gain float64) []string {
	var out []string
	if c.cut.cpu.value > 0 || c.cut.sync.high > sayable {
		out = append(out, c.aboutCPU(gain)...)
	}
	if x := c.cut.fresh; x.high > sayable {
		out = append(out, "up to "+units.Say(min(1, x.high), "ratio")+" of the CPU is for memory that is touched for the first time (page faults, cold caches)")
	}
	if c.cut.wait.value > 0 {
		out = append(out, units.Say(spanOf(f.Cost.WaitPerRequest).value, "s")+" of "+units.Say(c.mean, "s")+" per request is this wait; the fix adds no other")
	}
	if c.cut.synced && !c.cut.queue {
		out = append(out, "an answer that is to be on disk still waits for a sync: shared syncs take up to "+units.Say(c.cut.wait.high/max(c.cut.wait.high, spanOf(f.Cost.WaitPerRequest).high), "ratio")+" of the wait; more goes only if answers need not be on disk")
	}
	if c.cut.cached {
		out = append(out, "most requests take less than computing an answer does on average, so something keeps answers already: of those that compute the same answer together, one still does")
	}
	if c.cut.sync.high > sayable {
		what := " of the CPU hangs on the contention and may go with it"
		if c.cut.answer {
			what = " of the CPU is the other end's, and of handing over to it, and may go with it"
		}
		out = append(out, "up to "+units.Say(c.cut.sync.high, "ratio")+what)
	}
	if c.generator > 0 {
		out = append(out, "generator and service go on sharing "+units.Say(c.cores, "")+" cores")
	}
	if f.Class == unpark.ClassLock && c.cut.station.demand > 0 {
		out = append(out, "the work done under the lock ("+units.Say(c.cut.station.demand, "s")+" a request) stays and is no longer serial")
	}
	return append(out, c.aboutHolds()...)
}

// aboutCPU says what CPU goes, and what stays of a request.
func (c change) aboutCPU(gain float64) []string {
	var out []string
	if c.cut.cpu.value > 0 {
		out = append(out, units.Say(c.cut.cpu.value, "ratio")+" of the service's CPU goes away with it, garbage collection included; the interval begins at "+units.Say(c.cut.cpu.low, "ratio"))
	}
	left := c.cpuLeft(gain).target
	return append(out, fmt.Sprintf("a request then takes %s of CPU (%s–%s): what stays can get cheaper when it is not disturbed",
		units.Say(left.value, "s"), units.Say(left.low, "s"), units.Say(left.high, "s")))
}

// fromTo writes an interval, and one number where both ends read the same.
func fromTo(low, high float64) string {
	if from, to := units.Say(low, ""), units.Say(high, ""); from != to {
		return from + "–" + to
	}
	return units.Say(low, "")
}

// aboutHolds says what the holds of the lock that requests queue for are taken for.
func (c change) aboutHolds() []string {
	lock := c.busiest()
	if lock.demand <= 0 || c.Overloaded() {
		return nil
	}
	name := "the lock's holds"
	if c.cut.station.demand <= 0 {
		name = "the holds of the busiest lock"
	}
	holds, n := c.holds(lock)
	spread := fromTo(holds[0].scv, holds[len(holds)-1].scv)
	switch {
	case n > 0:
		return []string{fmt.Sprintf("%s have a squared coefficient of variation of %s, measured in %d of them in traces", name, spread, n)}
	case c.Mode.Open():
		return []string{fmt.Sprintf("%s are taken to have a squared coefficient of variation of %s, fitted to the mean wait", name, spread)}
	case c.cut.station.demand > 0:
		return []string{name + " are taken to be between constant and exponential"}
	default:
		return []string{name + " are taken to be exponential"}
	}
}

// wide says of an interval that it is wide, and how much.
func wide(q unpark.Quantity) []string {
	low, known := q.Low.Get()
	high, _ := q.High.Get()
	if !known || low <= 0 || high <= unpark.NarrowWidth*low {
		return nil
	}
	return []string{fmt.Sprintf("the interval of throughput is a factor of %s wide", units.Say(high/low, ""))}
}
