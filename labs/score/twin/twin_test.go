package twin

import (
	"strings"
	"testing"
)

// TestInterval: of ten values the second from each end, by the table of the sign test.
func TestInterval(t *testing.T) {
	var v []float64
	for i := range 40 {
		v = append(v, float64(i))
	}
	for _, c := range []struct {
		n         int
		low, high float64
		ok        bool
	}{{5, 0, 0, false}, {6, 0, 5, true}, {10, 1, 8, true}, {30, 9, 20, true}, {40, 13, 26, true}} {
		low, high, ok := interval(v[:c.n])
		if low != c.low || high != c.high || ok != c.ok {
			t.Errorf("%d values: %v to %v, %v", c.n, low, high, ok)
		}
	}
	if got := Median(v[:5]); !strings.Contains(got, "too few") {
		t.Errorf("of five values it says %s", got)
	}
}
