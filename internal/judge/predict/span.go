package predict

import (
	"math"

	"github.com/unpark-go/unpark"
)

// span is a value with the ends of its 90 % interval.
type span struct{ low, value, high float64 }

func spanOf(q unpark.Quantity) span {
	v, ok := q.Value.Get()
	if !ok {
		return span{}
	}
	// Both ends of a window cut waits in two: never trust it closer than 5 %.
	return span{
		low: min(q.Low.Or(v), 0.95*v), value: v, high: max(q.High.Or(v), 1.05*v),
	}
}

func (x span) times(v float64) span { return span{x.low * v, x.value * v, x.high * v} }

func (x span) plus(y span) span { return span{x.low + y.low, x.value + y.value, x.high + y.high} }

// atMost bounds a span.
func (x span) atMost(most float64) span {
	return span{min(x.low, most), min(x.value, most), min(x.high, most)}
}

// scattered widens a span by an error that has nothing to do with its own, given as
// a logarithm: two that are independent add up as squares.
func (x span) scattered(by float64) span {
	if x.value <= 0 {
		return x
	}
	down, up := math.Inf(1), math.Log(max(x.high, x.value)/x.value)
	if x.low > 0 {
		down = math.Log(x.value / min(x.low, x.value))
	}
	return span{x.value * math.Exp(-math.Hypot(down, by)), x.value, x.value * math.Exp(math.Hypot(up, by))}
}
