package exectrace

import "testing"

// The parts of a wait add up to it, whatever of the queue before it is known.
func TestPartsOfAWait(t *testing.T) {
	// queue returns the last of n holds of 10 ns, one after the other from 100 on.
	queue := func(n int) *hold {
		var last *hold
		for i := range int64(n) {
			last = &hold{start: 100 + i*10, end: 110 + i*10, before: last}
		}
		return last
	}
	for _, tt := range []struct {
		name       string
		last       *hold
		begin, end int64
		holds      int // that have a part of the wait
		rest       source
		left       int64 // ns that are charged to the last of them and not held by it
	}{
		{"inside one hold", queue(1), 103, 107, 1, recorded, 0},
		{"inside the last of several", queue(3), 122, 130, 1, recorded, 0},
		{"from when a hold began", queue(3), 110, 130, 2, recorded, 0},
		{"behind several", queue(3), 105, 130, 3, recorded, 0},
		{"before the first that is known", queue(3), 60, 130, 3, notRecorded, 40},
		{"as long as is followed", queue(maxHolders + 1), 105, 100 + 10*(maxHolders+1), maxHolders + 1, recorded, 0},
		{"longer than is followed", queue(maxHolders + 9), 105, 100 + 10*(maxHolders+9), maxHolders + 1, notFollowed, 75},
	} {
		t.Run(tt.name, func(t *testing.T) {
			holds, left, at := 0, int64(0), tt.end
			for p := range tt.last.parts(tt.begin, tt.end) {
				if p.end != at || p.time() <= 0 {
					t.Errorf("a part from %d to %d, want the end at %d", p.start, p.end, at)
				}
				at = p.start
				if p.source == recorded {
					holds++
					continue
				}
				left += p.time()
				if p.source != tt.rest {
					t.Errorf("%d ns have source %d, want %d", p.time(), p.source, tt.rest)
				}
			}
			if at != tt.begin || holds != tt.holds || left != tt.left {
				t.Errorf("%d holds and %d ns left, back to %d; want %d, %d, %d", holds, left, at, tt.holds, tt.left, tt.begin)
			}
		})
	}
}

// Chains of holds are cut, so that a lock that is handed on for the whole of a trace
// does not hold all of it in memory.
func TestHoldsBeforeAreBounded(t *testing.T) {
	last := &hold{}
	for range 10 * maxHolders {
		h := &hold{}
		h.behind(last)
		last = h
	}
	n := 0
	for h := last; h.before != nil; h = h.before {
		n++
	}
	if n <= maxHolders || n > 2*maxHolders {
		t.Errorf("%d holds before the last, want more than %d and at most %d", n, maxHolders, 2*maxHolders)
	}
}
