package load

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"time"

	"github.com/unpark-go/unpark/internal/measure/load/direct"
)

// flushTime is how long the end of a request that is given up may take to be told.
const flushTime = time.Second

// h2Link is an exchanger of HTTP/2 and gRPC over net.Conn, also within TLS, by
// blocking reads and writes on the goroutine of its worker. What a server sends
// while nothing is asked (a ping, the end of the connection) is read before the next
// request.
type h2Link struct {
	lines
	wires  []h2Wire // by kind
	to     []*peer  // by kind
	codecs map[*peer]*h2Codec
	buf    []byte
	next   ask // serial and sent of the next exchange
}

var _ exchanger = (*h2Link)(nil)

// newH2Link encodes the plan's requests; a header that cannot be sent is an error.
// Nothing is dialled before the first exchange. When ctx is done, what is in progress
// ends.
func newH2Link(ctx context.Context, s *settings, c *clock, seed maphash.Seed) (*h2Link, error) {
	x := &h2Link{codecs: map[*peer]*h2Codec{}, buf: make([]byte, connBuffer)}
	x.setUp(s, c)
	var err error
	if x.wires, err = newH2Wires(s); err != nil {
		return nil, err
	}
	for i := range s.kinds {
		p := x.peerOf(&s.kinds[i])
		if x.to = append(x.to, p); x.codecs[p] == nil {
			x.codecs[p] = newH2Codec(x.wires, s, seed)
		}
	}
	x.begin(ctx)
	return x, nil
}

// number says which request the next exchange sends, and when that was meant to be.
func (x *h2Link) number(serial, sent int64) { x.next.serial, x.next.sent = serial, sent }

func (x *h2Link) exchange(kind int, hash bool) outcome {
	start := x.clock.now()
	until := start + int64(x.settings.timeout)
	p := x.to[kind]
	c := x.codecs[p]
	x.next.kind, x.next.hash = kind, hash
	if p.conn != nil && start-p.freed > int64(longIdle) {
		x.overhear(p, c, until)
	}
	var dial, written int64
	for again := false; ; again = true {
		fresh := p.conn == nil
		err := x.reach(p, c, until)
		if err == nil {
			if written = x.clock.now(); fresh {
				dial = written - start
			}
			c.ask(x.next)
			err = x.converse(p, c, until)
		}
		o := outcome{dial: dial, written: written, done: x.clock.now()}
		p.freed = o.done
		if err == nil {
			a := c.answer()
			a.dial, a.written, a.done = o.dial, o.written, o.done
			if !c.fit() {
				x.drop(p)
			}
			return a
		}
		if o.done >= until || x.ctx.Err() != nil {
			x.expire(p, c)
		} else if x.drop(p); !again && !fresh && c.repeatable(true) {
			continue
		}
		x.failed(&o, err, until)
		return o
	}
}

// reach opens the connection where there is none.
func (x *h2Link) reach(p *peer, c *h2Codec, until int64) error {
	if p.conn != nil {
		return nil
	}
	if err := x.open(p, until); err != nil {
		return err
	}
	p.conn = direct.Conn(p.conn)
	c.opened()
	return nil
}

// expire gives up the request in hand and keeps the connection where it stays fit.
func (x *h2Link) expire(p *peer, c *h2Codec) {
	if p.conn == nil || !c.cancel() {
		x.drop(p)
		return
	}
	now := x.clock.now()
	x.arm(p, now, now+int64(flushTime))
	if x.flush(p, c) != nil {
		x.drop(p)
	}
}

// converse sends the request and reads its answer.
func (x *h2Link) converse(p *peer, c *h2Codec, until int64) error {
	if half := int64(x.settings.timeout) / 2; p.armed < until-half {
		x.arm(p, x.clock.now(), until)
	}
	var unsent error
	for {
		if unsent == nil {
			unsent = x.flush(p, c)
		}
		if errors.Is(unsent, os.ErrDeadlineExceeded) {
			return unsent
		}
		done, err := x.read(p, c, until)
		switch {
		case done && err == nil:
			return nil
		case err != nil && unsent != nil && !c.conn.Answer().Started && !c.conn.Answer().Unseen:
			return unsent // nothing came that says more
		case err != nil:
			return err
		}
	}
}

// flush writes what is pending.
func (x *h2Link) flush(p *peer, c *h2Codec) error {
	for {
		b := c.pending()
		if len(b) == 0 {
			return nil
		}
		n, err := p.conn.Write(b)
		c.wrote(n)
		if err != nil {
			return err
		}
	}
}

// read takes the next of what the server sends.
func (x *h2Link) read(p *peer, c *h2Codec, until int64) (done bool, err error) {
	n, err := p.conn.Read(x.buf)
	if n > 0 {
		if done, bad := c.feed(x.buf[:n]); done || bad != nil {
			return done, bad
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		return false, ended(c.closed())
	case errors.Is(err, os.ErrDeadlineExceeded) && x.clock.now() < until:
		x.arm(p, x.clock.now(), until) // it was that of an earlier request
		return false, nil
	}
	return false, err
}

// overhear reads what came while nothing was asked: settings and pings want an
// answer, and after a farewell the connection is not used again.
func (x *h2Link) overhear(p *peer, c *h2Codec, until int64) {
	for p.conn != nil && direct.Waiting(direct.Raw(p.raw)) {
		x.arm(p, x.clock.now(), until)
		_, err := x.read(p, c, until)
		if err == nil {
			err = x.flush(p, c)
		}
		if err != nil || !c.fit() {
			x.drop(p)
		}
	}
}
