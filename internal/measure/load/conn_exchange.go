package load

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/unpark-go/unpark/internal/measure/load/h1"
)

const (
	// longGlance and shortGlance are how long the wait for the first of an answer
	// lasts before it is looked for by an ordinary read. Longer than most answers
	// take, or each would cost another look; short, because a connection that the
	// server closed just before the request, and for its own direction only, is
	// noticed no sooner (see direct.Exchange).
	longGlance  = 50 * time.Millisecond
	shortGlance = 25 * time.Millisecond
	// longIdle is how long a connection is idle before something may well have
	// come meanwhile: then the ordinary way is taken, which looks first.
	longIdle = time.Millisecond
)

// converse sends the request and reads the answer. sent says that some of the
// request may have reached the server.
func (x *connLink) converse(m *message, now, until int64) (sent bool, err error) {
	p := m.to
	rest := m.bytes
	if m.body == nil && p.bare != nil && now-p.freed < int64(longIdle) {
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
	sent, done, err = x.direct.Converse(p.bare, m.bytes)
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

// ended words what a parser says about the end of the connection.
func ended(err error) error {
	switch {
	case err == nil, !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case errors.Is(err, io.EOF):
		return fmt.Errorf("the server closed the connection without an answer: %w", err)
	}
	return fmt.Errorf("the server closed the connection in the middle of the answer: %w", err)
}
