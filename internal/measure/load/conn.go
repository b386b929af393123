package load

import (
	"context"
	"fmt"
	"hash/maphash"

	"github.com/unpark-go/unpark/internal/measure/load/direct"
	"github.com/unpark-go/unpark/internal/measure/load/h1"
)

// connBuffer is what one read takes at most: a record of TLS holds no more.
const connBuffer = 16 << 10

// connLink is an exchanger over net.Conn: HTTP/1.1, also within TLS, by blocking
// reads and writes on the goroutine of its worker. It has one connection to each
// host of the plan, and allocates nothing for a request.
type connLink struct {
	lines
	messages []message // by kind

	serial    int64  // of the next request, where requests differ
	sent      int64  // when it was meant to be, in ns since 1970
	own, room []byte // it, and room for its body

	parser h1.Parser
	buf    []byte
	direct *direct.Exchange
	sum    bodySum
	sink   func([]byte)
}

var _ exchanger = (*connLink)(nil)

// newConnLink encodes the plan's requests; a header that cannot be sent is an
// error. Nothing is dialled before the first exchange. When ctx is done, what is
// in progress ends.
func newConnLink(ctx context.Context, s *settings, c *clock, seed maphash.Seed) (*connLink, error) {
	x := &connLink{buf: make([]byte, connBuffer)}
	x.setUp(s, c)
	x.sum.hash.SetSeed(seed)
	x.sink = x.sum.add
	x.direct = direct.NewExchange(x.buf, x.feed)
	for i := range s.kinds {
		m, err := x.newMessage(&s.kinds[i])
		if err != nil {
			return nil, fmt.Errorf("load: %s: %w", s.kinds[i].name(), err)
		}
		x.messages = append(x.messages, m)
	}
	x.begin(ctx)
	return x, nil
}

func (x *connLink) exchange(kind int, hash bool) outcome {
	m := &x.messages[kind]
	if m.varies() {
		x.own, x.room = m.append(x.own[:0], x.room, x.settings.seed, x.serial, x.sent)
		m.bytes = x.own
	}
	start := x.clock.now()
	until := start + int64(x.settings.timeout)
	var o outcome
	for again := false; ; again = true {
		fresh := m.to.conn == nil
		var err error
		if fresh {
			x.parser.Reset(false) // of what an earlier connection began
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

// number says which request the next exchange sends, and when that was meant to be.
func (x *connLink) number(serial, sent int64) { x.serial, x.sent = serial, sent }

// answered fills the outcome from a whole answer.
func (x *connLink) answered(o *outcome, hash bool) {
	o.status, o.bytes = x.parser.Status(), x.parser.Body()
	if hash {
		o.sum = x.sum.total(o.bytes)
	}
}

func (x *connLink) failed(o *outcome, err error, until int64) {
	o.bytes = x.parser.Body()
	x.lines.failed(o, err, until)
}

// expect prepares for the answer.
func (x *connLink) expect(m *message, hash bool) {
	x.parser.Reset(m.head)
	x.parser.SetSink(nil)
	if hash {
		x.sum.reset()
		x.parser.SetSink(x.sink)
	}
}
