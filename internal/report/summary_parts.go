package report

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// byParts says what fixes would do that leave something of a finding, in one metric:
// throughput where one of them moves it, else p99; and the CPU that the whole fix
// saves. The first part names the metric. It is empty when nothing is known.
func byParts(p unpark.Prediction) []string {
	var out []string
	metric, of := "throughput", func(a unpark.Alternative) unpark.Quantity { return a.Throughput }
	if !moved(p.Alternatives, of) {
		metric, of = "p99", func(a unpark.Alternative) unpark.Quantity { return a.P99 }
	}
	alone := false
	for _, a := range p.Alternatives {
		q := of(a)
		if !q.Known() || a.Fix == unpark.FixHalved && !alone && beyond(q, p.Throughput) {
			continue
		}
		alone = alone || a.Fix == unpark.FixAlone
		text := fixName(a.Fix) + " " + units.Times(valueOf(q))
		if len(out) == 0 {
			text = metric + " if " + text
		}
		out = append(out, text)
	}
	if v, ok := p.CPUSaved.Value.Get(); ok && v > 0 {
		out = append(out, "fixing it saves "+units.Figure(v, "s")+" of CPU per request")
	}
	return out
}

// beside is what of a fix is known beside the least of throughput that is said; empty where both ends are said, or no more is known.
func beside(p unpark.Prediction) string {
	if p.Throughput.Known() {
		return ""
	}
	for _, a := range p.Alternatives {
		if known := a.Fix == unpark.FixTogether || a.Fix == unpark.FixAlone; known && moves(a.Throughput) {
			return fixName(a.Fix) + " " + units.Times(valueOf(a.Throughput))
		}
	}
	return ""
}

// beyond reports whether half of a fix is said to buy as much as the least that is said of all of it:
// a middle beside a least reads as if half were more than the whole.
func beyond(half, whole unpark.Quantity) bool {
	least, one := whole.Low.Get()
	return one && !whole.Known() && half.Value.Or(0) >= least
}

// moved reports whether a fix changes a metric by as much as a reader can feel.
func moved(all []unpark.Alternative, of func(unpark.Alternative) unpark.Quantity) bool {
	for _, a := range all {
		if moves(of(a)) {
			return true
		}
	}
	return false
}

func moves(q unpark.Quantity) bool {
	v, ok := q.Value.Get()
	return ok && math.Abs(v-1) >= unpark.LeastGain
}

func fixName(f unpark.Fix) string {
	switch f {
	case unpark.FixAlone:
		return "it alone went"
	case unpark.FixGone:
		return "all of it gone"
	case unpark.FixTogether:
		return "asked at once"
	case unpark.FixSharded:
		return "8 shards"
	case unpark.FixRWMutex:
		return "RWMutex"
	default:
		return escape.Prose(string(f))
	}
}
