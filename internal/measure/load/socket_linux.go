package load

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// socketState is what a socket waits for.
type socketState uint8

const (
	free     socketState = iota // for an arrival
	queued                      // for its turn to be dialled
	dialing                     // for the handshake
	asked                       // for the answer
	resting                     // after a failure
	thinking                    // between an answer and the next request
)

// socket is one connection of a poller, and the request on it.
type socket struct {
	connection
	ep      *epoll // of its poller
	slot    int    // among the poller's sockets
	fd      int    // −1: not connected
	state   socketState
	used    bool // an answer came over this connection
	stale   bool // the request was tried before, on a connection that had gone
	blocked bool // the kernel's buffer is full
	addr    int  // that is dialled
	tries   int  // addresses that refused in a row
	codec   codec
	asked   ask
	a       arrival

	started  int64 // when the request began; dialling counts from here
	dial     int64 // how long that took, 0 when the connection was there
	written  int64
	deadline int64 // of the request, or the end of the rest or the thought
}

// connect begins to open a connection.
func (s *socket) connect(at *address) error {
	fd, err := unix.Socket(at.family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	s.fd = fd
	if at.family != unix.AF_UNIX {
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	}
	if err := unix.Connect(fd, at.sockaddr); err != nil && !errors.Is(err, unix.EINPROGRESS) {
		return os.NewSyscallError("connect", err)
	}
	return s.ep.add(fd, s.slot, unix.EPOLLOUT)
}

// established goes on after the handshake, which may have failed.
func (s *socket) established() error {
	code, err := unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	switch {
	case err != nil:
		return err
	case code != 0:
		return os.NewSyscallError("connect", unix.Errno(code))
	}
	return s.watch(unix.EPOLLIN)
}

func (s *socket) watch(events uint32) error { return s.ep.change(s.fd, s.slot, events) }

// send writes the request; what the kernel does not take at once goes later.
func (s *socket) send(now int64) {
	s.state, s.written = asked, now
	s.codec.ask(s.asked)
	s.write()
}

// write sends what is pending. An error is left to reading, which finds an answer
// that came early, or the reason.
func (s *socket) write() {
	for {
		b := s.codec.pending()
		if len(b) == 0 {
			break
		}
		n, _, errno := unix.RawSyscall(unix.SYS_WRITE, uintptr(s.fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		switch errno {
		case 0:
			s.codec.wrote(int(n))
		case unix.EINTR:
		case unix.EAGAIN:
			if !s.blocked {
				s.blocked = s.watch(unix.EPOLLIN|unix.EPOLLOUT) == nil
			}
			return
		default:
			s.codec.wrote(len(b))
		}
	}
	if s.blocked {
		s.blocked = s.watch(unix.EPOLLIN) != nil
	}
}

// drop closes the connection.
func (s *socket) drop() {
	if s.fd >= 0 {
		_ = unix.Close(s.fd) // leaves the epoll set with it
	}
	s.fd, s.used, s.blocked = -1, false, false
}
