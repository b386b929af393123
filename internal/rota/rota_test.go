package rota

import (
	"testing"
	"time"
)

// TestOn: each part has its day, in turn and also over New Year, and none is left out.
func TestOn(t *testing.T) {
	for parts := 1; parts <= 7; parts++ {
		days := make([]int, parts)
		for day := range 2 * parts {
			now := time.Date(2026, 12, 31, 23, 59, 0, 0, time.UTC).AddDate(0, 0, day)
			n := 0
			for part := range parts {
				if on("", now, part, parts) {
					days[part]++
					n++
				}
			}
			if n != 1 {
				t.Errorf("day %d: %d of %d parts are on", day, n, parts)
			}
		}
		for part, n := range days {
			if n != 2 {
				t.Errorf("part %d of %d is on on %d of %d days", part, parts, n, 2*parts)
			}
		}
	}
}

func TestAsked(t *testing.T) {
	for _, c := range []struct {
		asked       string
		part, parts int
		want        bool
	}{{"all", 3, 4, true}, {"5", 1, 4, true}, {"5", 0, 4, false}, {"0", 0, 2, true}, {"-1", 1, 2, true}} {
		if got := on(c.asked, time.Time{}, c.part, c.parts); got != c.want {
			t.Errorf("%q, part %d of %d: %v", c.asked, c.part, c.parts, got)
		}
	}
}
