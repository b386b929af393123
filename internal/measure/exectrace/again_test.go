package exectrace_test

import "testing"

// TestAgain: one that wakes several without stopping in between ends all but the first again; places of a semaphore are given
// back one by one.
func TestAgain(t *testing.T) {
	for name, want := range map[string]func(part float64) bool{
		"broadcast": func(part float64) bool { return part > 0.5 },
		"semaphore": func(part float64) bool { return part < 0.1 },
	} {
		var again, count int64
		for _, e := range read(t, fixture(t, recording(name))).Edges {
			if e.Again > e.Count {
				t.Errorf("%s: %d of %d", name, e.Again, e.Count)
			}
			again, count = again+e.Again, count+e.Count
		}
		if part := float64(again) / float64(count); count == 0 || !want(part) {
			t.Errorf("%s: %d of %d", name, again, count)
		}
	}
}
