package predict

import "testing"

// TestFromTo: an interval without a width is a number.
func TestFromTo(t *testing.T) {
	for want, ends := range map[string][2]float64{"4": {4, 4}, "1": {1.0001, 1.0002}, "0.5–4": {0.5, 4}} {
		if got := fromTo(ends[0], ends[1]); got != want {
			t.Errorf("%v: %q, want %q", ends, got, want)
		}
	}
}
