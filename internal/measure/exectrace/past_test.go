package exectrace

import "testing"

// TestOlderStates: of a goroutine that goes through more states than are remembered, the sums
// of the older ones are kept, but for what it did before it last got work.
func TestOlderStates(t *testing.T) {
	const rounds = 1000
	var p past
	at := int64(0)
	add := func(s State, stack int32, d int64, idle bool) {
		at += d
		p.add(span{end: at, time: d, state: s, stack: stack, idle: idle})
	}
	for range rounds { // another's
		add(Syscall, 7, 5, false)
	}
	add(Channel, 1, 50, true)
	work := at
	for range rounds {
		add(Running, 0, 30, false)
		add(Syscall, 2, 10, false)
	}
	for _, from := range []int64{work, work + (at-work)/2, at - 30} {
		spent := map[State]int64{}
		last := from
		for _, s := range p.since(from) {
			if s.stack == 7 || s.idle {
				t.Errorf("%s at stack %d, before it got work", s.state.Class(), s.stack)
			}
			if s.start() > last {
				t.Errorf("a gap from %d to %d", last, s.start())
			}
			spent[s.state] += s.end - max(s.start(), from)
			last = s.end
		}
		all := at - from
		if got := spent[Running] + spent[Syscall]; got != all || last != at {
			t.Errorf("from %d: %d of %d ns are told", from, got, all)
		}
		if share := float64(spent[Running]) / float64(all); all > 100 && (share < 0.74 || share > 0.76) {
			t.Errorf("from %d: running for %.2f of it, want 0.75", from, share)
		}
	}
	if got := p.since(0); got[0].start() < work-50 {
		t.Errorf("it tells of %d, before the wait for work at %d", got[0].start(), work)
	}
}

// TestManySorts: what is of more sorts than are told apart is unknown, and none of its time lost.
func TestManySorts(t *testing.T) {
	var p past
	at := int64(0)
	for i := range 10 * remembered {
		at += 10
		p.add(span{end: at, time: 10, state: Syscall, stack: int32(i)})
	}
	var sum, unknown int64
	for _, s := range p.since(0) {
		sum += s.time
		if s.state == Unknown {
			unknown += s.time
		}
	}
	if sum != at || unknown < 9*(at-10*remembered)/10-10*sorts {
		t.Errorf("%d of %d ns, of which %d are unknown", sum, at, unknown)
	}
}
