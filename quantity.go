package unpark

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// Number is a figure that may be unknown; its zero value is unknown. It is null
// in JSON when unknown.
type Number struct {
	value float64
	known bool
}

// Num returns the known number v. A NaN or infinite v is unknown: such a value
// comes from a division by nothing measured.
func Num(v float64) Number {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Number{}
	}
	return Number{value: v, known: true}
}

// Ratio returns a ÷ b, unknown when b is zero.
func Ratio(a, b float64) Number {
	if b == 0 {
		return Number{}
	}
	return Num(a / b)
}

// Known reports whether the figure was measured.
func (n Number) Known() bool { return n.known }

// Get returns the value and whether it is known.
func (n Number) Get() (float64, bool) { return n.value, n.known }

// Or returns the value, or fallback when it is unknown.
func (n Number) Or(fallback float64) float64 {
	if !n.known {
		return fallback
	}
	return n.value
}

// IsZero reports that the number is unknown, so that `omitzero` drops it.
func (n Number) IsZero() bool { return !n.known }

// String prints the value, or "~" when it is unknown.
func (n Number) String() string {
	if !n.known {
		return "~"
	}
	return fmt.Sprintf("%.4g", n.value)
}

// MarshalJSON writes the value, or null when it is unknown.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.known {
		return []byte("null"), nil
	}
	return json.Marshal(n.value)
}

// UnmarshalJSON reads a number or null.
func (n *Number) UnmarshalJSON(b []byte) error {
	if bytes.Equal(bytes.TrimSpace(b), []byte("null")) {
		*n = Number{}
		return nil
	}
	var v float64
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("unpark: decode number: %w", err)
	}
	*n = Num(v)
	return nil
}

// Quantity is a value with its unit, its interval and the number of
// observations behind it. The zero value is unknown.
//
// Low and High bound a 90 % interval unless the text beside the quantity says
// otherwise; they are unknown when one observation cannot give an interval.
// Units are "s", "ratio", "cores", "req/s", "B", "B/req", "s/req",
// "goroutines", "waiters" and "count".
type Quantity struct {
	Value Number `json:"value"`
	Unit  string `json:"unit"`
	Low   Number `json:"low"`
	High  Number `json:"high"`
	N     int64  `json:"n"`
}

// Measured returns a quantity without an interval, from n observations.
func Measured(v float64, unit string, n int64) Quantity {
	return Quantity{Value: Num(v), Unit: unit, N: n}
}

// Between returns a quantity with its interval, from n observations. Bounds in
// the wrong order are put right, and an interval that does not reach the value is widened
// to it.
func Between(v, low, high float64, unit string, n int64) Quantity {
	if low > high {
		low, high = high, low
	}
	low, high = min(low, v), max(high, v)
	return Quantity{Value: Num(v), Unit: unit, Low: Num(low), High: Num(high), N: n}
}

// Known reports whether the quantity was measured.
func (q Quantity) Known() bool { return q.Value.Known() }

// IsZero reports that nothing is known, so that `omitzero` drops the quantity.
func (q Quantity) IsZero() bool { return !q.Value.Known() && q.Unit == "" }

// Contains reports whether v lies within the interval; false when the quantity
// has none.
func (q Quantity) Contains(v float64) bool {
	low, okLow := q.Low.Get()
	high, okHigh := q.High.Get()
	return okLow && okHigh && low <= v && v <= high
}

// OneEnded reports whether one end is said and no value: at least Low, or at most High.
func (q Quantity) OneEnded() bool {
	return !q.Value.Known() && q.Low.Known() != q.High.Known()
}

// Allows reports whether v agrees with what is said: it lies within the interval, or on the right side of the one end
// that is known.
func (q Quantity) Allows(v float64) bool {
	if q.OneEnded() {
		return q.Low.Or(v) <= v && v <= q.High.Or(v)
	}
	return q.Contains(v)
}
