package load

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// readable reads what is there and returns the instant after.
func (p *poller) readable(s *socket) int64 {
	for {
		n, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(s.fd), uintptr(unsafe.Pointer(&p.buf[0])), uintptr(len(p.buf)))
		switch {
		case errno == unix.EINTR:
			continue
		case errno == unix.EAGAIN:
			return p.clock.now()
		case errno != 0:
			return p.lost(s, os.NewSyscallError("read", errno))
		case n == 0:
			return p.ended(s)
		}
		// A buffer that was not filled has taken all there was.
		if now, over := p.take(s, p.buf[:n]); over || int(n) < len(p.buf) {
			return now
		}
	}
}

// take feeds what was read; over says that the socket has gone on to something
// else.
func (p *poller) take(s *socket, b []byte) (now int64, over bool) {
	done, err := s.codec.feed(b)
	now = p.clock.now()
	switch {
	case err != nil:
		return p.lost(s, err), true
	case done:
		p.finish(s, now)
	case s.state != asked && !s.codec.fit():
		s.drop() // an idle connection that the server ends
		return now, true
	}
	// What was answered may leave something to be said, and a body may have got room.
	if s.fd >= 0 && s.state != dialing && !s.blocked && len(s.codec.pending()) > 0 {
		s.write()
	}
	return now, done
}

// ended goes on after the server closed the connection.
func (p *poller) ended(s *socket) int64 {
	if s.state != asked {
		s.drop() // an idle connection: the next request opens another
		return p.clock.now()
	}
	if err := s.codec.closed(); err != nil {
		return p.lost(s, ended(err))
	}
	now := p.clock.now()
	p.finish(s, now)
	return now
}

// lost fails a request whose connection is of no more use. It is repeated once on
// another where that is harmless.
func (p *poller) lost(s *socket, err error) int64 {
	now := p.clock.now()
	if s.state != asked {
		s.drop()
		return now
	}
	if !s.stale && s.codec.repeatable(s.used) {
		s.drop()
		s.stale, s.started = true, s.written
		p.opener.enqueue(s)
		return now
	}
	p.fail(s, classify(err), err, now)
	return now
}

// finish records an answer and goes on.
func (p *poller) finish(s *socket, now int64) {
	o := s.codec.answer()
	o.dial, o.written, o.done = s.dial, s.written, now
	if s.used = true; !s.codec.fit() {
		s.drop()
	}
	p.settle(s, o)
	if p.g.settings.think > 0 {
		p.think(s, now)
		return
	}
	p.next(s, now)
}

// expire gives up a request that took too long.
func (p *poller) expire(s *socket, now int64) {
	err := fmt.Errorf("%w (%v)", errTimeout, p.g.settings.timeout)
	if s.state != asked || !s.codec.cancel() {
		p.fail(s, failTimeout, err, now)
		return
	}
	if !s.blocked {
		s.write()
	}
	p.settle(s, outcome{err: failTimeout, detail: err, dial: s.dial, written: s.written, done: now})
	p.rest(s, now)
}

// fail records a request that got no answer, and lets the socket rest.
func (p *poller) fail(s *socket, kind string, err error, now int64) {
	if s.state == dialing {
		p.opener.dialing--
	}
	s.drop()
	p.settle(s, outcome{err: kind, detail: err, dial: s.dial, written: s.written, done: now})
	p.rest(s, now)
}

// rest lets a socket wait before it tries again.
func (p *poller) rest(s *socket, now int64) {
	wait := s.backoff()
	s.state, s.deadline = resting, now+wait
	if p.lane == nil {
		s.current.Store(now + wait) // its next request is not intended earlier
	}
	p.resting++
	p.scanAt = min(p.scanAt, now+int64(firstBackoff))
}

// settle records what became of the request.
func (p *poller) settle(s *socket, o outcome) {
	x := sample{arrival: s.a, outcome: o, freed: s.freed}
	p.g.judge(&s.connection, &x, s.asked.kind, s.asked.hash)
	p.g.record(&s.connection, &x)
}
