package load

import (
	"crypto/tls"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
)

// longBody is the length from which a body is written while the answer is read: it
// may not fit into the kernel's buffers, and a server may answer without reading
// it.
const longBody = 16 << 10

// message is one kind of request as it goes over the wire.
type message struct {
	wire
	to    *peer
	bytes []byte // to be written next
	body  []byte // when it is long; not part of bytes
	last  bool   // it asks the server to close the connection
}

// peer is one host of the plan, with the connection to it.
type peer struct {
	addr string      // host:port
	tls  *tls.Config // nil: plain
	conn net.Conn    // nil: there is none
	raw  net.Conn    // below TLS
	// armed is when a read ends at the latest; not after the time of the request
	// in hand. 0: it is not set for an ordinary read.
	armed  int64
	bare   syscall.RawConn // for direct.Exchange; nil: it is not fit for that
	glance int64           // as armed, for direct.Exchange
	freed  int64           // when the last answer was read
}

func (x *connLink) newMessage(k *kind) (message, error) {
	w, err := newWire(k)
	if err != nil {
		return message{}, err
	}
	m := message{wire: w, to: x.peerOf(k), bytes: w.fixed, last: asksToClose(k.header)}
	if b := w.fixed; b != nil && len(k.body) >= longBody {
		m.bytes, m.body = slices.Clone(b[:len(b)-len(k.body)]), k.body
		m.fixed = m.bytes // the connections share it
	}
	return m, nil
}

func (x *connLink) peerOf(k *kind) *peer {
	addr := net.JoinHostPort(k.url.Hostname(), port(k))
	name := k.url.Scheme + " " + addr
	if x.peers[name] == nil {
		p := &peer{addr: addr}
		if k.url.Scheme == "https" {
			p.tls = &tls.Config{
				ServerName: k.url.Hostname(), NextProtos: []string{protoHTTP1},
				InsecureSkipVerify: onlyLoopback(x.settings.kinds), //nolint:gosec // see loopback
			}
		}
		x.peers[name] = p
	}
	return x.peers[name]
}

// asksToClose reports whether Connection has the option close.
func asksToClose(h http.Header) bool {
	for _, option := range strings.Split(strings.Join(h.Values("Connection"), ","), ",") {
		if strings.EqualFold(strings.TrimSpace(option), "close") {
			return true
		}
	}
	return false
}
