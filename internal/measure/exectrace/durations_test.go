package exectrace

import "testing"

// TestAbove: of 1000 short durations and a few long ones, the long ones are counted
// apart, and a random moment of them falls rather into a longer one.
func TestAbove(t *testing.T) {
	var d Durations
	for range 1000 {
		d.add(5_000)
	}
	for range 30 {
		d.add(500_000)
	}
	for range 10 {
		d.add(3_000_000)
	}
	near := func(got, want int64) bool { return got >= want && got <= want+want/50 }
	if n, sum, at := d.Above(10 * d.Quantile(0.5)); n != 40 || !near(sum, 45_000_000) || !near(at, 3_000_000) {
		t.Errorf("%d durations, %d ns, at a random moment %d", n, sum, at)
	}
	if n, sum, at := d.Above(1_000_000); n != 10 || !near(sum, 30_000_000) || !near(at, 3_000_000) {
		t.Errorf("above 1 ms: %d durations, %d ns, at a random moment %d", n, sum, at)
	}
	if n, sum, at := d.Above(d.Max()); n != 0 || sum != 0 || at != 0 {
		t.Errorf("above the longest: %d, %d, %d", n, sum, at)
	}
	if n, sum, at := new(Durations).Above(0); n != 0 || sum != 0 || at != 0 {
		t.Errorf("of none: %d, %d, %d", n, sum, at)
	}
}
