package predict

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

func (c closedLoop) summary(x span, p99 unpark.Quantity, next unpark.LimitKind) string {
	if q := p99.Value.Or(1); c.Overloaded() && q < 1-unpark.LeastGain {
		before := c.Response.P99
		return fmt.Sprintf("Removing it would answer all of the %s offered (now %s) and cut p99 from %s to %s%s",
			units.Say(c.OfferedRPS, ""), units.Say(c.rate, "req/s"), units.Say(before, "s"), units.Span(p99.Low.Or(q)*before, p99.High.Or(q)*before, "s"), then(next))
	}
	if x.value-1 < unpark.LeastGain {
		if q := p99.Value.Or(1); q < 1-2*unpark.LeastGain {
			return fmt.Sprintf("Removing it would cut p99 from %s%s; throughput hardly moves%s", units.Say(c.Response.P99, "s"), slowest(p99, c.Response.P99), then(next))
		}
		return c.small(x.high-1, next)
	}
	text := fmt.Sprintf("Removing it would raise throughput from %s to %s (%s–%s)",
		units.Say(c.rate, "req/s"), units.Say(c.rate*x.value, "req/s"), units.Say(c.rate*x.low, ""), units.Say(c.rate*x.high, ""))
	if c.Overloaded() && c.rate*x.value >= unpark.EnoughAnswered*c.OfferedRPS {
		return text + "; that is all that is offered."
	}
	return text + then(next)
}

// small says what a fix buys at most, and where the ceiling is.
func (c closedLoop) small(most float64, next unpark.LimitKind) string {
	text := "Real, and worth nothing here"
	if most >= nothing {
		text = fmt.Sprintf("Real, and worth at most +%s", units.Say(most, "ratio"))
	}
	if !c.cut.binds && bound(next) {
		return text + ": " + named(next) + " is what binds."
	}
	return text + "."
}

func (o openLoop) summary(l latency, next unpark.LimitKind) string {
	before := o.Response
	stays := fmt.Sprintf("throughput stays at %s because that is what is offered", units.Say(o.rate, "req/s"))
	switch {
	case l.p99.value < (1-unpark.LeastGain)*before.P99:
		return fmt.Sprintf("Removing it would cut p99 from %s%s; %s.", units.Say(before.P99, "s"), slowest(o.ratio(l.p99, before.P99), before.P99), stays)
	case l.p50.value < (1-unpark.LeastGain)*before.P50:
		return fmt.Sprintf("Removing it would cut p50 from %s to %s; p99 hardly moves, and %s.",
			units.Say(before.P50, "s"), units.Span(l.p50.low, l.p50.high, "s"), stays)
	default:
		saved := max(0, o.mean-l.mean.value)
		return fmt.Sprintf("Real, and worth about %s of the %s that a request takes; %s.", units.Say(saved, "s"), units.Say(o.mean, "s"), stays)
	}
}

// slowest says to what the p99 falls from what it was, in seconds, as far as that can be told.
func slowest(p99 unpark.Quantity, before float64) string {
	switch q := tellable(p99); {
	case q.Known():
		return " to " + units.Span(q.Low.Or(0)*before, q.High.Or(0)*before, "s")
	case q.High.Known():
		return " to " + units.Say(q.High.Or(0)*before, "s") + " or less"
	}
	return ": by how much is not predicted"
}

func then(next unpark.LimitKind) string {
	switch next {
	case unpark.LimitNone, unpark.LimitUnknown, "":
		return "."
	default:
		return "; then " + named(next) + " is the limit."
	}
}

func named(k unpark.LimitKind) string {
	switch k {
	case unpark.LimitCPU:
		return "CPU"
	case unpark.LimitGC:
		return "garbage collection"
	case unpark.LimitQuota:
		return "the CPU quota"
	case unpark.LimitLock:
		return "a lock"
	case unpark.LimitChannel:
		return "waiting for other goroutines"
	case unpark.LimitPool:
		return "a bounded pool"
	case unpark.LimitIO:
		return "file I/O"
	case unpark.LimitDownstream:
		return "another service"
	case unpark.LimitNetwork:
		return "the network"
	case unpark.LimitGenerator:
		return "the generator"
	case unpark.LimitRateLimit:
		return "an intended wait"
	case unpark.LimitConnections:
		return "the number of connections"
	default:
		return string(k)
	}
}
