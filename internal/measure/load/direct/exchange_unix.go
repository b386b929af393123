//go:build unix

package direct

import (
	"io"
	"os"
	"syscall"
)

// Exchange sends a request and reads its answer with no system call that cannot
// succeed. An ordinary Read tries before it waits (internal/poll.FD.Read), and right
// after a request there is nothing to be had yet: that costs a third call, and a
// tenth of an exchange.
//
// RawConn.Read forgets what the poller has seen, calls step, waits while step
// says false, and calls it again (internal/poll.FD.RawRead). The request is written
// in the first call: the answer to it comes after the forgetting, so that the
// wait cannot miss it. What came earlier can be missed, which is why the wait has
// an end that the caller sets: the read deadline of the connection.
type Exchange struct {
	take    func(n int) (whole bool, err error) // the first n bytes of buf
	buf     []byte
	call    func(fd uintptr) bool // step, bound once
	request []byte
	begun   bool
	sent    int // bytes of the request
	whole   bool
	err     error // of reading, or of take
}

// NewExchange returns one that reads into buf, and gives what came to take, which
// says when the answer is whole. Its exchanges come one after the other.
func NewExchange(buf []byte, take func(int) (bool, error)) *Exchange {
	r := &Exchange{take: take, buf: buf}
	r.call = r.step
	return r
}

// Converse sends the request over c and reads the answer. When it could not send
// all of it, it does not wait: an ordinary write finds out why. err is io.EOF when
// the connection ended before the answer was whole, and os.ErrDeadlineExceeded when
// its deadline passed, which takes nothing away: an ordinary Read goes on.
func (r *Exchange) Converse(c syscall.RawConn, request []byte) (sent int, whole bool, err error) {
	r.request, r.begun, r.sent, r.whole, r.err = request, false, 0, false, nil
	if err := c.Read(r.call); err != nil {
		return r.sent, false, err
	}
	return r.sent, r.whole, r.err
}

// step reports whether the wait is over.
func (r *Exchange) step(fd uintptr) bool {
	if !r.begun {
		r.begun = true
		n, _ := writeNow(fd, r.request)
		r.sent = max(0, n)
		return r.sent < len(r.request)
	}
	for {
		n, err := readNow(fd, r.buf)
		switch {
		case err == syscall.EAGAIN: //nolint:errorlint // it comes from the kernel, and often
			return false
		case err != nil:
			r.err = os.NewSyscallError("read", err)
			return true
		case n == 0:
			r.err = io.EOF
			return true
		}
		if r.whole, r.err = r.take(n); r.whole || r.err != nil {
			return true
		}
	}
}

// Raw returns what an exchange needs of a connection, nil when it has none.
func Raw(c any) syscall.RawConn {
	s, ok := c.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// Waiting reports whether a read would find something: bytes, the end, or an error.
func Waiting(c syscall.RawConn) (found bool) {
	if c == nil {
		return false
	}
	var one [1]byte
	err := c.Control(func(fd uintptr) {
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		found = err != syscall.EAGAIN
	})
	return found || err != nil
}
