package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/unpark-go/unpark/load/h1"
)

// connBuffer is what one read takes at most: a record of TLS holds no more.
const connBuffer = 16 << 10

const (
	// longGlance and shortGlance are how long the wait for the first of an answer
	// lasts before it is looked for by an ordinary read. Longer than most answers
	// take, or each would cost another look; short, because a connection that the
	// server closed just before the request, and for its own direction only, is
	// noticed no sooner (see readyConn).
	longGlance  = 50 * time.Millisecond
	shortGlance = 25 * time.Millisecond
	// longIdle is how long a connection is idle before something may well have
	// come meanwhile: then the ordinary way is taken, which looks first.
	longIdle = time.Millisecond
)

// connLink is an exchanger over net.Conn: HTTP/1.1, also within TLS, by blocking
// reads and writes on the goroutine of its worker. It has one connection to each
// host of the plan, and allocates nothing for a request.
type connLink struct {
	settings *settings
	clock    *clock
	ctx      context.Context //nolint:containedctx // that of the load
	cancel   context.CancelFunc
	detach   func() bool // from ctx
	messages []message   // by kind
	peers    map[string]*peer

	serial    int64  // of the next request, where requests differ
	own, room []byte // it, and room for its body

	parser h1.Parser
	buf    []byte
	ready  *readyConn
	sum    maphash.Hash
	hashed int // bytes that are in sum
	sink   func([]byte)

	mu   sync.Mutex // of peer.raw, against hangUp
	gone bool
}

var _ exchanger = (*connLink)(nil)

// newConnLink encodes the plan's requests; a header that cannot be sent is an
// error. Nothing is dialled before the first exchange. When ctx is done, what is
// in progress ends.
func newConnLink(ctx context.Context, s *settings, c *clock, seed maphash.Seed) (*connLink, error) {
	x := &connLink{settings: s, clock: c, peers: map[string]*peer{}, buf: make([]byte, connBuffer)}
	x.sum.SetSeed(seed)
	x.sink = x.mix
	x.ready = newReadyConn(x.buf, x.feed)
	for i := range s.kinds {
		m, err := x.newMessage(&s.kinds[i])
		if err != nil {
			return nil, fmt.Errorf("load: %s: %w", s.kinds[i].name(), err)
		}
		x.messages = append(x.messages, m)
	}
	x.ctx, x.cancel = context.WithCancel(ctx)
	x.detach = context.AfterFunc(x.ctx, x.hangUp)
	return x, nil
}

func (x *connLink) exchange(kind int, hash bool) outcome {
	m := &x.messages[kind]
	if m.varies() {
		x.own, x.room = m.append(x.own[:0], x.room, x.settings.seed, x.serial)
		m.bytes = x.own
	}
	start := x.clock.now()
	until := start + int64(x.settings.timeout)
	var o outcome
	for again := false; ; again = true {
		fresh := m.to.conn == nil
		var err error
		if fresh {
			err = x.open(m.to, until)
		}
		sent := false
		if err == nil {
			o.written = x.clock.now()
			if fresh {
				o.dial = o.written - start
			}
			x.expect(m, hash)
			sent, err = x.converse(m, o.written, until)
		}
		o.done = x.clock.now()
		if err == nil {
			x.answered(&o, hash)
			m.to.freed = o.done
			if m.last || !x.parser.KeepAlive() {
				x.drop(m.to)
			}
			return o
		}
		x.drop(m.to)
		// A server may close an idle connection just when a request is on its way:
		// that is no failure where repeating it does no harm (as in net/http's
		// shouldRetryRequest).
		harmless := (m.idempotent || !sent) && !x.parser.Started()
		if again || fresh || !harmless || o.done >= until || x.ctx.Err() != nil {
			x.failed(&o, err, until)
			return o
		}
	}
}

// number says which request the next exchange sends.
func (x *connLink) number(serial int64) { x.serial = serial }

// answered fills the outcome from a whole answer.
func (x *connLink) answered(o *outcome, hash bool) {
	o.status, o.bytes = x.parser.Status(), x.parser.Body()
	if hash {
		o.sum = x.sum.Sum64() ^ uint64(o.bytes)
	}
}

func (x *connLink) failed(o *outcome, err error, until int64) {
	switch {
	case x.ctx.Err() != nil:
		err = x.ctx.Err()
	case o.done >= until:
		err = fmt.Errorf("%w (%v)", errTimeout, x.settings.timeout)
	}
	o.bytes, o.err, o.detail = x.parser.Body(), classify(err), err
}

// expect prepares for the answer.
func (x *connLink) expect(m *message, hash bool) {
	x.parser.Reset(m.head)
	x.parser.SetSink(nil)
	if hash {
		x.sum.Reset()
		x.hashed = 0
		x.parser.SetSink(x.sink)
	}
}

// mix is the sink of a body whose sum is wanted.
func (x *connLink) mix(b []byte) {
	n, _ := x.sum.Write(b[:min(len(b), hashedBytes-x.hashed)])
	x.hashed += n
}

