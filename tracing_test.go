package unpark

import "testing"

// TestLonger: a trace that was too short is not asked for again at the length that it had.
func TestLonger(t *testing.T) {
	for seconds, want := range map[float64]string{0: "--trace 10s", 1.02: "--trace 10s", 5: "--trace 10s", 5.6: "--trace 12s", 10.03: "--trace 20s", 60: "--trace 120s"} {
		if got := (Tracing{Seconds: seconds}).Longer(); got != want {
			t.Errorf("after %v s: %s, want %s", seconds, got, want)
		}
	}
}
