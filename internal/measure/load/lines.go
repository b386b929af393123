package load

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/internal/measure/load/direct"
)

// lines are the connections of one exchanger over net.Conn, one to each host of the
// plan: dialled when they are wanted, and closed with the load.
type lines struct {
	settings *settings
	clock    *clock
	ctx      context.Context //nolint:containedctx // that of the load
	cancel   context.CancelFunc
	detach   func() bool // from ctx
	peers    map[string]*peer

	mu   sync.Mutex // of peer.raw, against hangUp
	gone bool
}

// peer is one host of the plan, with the connection to it.
type peer struct {
	network string      // "tcp" or "unix"
	addr    string      // host:port, or the socket
	tls     *tls.Config // nil: plain
	conn    net.Conn    // nil: there is none
	raw     net.Conn    // below TLS
	// armed is when a read ends at the latest; not after the time of the request
	// in hand. 0: it is not set for an ordinary read.
	armed  int64
	bare   syscall.RawConn // for direct.Exchange; nil: it is not fit for that
	glance int64           // as armed, for direct.Exchange
	freed  int64           // when the last answer was read
}

func (x *lines) setUp(s *settings, c *clock) {
	x.settings, x.clock, x.peers = s, c, map[string]*peer{}
}

// begin ties the connections to the load.
func (x *lines) begin(ctx context.Context) {
	x.ctx, x.cancel = context.WithCancel(ctx)
	x.detach = context.AfterFunc(x.ctx, x.hangUp)
}

// peerOf returns the host that a kind of request goes to.
func (x *lines) peerOf(k *kind) *peer {
	network, addr := k.address()
	name := k.url.Scheme + " " + network + " " + addr
	if x.peers[name] == nil {
		p := &peer{network: network, addr: addr}
		if k.url.Scheme == "https" || k.url.Scheme == schemeGRPCS {
			p.tls = &tls.Config{
				ServerName: k.url.Hostname(), NextProtos: []string{alpn(x.settings.protocol)},
				InsecureSkipVerify: onlyLoopback(x.settings.kinds), //nolint:gosec // see loopback
			}
		}
		x.peers[name] = p
	}
	return x.peers[name]
}

// alpn is what TLS calls a protocol of a plan.
func alpn(protocol string) string {
	if protocol == protoHTTP1 {
		return protoHTTP1
	}
	return protoH2
}

func onlyLoopback(kinds []kind) bool {
	for i := range kinds {
		if kinds[i].socket == "" && !loopback(kinds[i].url.Host) {
			return false
		}
	}
	return true
}

// open dials, and shakes hands.
func (x *lines) open(p *peer, until int64) error {
	ctx, cancel := context.WithTimeout(x.ctx, time.Duration(until-x.clock.now()))
	defer cancel()
	raw, err := x.settings.dialer.dial(ctx, p.network, p.addr)
	if err != nil {
		return err
	}
	conn := raw
	if p.tls != nil {
		if conn, err = x.shake(ctx, raw, p); err != nil {
			_ = raw.Close()
			return err
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gone {
		_ = raw.Close()
		return net.ErrClosed
	}
	p.conn, p.raw, p.armed, p.glance, p.freed = conn, raw, 0, 0, -int64(longIdle)
	if p.bare = nil; p.tls == nil {
		p.bare = direct.Raw(raw)
	}
	return nil
}

// shake agrees on TLS, and on the protocol: an older one than HTTP/2 needs no
// agreement.
func (x *lines) shake(ctx context.Context, raw net.Conn, p *peer) (net.Conn, error) {
	t := tls.Client(raw, p.tls)
	if err := t.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	if got := t.ConnectionState().NegotiatedProtocol; alpn(x.settings.protocol) == protoH2 && got != protoH2 {
		return nil, fmt.Errorf("tls: the server agreed to no h2, which the plan needs (ALPN %q)", got)
	}
	return t, nil
}

// arm has reads end when the time of the request is up. A deadline that lies up to
// half the timeout before that is as good, because a read that it ends goes on
// with the next: so it is moved twice in a timeout and not for every request, which
// would cost 0.4 µs. A write cannot go on (TLS is broken then), so its deadline is
// later by that half.
func (x *lines) arm(p *peer, now, until int64) {
	at := time.Now().Add(time.Duration(until - now))
	p.armed, p.glance = until, 0
	_ = p.conn.SetReadDeadline(at)
	_ = p.conn.SetWriteDeadline(at.Add(x.settings.timeout / 2))
}

// failed fills the outcome of an exchange that has no answer.
func (x *lines) failed(o *outcome, err error, until int64) {
	switch {
	case x.ctx.Err() != nil:
		err = x.ctx.Err()
	case o.done >= until:
		err = fmt.Errorf("%w (%v)", errTimeout, x.settings.timeout)
	}
	o.err, o.detail = classify(err), err
}

// drop closes the connection to p. It closes the one below TLS: saying goodbye
// could block.
func (x *lines) drop(p *peer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if p.raw != nil {
		_ = p.raw.Close()
	}
	p.conn, p.raw = nil, nil
}

// hangUp ends what is in progress, and what would follow.
func (x *lines) hangUp() {
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
func (x *lines) close() {
	x.detach()
	x.cancel()
	x.hangUp()
}
