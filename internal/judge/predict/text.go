package predict

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

func (s scene) tellClosed(c cut, x span, p99 unpark.Quantity, next unpark.LimitKind) string {
	if q := p99.Value.Or(1); s.overloaded && q < 1-unpark.LeastGain {
		before := s.load.Response.P99
		return fmt.Sprintf("Removing it would answer all of the %s offered (now %s) and cut p99 from %s to %s%s",
			digits(s.load.OfferedRPS), rate(s.rate), seconds(before), between(p99.Low.Or(q)*before, p99.High.Or(q)*before), then(next))
	}
	if x.value-1 < unpark.LeastGain {
		return s.small(x.high-1, c, next)
	}
	text := fmt.Sprintf("Removing it would raise throughput from %s to %s (%s–%s)",
		rate(s.rate), rate(s.rate*x.value), digits(s.rate*x.low), digits(s.rate*x.high))
	if s.overloaded && s.rate*x.value >= 0.98*s.load.OfferedRPS {
		return text + "; that is all that is offered."
	}
	return text + then(next)
}

// small says what a fix is worth at most, and where the ceiling is.
func (s scene) small(most float64, c cut, next unpark.LimitKind) string {
	text := "Real, and worth nothing here"
	// A tenth of a percent is far below what any two runs can tell apart.
	if most >= 0.001 {
		text = fmt.Sprintf("Real, and worth at most +%s", percent(most))
	}
	if !c.binds && next != unpark.LimitNone && next != "" && next != unpark.LimitUnknown {
		return text + ": " + named(next) + " is what binds."
	}
	return text + "."
}

func (s scene) tellOpen(l latency, next unpark.LimitKind) string {
	before := s.load.Response
	stays := fmt.Sprintf("throughput stays at %s because that is what is offered", rate(s.rate))
	switch {
	case l.p99.value < (1-unpark.LeastGain)*before.P99:
		return fmt.Sprintf("Removing it would cut p99 from %s to %s; %s.", seconds(before.P99), between(l.p99.low, l.p99.high), stays)
	case l.p50.value < (1-unpark.LeastGain)*before.P50:
		return fmt.Sprintf("Removing it would cut p50 from %s to %s; p99 hardly moves, and %s.",
			seconds(before.P50), between(l.p50.low, l.p50.high), stays)
	default:
		saved := max(0, s.mean-l.mean.value)
		return fmt.Sprintf("Real, and worth about %s of the %s that a request takes; %s.", seconds(saved), seconds(s.mean), stays)
	}
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
	default:
		return string(k)
	}
}

// between prints a range of times in one unit: "4–12 ms".
func between(low, high float64) string {
	unit, scale := "s", 1.0
	switch {
	case high < 1e-3:
		unit, scale = "µs", 1e6
	case high < 1:
		unit, scale = "ms", 1e3
	}
	return digits(low*scale) + "–" + digits(high*scale) + " " + unit
}

func seconds(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1:
		return digits(v) + " s"
	case a >= 1e-3:
		return digits(v*1e3) + " ms"
	default:
		return digits(v*1e6) + " µs"
	}
}

func bytes(v float64) string {
	if v >= 1e9 {
		return digits(v/1e9) + " GB"
	}
	return digits(v/1e6) + " MB"
}

func rate(v float64) string { return digits(v) + " req/s" }

func percent(v float64) string {
	if v > 0 && v < 0.095 {
		return strconv.FormatFloat(v*100, 'g', 2, 64) + " %"
	}
	return fmt.Sprintf("%.0f %%", v*100)
}

func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
	default:
		return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 2, 64), ".00")
	}
}
