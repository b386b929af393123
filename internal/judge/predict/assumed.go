package predict

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// assumed lists what the prediction rests on besides the load. Gain is the
// throughput ratio that is predicted.
func assumed(s scene, f unpark.Finding, c cut, gain float64) []string {
	var out []string
	if c.cpu.value > 0 || c.sync.high > 0.02 {
		out = append(out, aboutCPU(s, c, gain)...)
	}
	if x := (cuts{s}).fresh(f); f.Class == unpark.ClassAlloc && x.high > 0.02 {
		out = append(out, "up to "+units.Say(min(1, x.high), "ratio")+" of the CPU is for memory that is touched for the first time (page faults, cold caches)")
	}
	if c.wait.value > 0 {
		out = append(out, units.Say(spanOf(f.Cost.WaitPerRequest).value, "s")+" of "+units.Say(s.mean, "s")+" per request is this wait; the fix adds no other")
	}
	if c.synced && !c.queue {
		out = append(out, "an answer that is to be on disk still waits for a sync: shared syncs take up to "+units.Say(c.wait.high/max(c.wait.high, spanOf(f.Cost.WaitPerRequest).high), "ratio")+" of the wait; more goes only if answers need not be on disk")
	}
	if c.cached {
		out = append(out, "most requests take less than the mean making does, so something keeps answers already: of those that make the same answer together, one still does")
	}
	if c.sync.high > 0.02 {
		out = append(out, "up to "+units.Say(c.sync.high, "ratio")+" of the CPU hangs on the contention and may go with it")
	}
	if s.generator > 0 {
		out = append(out, "generator and service go on sharing "+units.Say(s.cores, "")+" cores")
	}
	if f.Class == unpark.ClassLock && c.station.demand > 0 {
		out = append(out, "the work done under the lock ("+units.Say(c.station.demand, "s")+" a request) stays and is no longer serial")
	}
	return append(out, aboutHolds(s, c)...)
}

// aboutCPU says what CPU goes, and what stays of a request.
func aboutCPU(s scene, c cut, gain float64) []string {
	var out []string
	if c.cpu.value > 0 {
		out = append(out, units.Say(c.cpu.value, "ratio")+" of the service's CPU goes away with it, garbage collection included; the interval begins at "+units.Say(c.cpu.low, "ratio"))
	}
	k := s.kept(c, gain).target
	return append(out, fmt.Sprintf("a request then takes %s of CPU (%s–%s): what stays can get cheaper when it is not disturbed",
		units.Say(k.value, "s"), units.Say(k.low, "s"), units.Say(k.high, "s")))
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
