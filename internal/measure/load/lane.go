package load

import "sync"

// lane is one of several schedules that share the arrivals of a plan: arrival k
// belongs to lane k modulo their number. Each is served by one thread, so that
// handing out an arrival needs no other. As in a schedule, arrivals that are
// due and have no connection are stored nowhere.
type lane struct {
	pacer    pacer
	mine, of int64

	mu    sync.Mutex // the owner writes; mark reads
	index int64      // of the next arrival
	due   int64      // its intended start

	gaps gaps // the owner's
}

func newLane(p pacer, mine, of int) *lane {
	l := &lane{pacer: p, mine: int64(mine), of: int64(of), due: p.next(0, 0)}
	l.toMine()
	return l
}

// toMine goes on to the lane's own next arrival; the lock is held.
func (l *lane) toMine() {
	for l.index%l.of != l.mine {
		l.index++
		l.due = l.pacer.next(l.index, l.due)
	}
}

// pop gives the next arrival to c if it is due. Free says that the connection was
// idle already: what the arrival waits from then on is the generator's fault.
func (l *lane) pop(c *connection, now int64, free bool) (arrival, bool) {
	if l.due > now { // only the owner writes it
		return arrival{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	a := arrival{index: l.index, intended: l.due, free: free, lost: l.gaps.lost(l.due)}
	l.index++
	l.due = l.pacer.next(l.index, l.due)
	l.toMine()
	c.current.Store(a.intended)
	return a, true
}

// head returns the next arrival of the lane.
func (l *lane) head() head {
	l.mu.Lock()
	defer l.mu.Unlock()
	return head{l.index, l.due}
}
