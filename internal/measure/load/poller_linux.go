package load

import (
	"runtime"

	"golang.org/x/sys/unix"
)

const (
	// readBuffer holds most answers whole, so that one read is enough.
	readBuffer = 64 << 10
	// longestScan and shortestScan bound how late a timeout may be noticed.
	longestScan  = 100_000_000
	shortestScan = 1_000_000
)

// poller drives its share of the connections from one thread: it waits for all of
// them at once and never blocks in between. Everything but epoll.halt and lane.head is
// called on that thread alone.
type poller struct {
	g       *Generator
	clock   *clock
	plain   *plainPlan
	lane    *lane // nil in a closed loop
	sockets []socket
	idle    socketRing // have nothing to do, longest first
	thought socketRing // think, the first to end first
	ep      epoll
	opener  opener

	buf     []byte
	room    []byte // for a body that varies
	resting int    // sockets that wait after a failure
	tick    int64  // between scans
	scanAt  int64
}

func newPoller(g *Generator, plain *plainPlan) (*poller, error) {
	p := &poller{g: g, clock: g.clock, plain: plain, buf: make([]byte, readBuffer)}
	p.tick = min(longestScan, max(shortestScan, int64(g.settings.timeout)/20))
	return p, p.ep.open()
}

// run serves the sockets until halt.
func (p *poller) run() {
	runtime.LockOSThread() // never undone: the thread ends with its timer slack
	// The default slack of 50 µs is added to every timeout (prctl(2)).
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	defer p.release()
	now := p.clock.now()
	for i := range p.sockets {
		p.next(&p.sockets[i], now)
	}
	for !p.ep.halted.Load() {
		p.openQueued()
		now = p.clock.now()
		if p.lane != nil {
			p.lane.gaps.rest(now, p.idle.len > 0)
		}
		events := p.ep.poll(p.wait(now))
		if p.lane != nil {
			p.lane.gaps.look(p.clock.now())
		}
		now = p.serve(events)
		p.hand(now)
		p.decided(now)
		if now >= p.scanAt {
			p.scan(now)
		}
	}
}

// serve handles events and returns the instant after.
func (p *poller) serve(events []unix.EpollEvent) int64 {
	now := p.clock.now()
	for i := range events {
		e := &events[i]
		if e.Fd < 0 {
			continue // halted, or scanAt, says the rest
		}
		s := &p.sockets[e.Fd]
		switch {
		case s.state == dialing:
			now = p.connected(s)
		case e.Events == unix.EPOLLOUT:
			s.write()
		default: // readable, or an error that reading tells
			now = p.readable(s)
		}
	}
	return now
}

// wait is how long to sleep at most; negative: until something happens. The next
// scan is left to a timer of its own, which is set ten times a second: a timeout
// would be set and cancelled with every wait.
func (p *poller) wait(now int64) int64 {
	if p.opener.ready() || now >= p.scanAt {
		return 0
	}
	p.ep.alarm(p.scanAt, now)
	until := int64(never)
	if p.lane != nil && p.idle.len > 0 {
		until = min(until, max(p.lane.due, now+p.g.settings.quantum))
	}
	if p.thought.len > 0 {
		until = min(until, max(p.thought.first().deadline, now+p.g.settings.quantum))
	}
	if until >= p.scanAt {
		return -1
	}
	return max(0, until-now-p.g.settings.spin)
}

// hand gives due arrivals to idle sockets.
func (p *poller) hand(now int64) {
	for p.lane != nil && p.idle.len > 0 {
		a, ok := p.lane.pop(&p.idle.first().connection, now, true)
		if !ok {
			return
		}
		p.begin(p.idle.pop(), a, now)
		now = p.clock.now() // sending took a while
	}
}

// scan finds requests that took too long, and sockets that rested enough.
func (p *poller) scan(now int64) {
	for i := range p.sockets {
		s := &p.sockets[i]
		switch s.state {
		case dialing, asked: // one that is queued is dialled first
			if now >= s.deadline {
				p.expire(s, now)
			}
		case resting:
			if now >= s.deadline {
				p.resting--
				if s.freed = now; p.lane == nil {
					s.current.Store(now)
				}
				p.next(s, now)
			}
		}
	}
	p.scanAt = now + p.tick
	if p.resting > 0 {
		p.scanAt = min(p.scanAt, now+int64(firstBackoff))
	}
}

// release closes everything.
func (p *poller) release() {
	for i := range p.sockets {
		p.sockets[i].drop()
	}
	p.ep.close()
}

// socketRing is a queue of sockets with a fixed capacity.
type socketRing struct {
	buf       []*socket
	head, len int
}

func (r *socketRing) push(s *socket) {
	r.buf[(r.head+r.len)%len(r.buf)] = s
	r.len++
}

func (r *socketRing) first() *socket { return r.buf[r.head] }

func (r *socketRing) pop() *socket {
	s := r.buf[r.head]
	r.head = (r.head + 1) % len(r.buf)
	r.len--
	return s
}
