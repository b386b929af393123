package load

import "testing"

func TestGaps(t *testing.T) {
	const ms = 1_000_000
	var g gaps
	g.rest(10*ms, true)
	g.look(15 * ms) // stood still from 10 to 15
	g.rest(16*ms, false)
	g.look(90 * ms) // no connection was free: the target's time
	g.rest(91*ms, true)
	g.look(91*ms + shortestGap/2)
	g.rest(92*ms, true)
	g.look(200 * ms)
	for due, want := range map[int64]int64{
		9 * ms: 0, 10 * ms: 5 * ms, 12 * ms: 3 * ms, 15 * ms: 0, 50 * ms: 0, 91*ms + 1: 0, 100 * ms: 100 * ms, 250 * ms: 0,
	} {
		if got := g.lost(due); got != want {
			t.Errorf("due at %d ms: lost %d, want %d", due/ms, got, want)
		}
	}
	for i := range int64(100) { // old ones are forgotten, the last are not
		g.rest(1000*ms+i*10*ms, true)
		g.look(1000*ms + i*10*ms + 5*ms)
	}
	if g.lost(12*ms) != 0 || g.lost(1000*ms+99*10*ms+ms) != 4*ms {
		t.Error("of a hundred gaps the last is not known, or the first still is")
	}
}
