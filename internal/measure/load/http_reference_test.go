package load

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark/internal/measure/load/direct"
)

// httpLink is an exchanger over net/http, which the others are compared with: one
// transport with one connection. A
// plan with several hosts has one connection to each of them.
//
// Response.Body is read to its end with the transport's own buffers and one
// that all links share; a request without a body is built once and sent again
// and again, which RoundTrip allows when the answer's body was closed.
type httpLink struct {
	parent    context.Context
	settings  *settings
	clock     *clock
	seed      maphash.Seed
	transport *http.Transport

	// The context lives until a request times out: one for each request would
	// cost more than the rest of this file.
	ctx      context.Context
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	requests []*http.Request // by kind; bound to ctx

	got     atomic.Int64 // when the request in hand got its connection
	fresh   atomic.Bool  // and whether that was opened for it
	written atomic.Int64 // when its first byte was handed to the kernel

	mu    sync.Mutex
	conns map[*stampedConn]struct{}
	gone  bool
}

var _ exchanger = (*httpLink)(nil)

// buffers to discard bodies into.
var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

func newHTTPLink(ctx context.Context, s *settings, c *clock, seed maphash.Seed) *httpLink {
	x := &httpLink{parent: ctx, settings: s, clock: c, seed: seed, conns: map[*stampedConn]struct{}{}}
	x.transport = newTransport(s, x.dial)
	x.renew()
	return x
}

// renew makes the context that the next requests use, and the requests.
func (x *httpLink) renew() {
	if x.timer != nil {
		x.timer.Stop()
		x.cancel(nil)
	}
	ctx, cancel := context.WithCancelCause(x.parent)
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		x.fresh.Store(!info.Reused)
		x.got.Store(x.clock.now())
		x.written.Store(0) // what was written until now was the TLS handshake
	}}
	x.ctx, x.cancel = httptrace.WithClientTrace(ctx, trace), cancel
	x.timer = time.AfterFunc(x.settings.timeout, func() { cancel(errTimeout) })
	x.timer.Stop()
	x.requests = x.requests[:0]
	for i := range x.settings.kinds {
		x.requests = append(x.requests, newRequest(x.ctx, &x.settings.kinds[i]))
	}
}

// request returns a request of the kind, ready to be sent. One with a body is a
// copy: after an early answer the transport may still be reading the old one.
func (x *httpLink) request(kind int) *http.Request {
	r := x.requests[kind]
	if r.GetBody == nil {
		return r
	}
	fresh := *r
	fresh.Body, _ = r.GetBody()
	return &fresh
}

func (x *httpLink) exchange(kind int, hash bool) outcome {
	start := x.clock.now()
	x.got.Store(0)
	x.written.Store(0)
	x.timer.Reset(x.settings.timeout)
	var o outcome
	resp, err := x.transport.RoundTrip(x.request(kind))
	if err == nil {
		o.status = resp.StatusCode
		o.bytes, o.sum, err = x.drain(resp.Body, hash)
	}
	o.done = x.clock.now()
	if got := x.got.Load(); got > 0 {
		o.written = x.written.Load()
		if x.fresh.Load() {
			o.dial = got - start
		}
	}
	if err != nil {
		o.status, o.err, o.detail = 0, classify(err), err
		if errors.Is(context.Cause(x.ctx), errTimeout) {
			o.err, o.detail = failTimeout, fmt.Errorf("%w (%v)", errTimeout, x.settings.timeout)
		}
	}
	if !x.timer.Stop() { // it fired, or is about to: it must not hit the next request
		x.renew()
	}
	return o
}

// drain reads the body to its end.
func (x *httpLink) drain(body io.ReadCloser, hash bool) (n int64, sum uint64, err error) {
	defer body.Close()
	if body == http.NoBody && !hash {
		return 0, 0, nil
	}
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	var h maphash.Hash
	h.SetSeed(x.seed)
	for {
		m, err := body.Read(buf[:])
		if hash && n < hashedBytes {
			_, _ = h.Write(buf[:m])
		}
		n += int64(m)
		if err == io.EOF {
			if hash {
				sum = h.Sum64() ^ uint64(n)
			}
			return n, sum, nil
		}
		if err != nil {
			return n, 0, err
		}
	}
}

// dial opens a connection that notes when it is written to.
func (x *httpLink) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	d := net.Dialer{KeepAlive: -1} // probes of idle connections are system calls for nothing here
	c, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	s := &stampedConn{Conn: direct.Conn(c), link: x}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gone {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	x.conns[s] = struct{}{}
	return s, nil
}

func (x *httpLink) close() {
	x.timer.Stop()
	x.cancel(nil)
	x.transport.CloseIdleConnections()
	x.mu.Lock()
	x.gone = true
	conns := x.conns
	x.conns = nil
	x.mu.Unlock()
	for c := range conns {
		_ = c.Conn.Close() // its goroutines end with it
	}
}

// stampedConn notes when the first byte of a request is handed to the kernel:
// net/http writes on another goroutine and does not say so.
type stampedConn struct {
	net.Conn
	link *httpLink
}

func (c *stampedConn) Write(b []byte) (int, error) {
	if c.link.written.Load() == 0 {
		c.link.written.Store(c.link.clock.now())
	}
	return c.Conn.Write(b)
}

func (c *stampedConn) Close() error {
	c.link.mu.Lock()
	delete(c.link.conns, c)
	c.link.mu.Unlock()
	return c.Conn.Close()
}
