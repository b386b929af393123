package load

import (
	"hash/maphash"

	"github.com/unpark-go/unpark/internal/measure/load/h2"
)

// h2Codec is HTTP/2, and gRPC over it.
type h2Codec struct {
	wires  []h2Wire // by kind
	seed   uint64
	asked  ask
	conn   h2.Conn
	own    h2.Request // the request, where it differs from others
	room   []byte
	sum    bodySum
	call   callAnswer
	status int // of a call
	detail error
	add    func([]byte) // of call or sum, bound once
	mix    func([]byte)
}

var _ codec = (*h2Codec)(nil)

func newH2Codec(wires []h2Wire, s *settings, seed maphash.Seed) *h2Codec {
	c := &h2Codec{wires: wires, seed: s.seed}
	c.sum.hash.SetSeed(seed)
	c.mix, c.add = c.sum.add, c.call.add
	c.call.sum = &c.sum
	return c
}

func (c *h2Codec) opened() {
	c.conn.Open()
	c.call.reset(false, false)
}

func (c *h2Codec) ask(a ask) {
	w := &c.wires[a.kind]
	c.asked, c.status, c.detail = a, 0, nil
	if a.hash {
		c.sum.reset()
	}
	switch {
	case w.call:
		c.call.reset(w.single, a.hash)
		c.conn.SetSink(c.add)
	case a.hash:
		c.conn.SetSink(c.mix)
	default:
		c.conn.SetSink(nil)
	}
	if !w.varies() {
		c.conn.Ask(&w.fixed)
		return
	}
	c.room = w.fill(&c.own, c.room, c.seed, a)
	c.conn.Ask(&c.own)
}

func (c *h2Codec) pending() []byte { return c.conn.Pending() }

func (c *h2Codec) wrote(n int) { c.conn.Wrote(n) }

func (c *h2Codec) feed(b []byte) (done bool, err error) {
	done, err = c.conn.Feed(b)
	if !c.wires[c.asked.kind].call || err != nil {
		return done, err
	}
	if !done {
		return false, c.call.err
	}
	c.status, c.detail, err = c.call.finish(c.conn.Answer())
	return true, err
}

func (c *h2Codec) closed() error { return c.conn.Close() }

func (c *h2Codec) cancel() bool {
	c.conn.Cancel()
	return c.conn.Fit()
}

func (c *h2Codec) fit() bool { return c.conn.Fit() }

func (c *h2Codec) repeatable(used bool) bool {
	return c.conn.Answer().Unseen || used && !c.conn.Answer().Started && c.wires[c.asked.kind].idempotent
}

func (c *h2Codec) answer() outcome {
	a := c.conn.Answer()
	o := outcome{status: a.Status, bytes: a.Body}
	if c.wires[c.asked.kind].call {
		o.status, o.bytes, o.detail = c.status, c.call.bytes, c.detail
	}
	if c.asked.hash {
		o.sum = c.sum.total(o.bytes)
	}
	return o
}
