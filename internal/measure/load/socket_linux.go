package load

import (
	"errors"
	"net"
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
	slot    int // among the poller's sockets
	fd      int // −1: not connected
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

// drop closes the connection.
func (s *socket) drop() {
	if s.fd >= 0 {
		_ = unix.Close(s.fd) // leaves the epoll set with it
	}
	s.fd, s.used, s.blocked = -1, false, false
}

// next gives a socket that came free something to do.
func (p *poller) next(s *socket, now int64) {
	if p.lane == nil {
		p.again(s, now)
		return
	}
	if a, ok := p.lane.pop(&s.connection, now, p.idle.len > 0); ok {
		p.begin(s, a, now)
		return
	}
	s.state = free
	p.idle.push(s)
}

// again sends the next request of a closed loop.
func (p *poller) again(s *socket, now int64) {
	p.begin(s, arrival{index: int64(s.id)<<40 + s.count + 1, intended: s.freed, free: true}, now)
}

// think lets a socket of a closed loop wait for its next request.
func (p *poller) think(s *socket, now int64) {
	s.state, s.deadline = thinking, now+p.g.settings.think
	s.current.Store(s.deadline)
	p.thought.push(s)
}

// decided begins the requests of those who thought long enough. All think equally
// long, so that the first one to begin is the first one to end.
func (p *poller) decided(now int64) {
	for p.thought.len > 0 && p.thought.first().deadline <= now {
		s := p.thought.pop()
		s.freed = s.deadline
		p.again(s, now)
		now = p.clock.now()
	}
}

// begin sends a request, over a new connection when there is none.
func (p *poller) begin(s *socket, a arrival, now int64) {
	s.count++
	s.a = a
	kind := p.g.settings.choice.of(a.index)
	s.asked = ask{kind: kind, hash: p.g.repeats.wants(&s.connection, kind, now)}
	if p.g.settings.kinds[kind].varies() {
		s.asked.serial, s.asked.sent = p.g.serial(a), p.g.wall(a.intended)
	}
	s.started, s.written, s.dial, s.stale, s.tries, s.addr = now, 0, 0, false, 0, p.addr
	s.deadline = now + int64(p.g.settings.timeout)
	if s.fd >= 0 {
		p.send(s, now)
		return
	}
	p.enqueue(s)
}

// enqueue asks for a connection.
func (p *poller) enqueue(s *socket) {
	s.state = queued
	p.queue.push(s)
}

// openQueued dials for those who wait, as many at a time as are allowed. Who
// fails at once rests and is not queued again before the next scan, so that this
// ends.
func (p *poller) openQueued() {
	for p.queue.len > 0 && p.dialing < maxDialing {
		s := p.queue.pop()
		s.state = dialing
		p.dialing++
		if err := p.connect(s); err != nil {
			p.refused(s, err)
		}
	}
}

func (p *poller) connect(s *socket) error {
	at := p.addrs[s.addr]
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
	e := unix.EpollEvent{Events: unix.EPOLLOUT, Fd: int32(s.slot)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(p.ep, unix.EPOLL_CTL_ADD, fd, &e))
}

// connected goes on after the handshake and returns the instant after.
func (p *poller) connected(s *socket) int64 {
	code, err := unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err == nil && code != 0 {
		err = os.NewSyscallError("connect", unix.Errno(code))
	}
	if err == nil {
		err = p.watch(s, unix.EPOLLIN)
	}
	if err != nil {
		p.refused(s, err)
		return p.clock.now()
	}
	p.dialing--
	p.addr = s.addr
	s.codec.opened()
	now := p.clock.now()
	s.dial = now - s.started
	p.send(s, now)
	return now
}

// refused tries another address of the host (localhost has one for each family),
// and fails the request when there is none left.
func (p *poller) refused(s *socket, err error) {
	at := p.addrs[s.addr]
	if s.tries++; s.tries < len(p.addrs) {
		s.addr = (s.addr + 1) % len(p.addrs)
		p.dialing--
		s.drop()
		p.enqueue(s)
		return
	}
	err = &net.OpError{Op: "dial", Net: at.name.Network(), Addr: at.name, Err: err}
	p.fail(s, classify(err), err, p.clock.now())
}

func (p *poller) watch(s *socket, events uint32) error {
	e := unix.EpollEvent{Events: events, Fd: int32(s.slot)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(p.ep, unix.EPOLL_CTL_MOD, s.fd, &e))
}

// send writes the request; what the kernel does not take at once goes later.
func (p *poller) send(s *socket, now int64) {
	s.state, s.written = asked, now
	s.codec.ask(s.asked)
	p.write(s)
}

// write sends what is pending. An error is left to reading, which finds an answer
// that came early, or the reason.
func (p *poller) write(s *socket) {
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
				s.blocked = p.watch(s, unix.EPOLLIN|unix.EPOLLOUT) == nil
			}
			return
		default:
			s.codec.wrote(len(b))
		}
	}
	if s.blocked {
		s.blocked = p.watch(s, unix.EPOLLIN) != nil
	}
}
