package load

import (
	"net/http"
	"slices"
	"strings"
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

// asksToClose reports whether Connection has the option close.
func asksToClose(h http.Header) bool {
	for _, option := range strings.Split(strings.Join(h.Values("Connection"), ","), ",") {
		if strings.EqualFold(strings.TrimSpace(option), "close") {
			return true
		}
	}
	return false
}
