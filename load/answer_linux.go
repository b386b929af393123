package load

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark/load/h1"
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

// take feeds bytes to the answer; over says that the socket has gone on to
// something else.
func (p *poller) take(s *socket, b []byte) (now int64, over bool) {
	if s.state != asked {
		s.drop() // nobody asked: the connection is not fit for another request
		return p.clock.now(), true
	}
	n, done, err := s.parser.Feed(b)
	if err == nil && done && n < len(b) {
		err = &h1.ProtocolError{Msg: fmt.Sprintf("%d bytes after the answer", len(b)-n)}
	}
	now = p.clock.now()
	switch {
	case err != nil:
		p.fail(s, classify(err), err, now)
	case done:
		p.finish(s, now, s.parser.KeepAlive())
	default:
		return now, false
	}
	return now, true
}

// ended goes on after the server closed the connection.
func (p *poller) ended(s *socket) int64 {
	if s.state != asked {
		s.drop() // an idle connection: the next request opens another
		return p.clock.now()
	}
	if err := s.parser.Close(); err != nil {
		return p.lost(s, err)
	}
	now := p.clock.now()
	p.finish(s, now, false)
	return now
}

// lost fails a request whose connection broke. A server may close a connection
// that was idle just when a request is on its way; that one is repeated once, if
// repeating it is harmless, as net/http does (transport.go, shouldRetryRequest).
func (p *poller) lost(s *socket, err error) int64 {
	now := p.clock.now()
	if s.state != asked {
		s.drop()
		return now
	}
	if s.used && !s.stale && !s.parser.Started() && p.plain.wires[s.kind].idempotent {
		s.drop()
		s.stale, s.started = true, s.written
		p.enqueue(s)
		return now
	}
	p.fail(s, classify(err), err, now)
	return now
}

// finish records an answer and goes on.
func (p *poller) finish(s *socket, now int64, keep bool) {
	o := outcome{status: s.parser.Status(), bytes: s.parser.Body(), dial: s.dial, written: s.written, done: now}
	if s.hash {
		o.sum = s.sum.Sum64() ^ uint64(o.bytes)
	}
	if s.used = true; !keep || len(s.out) > 0 {
		s.drop()
	}
	p.settle(s, o)
	if p.g.settings.think > 0 {
		p.think(s, now)
		return
	}
	p.next(s, now)
}

// fail records a request that got no answer, and lets the socket rest.
func (p *poller) fail(s *socket, kind string, err error, now int64) {
	if s.state == dialing {
		p.dialing--
	}
	s.drop()
	p.settle(s, outcome{err: kind, detail: err, dial: s.dial, written: s.written, done: now})
	wait := s.backoff()
	s.state, s.deadline = resting, now+wait
	if p.lane == nil {
		s.current.Store(now + wait) // its next request is not intended earlier
	}
	p.resting++
	p.scanAt = min(p.scanAt, now+int64(firstBackoff))
}

// resume ends a rest.
func (p *poller) resume(s *socket, now int64) {
	s.freed = now
	if p.lane == nil {
		s.current.Store(now)
	}
	p.next(s, now)
}

// settle records what became of the request.
func (p *poller) settle(s *socket, o outcome) {
	x := sample{arrival: s.a, outcome: o, freed: s.freed}
	p.g.judge(&s.connection, &x, s.kind, s.hash)
	p.g.record(&s.connection, &x)
}
