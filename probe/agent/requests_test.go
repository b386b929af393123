package agent

import "testing"

// TestSteadiest: of looks at the counters the one counts during which the fewest requests began, and the first that few did.
func TestSteadiest(t *testing.T) {
	for _, c := range []struct {
		name  string
		began []uint64 // while each look was taken
		want  uint64   // the number of the one that counts
		looks int
	}{
		{"nothing began", []uint64{0}, 1, 1},
		{"the first was interrupted", []uint64{300, 2}, 2, 2},
		{"all were", []uint64{300, 90, 20, 40, 400}, 3, 5},
	} {
		n := 0
		got := steadiest(func() (counts, uint64) {
			n++
			return counts{started: uint64(n)}, c.began[n-1]
		})
		if got.started != c.want || n != c.looks {
			t.Errorf("%s: look %d of %d, want %d of %d", c.name, got.started, n, c.want, c.looks)
		}
	}
}
