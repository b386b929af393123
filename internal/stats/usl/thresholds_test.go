package usl

import (
	"strings"
	"testing"
)

// TestObjection: from which figures on a fit is not asked about what was not measured.
func TestObjection(t *testing.T) {
	for _, c := range []struct {
		residual, pattern, kappa float64
		want                     string
	}{
		{0.09, 0.011, 1e-6, ""},
		{0.11, 0.011, 1e-6, "the fit is poor"},
		{0.09, 0.009, 1e-6, "the residuals follow a pattern"},
		{0.09, 0.011, 0, "κ may be 0"},
	} {
		got := Law{Residual: c.residual, Pattern: c.pattern, Kappa: Interval{Low: c.kappa}}.objection()
		if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestRange: the largest figures that are fitted, and those beyond.
func TestRange(t *testing.T) {
	for _, c := range []struct {
		p  Point
		ok bool
	}{
		{Point{N: 0.9e9, X: 1}, true},
		{Point{N: 1.1e9, X: 1}, false},
		{Point{N: 1, X: 0.9e30}, true},
		{Point{N: 1, X: 1.1e30}, false},
		{Point{N: 1, X: 1.1e-30, Weight: 0.9e30}, true},
		{Point{N: 1, X: 0.9e-30}, false},
	} {
		if err := c.p.check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.p, err)
		}
	}
	for most, ok := range map[float64]bool{0.9e9: true, 1.1e9: false} {
		p := []Point{{N: 1, X: 1}, {N: 2, X: most}}
		for n := 3.0; n <= 6; n++ {
			p = append(p, Point{N: n, X: 2})
		}
		if _, _, err := checked(p); (err == nil) != ok {
			t.Errorf("throughputs from 1 to %g: %v", most, err)
		}
	}
}
