package load

import (
	"slices"
	"testing"
	"time"
)

// TestLanesShareTheArrivals: every arrival belongs to one lane, with the intended
// start that a single schedule would give it.
func TestLanesShareTheArrivals(t *testing.T) {
	for name, p := range map[string]pacer{
		"constant": constant{rate: 1000},
		"poisson":  poisson{rate: 1000, seed: 7},
	} {
		for _, of := range []int{1, 2, 3} {
			var got []arrival
			for mine := range of {
				l := newLane(p, mine, of)
				var c connection
				for {
					a, ok := l.pop(&c, 100e6, true)
					if !ok {
						break
					}
					if c.current.Load() != a.intended {
						t.Fatalf("%s: current %d, intended %d", name, c.current.Load(), a.intended)
					}
					got = append(got, a)
				}
				if h := l.head(); h.due <= 100e6 || h.index%int64(of) != int64(mine) {
					t.Errorf("%s: lane %d of %d stops at %+v", name, mine, of, h)
				}
			}
			slices.SortFunc(got, func(a, b arrival) int { return int(a.index - b.index) })
			prev := int64(0)
			for k, a := range got {
				if want := p.next(int64(k), prev); a.index != int64(k) || a.intended != want {
					t.Fatalf("%s, %d lanes: arrival %d is %+v, want intended %d", name, of, k, a, want)
				}
				prev = a.intended
			}
			if len(got) < 80 || len(got) > 120 {
				t.Errorf("%s, %d lanes: %d arrivals in 100 ms at 1000/s", name, of, len(got))
			}
		}
	}
}

// TestOfferedOverLanes: lanes that are at different arrivals count together.
func TestOfferedOverLanes(t *testing.T) {
	p := constant{rate: 1000}
	g := &Generator{settings: &settings{pacer: p}}
	behind, ahead := newLane(p, 0, 2), newLane(p, 1, 2)
	var c connection
	for range 3 { // arrivals 1, 3 and 5: the other lane stands at 0
		ahead.pop(&c, 50e6, true)
	}
	g.engine = fixed{now: 10e6, heads: []head{behind.head(), ahead.head()}}
	if _, n := g.cut(func(int64) {}); n != 10 {
		t.Errorf("%d arrivals before 10 ms at 1000/s, want 10", n)
	}
	if got := slices.Collect(g.untaken(0, []head{behind.head(), ahead.head()}, 5e6)); !slices.Equal(got, []int64{0, 2e6, 4e6}) {
		t.Errorf("untaken of lane 0: %v", got)
	}
	if got := slices.Collect(g.untaken(1, []head{behind.head(), ahead.head()}, 10e6)); !slices.Equal(got, []int64{7e6, 9e6}) {
		t.Errorf("untaken of lane 1: %v", got)
	}
}

// fixed is an engine that stands still.
type fixed struct {
	now   int64
	heads []head
}

func (f fixed) connections() []*connection      { return nil }
func (f fixed) mark() (now int64, heads []head) { return f.now, f.heads }
func (f fixed) start() time.Time                { return time.Now() }
func (f fixed) close()                          {}
func (f fixed) drop()                           {}
