package load

import "net"

// next gives a socket that came free something to do.
func (p *poller) next(s *socket, now int64) {
	if p.lane == nil {
		p.again(s, now)
		return
	}
	if a, ok := p.lane.pop(&s.connection, now, p.idle.len > 0); ok {
		p.begin(s, a, now)
		return
	}
	s.state = free
	p.idle.push(s)
}

// again sends the next request of a closed loop.
func (p *poller) again(s *socket, now int64) {
	p.begin(s, arrival{index: int64(s.id)<<40 + s.count + 1, intended: s.freed, free: true}, now)
}

// think lets a socket of a closed loop wait for its next request.
func (p *poller) think(s *socket, now int64) {
	s.state, s.deadline = thinking, now+p.g.settings.think
	s.current.Store(s.deadline)
	p.thought.push(s)
}

// decided begins the requests of the sockets that thought long enough. All think
// equally long, so that the first one to begin is the first one to end.
func (p *poller) decided(now int64) {
	for p.thought.len > 0 && p.thought.first().deadline <= now {
		s := p.thought.pop()
		s.freed = s.deadline
		p.again(s, now)
		now = p.clock.now()
	}
}

// begin sends a request, over a new connection when there is none.
func (p *poller) begin(s *socket, a arrival, now int64) {
	s.count++
	s.a = a
	kind := p.g.settings.choice.of(a.index)
	s.asked = ask{kind: kind, hash: p.g.repeats.wants(&s.connection, kind, now)}
	if p.g.settings.kinds[kind].numbered() {
		s.asked.serial, s.asked.sent = p.g.serial(a), p.g.wall(a.intended)
	}
	s.started, s.written, s.dial, s.stale, s.tries, s.addr = now, 0, 0, false, 0, p.opener.addr
	s.deadline = now + int64(p.g.settings.timeout)
	if s.fd >= 0 {
		s.send(now)
		return
	}
	p.opener.enqueue(s)
}

// openQueued dials for the sockets that wait for it. One that fails at once rests and
// is not queued again before the next scan, so that this ends.
func (p *poller) openQueued() {
	for p.opener.ready() {
		if s, err := p.opener.dial(); err != nil {
			p.refused(s, err)
		}
	}
}

// connected goes on after the handshake and returns the instant after.
func (p *poller) connected(s *socket) int64 {
	if err := p.opener.finish(s); err != nil {
		p.refused(s, err)
		return p.clock.now()
	}
	s.codec.opened()
	now := p.clock.now()
	s.dial = now - s.started
	s.send(now)
	return now
}

// refused tries another address of the host, and fails the request when there is none
// left.
func (p *poller) refused(s *socket, err error) {
	if p.opener.another(s) {
		return
	}
	at := p.opener.addrs[s.addr]
	err = &net.OpError{Op: "dial", Net: at.name.Network(), Addr: at.name, Err: err}
	p.fail(s, classify(err), err, p.clock.now())
}
