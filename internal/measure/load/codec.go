package load

import (
	"fmt"
	"hash/maphash"

	"github.com/unpark-go/unpark/internal/measure/load/h1"
)

// codec is what is said on one connection after the other: how a request becomes
// bytes, and when its answer is whole. It does no input or output.
type codec interface {
	// opened says that there is a new connection.
	opened()
	// ask begins a request; the one before is over.
	ask(a ask)
	// pending is what is to be written next, and wrote says how much of it was.
	pending() []byte
	wrote(n int)
	// feed takes what was read. It may come without a request, and may leave
	// something to be written. After an error the connection is of no more use.
	feed(b []byte) (done bool, err error)
	// closed says that the server closed the connection; nil: that was the end of
	// the answer.
	closed() error
	// cancel gives the request up and reports whether the connection stays fit.
	cancel() bool
	// fit reports whether the connection may carry another request.
	fit() bool
	// repeatable reports whether a request that failed may be sent again, over
	// another connection. used: this one had carried an answer before.
	repeatable(used bool) bool
	// answer returns what the server said; when, the caller knows.
	answer() outcome
}

// ask says what to send.
type ask struct {
	kind         int
	serial, sent int64 // see wire.append
	hash         bool  // the sum of the body is wanted
}

// bodySum tells bodies apart.
type bodySum struct {
	hash maphash.Hash
	have int64 // bytes of the body
}

func (s *bodySum) reset() {
	s.have = 0
	s.hash.Reset()
}

func (s *bodySum) add(b []byte) {
	if s.have < hashedBytes {
		_, _ = s.hash.Write(b[:min(int64(len(b)), hashedBytes-s.have)])
	}
	s.have += int64(len(b))
}

// total is the sum of a body with that many bytes.
func (s *bodySum) total(bytes int64) uint64 { return s.hash.Sum64() ^ uint64(bytes) }

// plainCodec is HTTP/1.1.
type plainCodec struct {
	wires  []wire // by kind
	seed   uint64
	room   *[]byte // for a body that varies; shared by those of one thread
	asked  ask
	wire   *wire
	parser h1.Parser
	out    []byte // of the request, not yet written
	own    []byte // the request, where it differs from others
	sum    bodySum
	sink   func([]byte) // sum.add, bound once
}

var _ codec = (*plainCodec)(nil)

func newPlainCodec(wires []wire, s *settings, seed maphash.Seed, room *[]byte) *plainCodec {
	c := &plainCodec{wires: wires, seed: s.seed, room: room}
	c.sum.hash.SetSeed(seed)
	c.sink = c.sum.add
	return c
}

func (c *plainCodec) opened() { c.out = nil }

func (c *plainCodec) ask(a ask) {
	c.asked, c.wire = a, &c.wires[a.kind]
	c.parser.Reset(c.wire.head)
	c.parser.SetSink(nil)
	if a.hash {
		c.sum.reset()
		c.parser.SetSink(c.sink)
	}
	c.out = c.wire.fixed
	if c.wire.varies() {
		c.own, *c.room = c.wire.append(c.own[:0], *c.room, c.seed, a.serial, a.sent)
		c.out = c.own
	}
}

func (c *plainCodec) pending() []byte { return c.out }

func (c *plainCodec) wrote(n int) { c.out = c.out[n:] }

func (c *plainCodec) feed(b []byte) (done bool, err error) {
	if c.wire == nil {
		return false, &h1.ProtocolError{Msg: fmt.Sprintf("%d bytes that nobody asked for", len(b))}
	}
	n, done, err := c.parser.Feed(b)
	if err == nil && done && n < len(b) {
		err = &h1.ProtocolError{Msg: fmt.Sprintf("%d bytes after the answer", len(b)-n)}
	}
	if done {
		c.wire = nil
	}
	return done, err
}

func (c *plainCodec) closed() error { return c.parser.Close() }

// cancel leaves no way to tell the server's late answer from the next.
func (c *plainCodec) cancel() bool { return false }

func (c *plainCodec) fit() bool { return c.parser.KeepAlive() && len(c.out) == 0 }

// repeatable is net/http's transport.go, shouldRetryRequest: a server may close a
// connection that was idle just when a request is on its way.
func (c *plainCodec) repeatable(used bool) bool {
	return used && !c.parser.Started() && c.wires[c.asked.kind].idempotent
}

func (c *plainCodec) answer() outcome {
	o := outcome{status: c.parser.Status(), bytes: c.parser.Body()}
	if c.asked.hash {
		o.sum = c.sum.total(o.bytes)
	}
	return o
}