// open dials, and shakes hands.
func (x *connLink) open(p *peer, until int64) error {
	x.parser.Reset(false) // of what an earlier connection began
	ctx, cancel := context.WithTimeout(x.ctx, time.Duration(until-x.clock.now()))
	defer cancel()
	d := net.Dialer{KeepAlive: -1} // as for httpLink
	raw, err := d.DialContext(ctx, "tcp", p.addr)
	if err != nil {
		return err
	}
	conn := raw
	if p.tls != nil {
		t := tls.Client(raw, p.tls)
		if err := t.HandshakeContext(ctx); err != nil {
			_ = raw.Close()
			return err
		}
		conn = t
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gone {
		_ = raw.Close()
		return net.ErrClosed
	}
	p.conn, p.raw, p.armed, p.glance, p.freed = conn, raw, 0, 0, -int64(longIdle)
	if p.direct = nil; p.tls == nil {
		p.direct = direct(raw)
	}
	return nil
}

// drop closes the connection to p. It closes the one below TLS: saying goodbye
// could block.
func (x *connLink) drop(p *peer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if p.raw != nil {
		_ = p.raw.Close()
	}
	p.conn, p.raw = nil, nil
}

// hangUp ends what is in progress, and what would follow.
func (x *connLink) hangUp() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.gone = true
	for _, p := range x.peers {
		if p.raw != nil {
			_ = p.raw.Close()
		}
	}
}

// close may be called while an exchange is in progress, which then fails.
func (x *connLink) close() {
	x.detach()
	x.cancel()
	x.hangUp()
}

// converse sends the request and reads the answer. sent says that some of the
// request may have reached the server.
func (x *connLink) converse(m *message, now, until int64) (sent bool, err error) {
	p := m.to
	rest := m.bytes
	if m.body == nil && p.direct != nil && now-p.freed < int64(longIdle) {
		n, done, err := x.glance(m, now, until)
		if done || err != nil {
			return n > 0, err
		}
		if rest = rest[n:]; len(rest) == 0 {
			return true, x.receive(p, until)
		}
	}
	if half := int64(x.settings.timeout) / 2; p.armed < until-half {
		x.arm(p, now, until)
	}
	if m.body != nil {
		return true, x.upload(m, until)
	}
	n, failure := p.conn.Write(rest)
	n += len(m.bytes) - len(rest)
	if errors.Is(failure, os.ErrDeadlineExceeded) {
		return n > 0, failure
	}
	// Any other failure may have an answer that says why.
	err = x.receive(p, until)
	if err != nil && failure != nil && !x.parser.Started() {
		return n > 0, failure
	}
	return n > 0, err
}

// glance sends the request and waits for the answer for a short time. Without an
// error, what was not sent and what is missing is left to the ordinary way.
func (x *connLink) glance(m *message, now, until int64) (sent int, done bool, err error) {
	p := m.to
	if p.glance < now+int64(shortGlance) || p.glance > until {
		p.glance, p.armed = min(now+int64(longGlance), until), 0
		_ = p.conn.SetReadDeadline(time.Now().Add(time.Duration(p.glance - now)))
	}
	sent, done, err = x.ready.converse(p.direct, m.bytes)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return sent, false, nil
	case errors.Is(err, io.EOF):
		return sent, true, ended(x.parser.Close())
	}
	return sent, done, err
}

// upload writes a long request while it reads the answer, which may come before
// the request is at its end: then the connection is of no more use.
func (x *connLink) upload(m *message, until int64) error {
	p := m.to
	written := make(chan error, 1)
	go func(c net.Conn) {
		_, err := c.Write(m.bytes)
		if err == nil {
			_, err = c.Write(m.body)
		}
		written <- err
	}(p.conn)
	err := x.receive(p, until)
	// This interrupts a write that waits for the server, and none that is complete.
	_ = p.conn.SetWriteDeadline(time.Unix(1, 0))
	p.armed = 0
	failure := <-written
	switch {
	case err == nil && failure != nil:
		x.drop(p)
	case err != nil && failure != nil && !errors.Is(failure, os.ErrDeadlineExceeded) && !x.parser.Started():
		return failure
	}
	return err
}

// receive reads the answer to its end.
func (x *connLink) receive(p *peer, until int64) error {
	for {
		n, err := p.conn.Read(x.buf)
		if n > 0 {
			if done, malformed := x.feed(n); done || malformed != nil {
				return malformed
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return ended(x.parser.Close())
		case errors.Is(err, os.ErrDeadlineExceeded) && x.clock.now() < until:
			x.arm(p, x.clock.now(), until) // it was that of an earlier request
		default:
			return err
		}
	}
}

// feed takes n bytes of the answer from the buffer; done says that it is whole.
func (x *connLink) feed(n int) (done bool, err error) {
	used, done, err := x.parser.Feed(x.buf[:n])
	if err == nil && done && used < n {
		err = &h1.ProtocolError{Msg: fmt.Sprintf("%d bytes after the end of the answer: %.48q", n-used, x.buf[used:n])}
	}
	return done, err
}

// ended words what the parser says about the end of the connection.
func ended(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return fmt.Errorf("the server closed the connection without an answer: %w", err)
	}
	return fmt.Errorf("the server closed the connection in the middle of the answer: %w", err)
}

// arm has reads end when the time of the request is up. A deadline that lies up to
// half the timeout before that is as good, because a read that it ends goes on
// with the next: so it is moved twice in a timeout and not for every request, which
// would cost 0.4 µs. A write cannot go on (TLS is broken then), so its deadline is
// later by that half.
func (x *connLink) arm(p *peer, now, until int64) {
	at := time.Now().Add(time.Duration(until - now))
	p.armed, p.glance = until, 0
	_ = p.conn.SetReadDeadline(at)
	_ = p.conn.SetWriteDeadline(at.Add(x.settings.timeout / 2))
}
