package yardstick

import (
	"testing"
	"time"
)

func TestWithin(t *testing.T) {
	began := time.Unix(1000, 0)
	y := &Yardstick{began: began}
	for i := range 100 {
		took := 200 * time.Microsecond
		if i%20 == 3 { // one in twenty is disturbed
			took = 5 * time.Millisecond
		}
		y.pieces = append(y.pieces, piece{time.Duration(i) * 20 * time.Millisecond, took})
	}
	at := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		from, to int
		n        int
		ok       bool
	}{{0, 2000, 100, true}, {-500, 5000, 100, true}, {400, 1000, 31, true}, {400, 780, 20, true}, {400, 760, 19, false}, {5000, 6000, 0, false}} {
		took, n, ok := y.Within(at(c.from), at(c.to))
		if n != c.n || ok != c.ok || ok && took != 200*time.Microsecond {
			t.Errorf("%d to %d ms: %v from %d pieces, %v", c.from, c.to, took, n, ok)
		}
	}
}
