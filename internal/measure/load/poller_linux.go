package load

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// readBuffer holds most answers whole, so that one read is enough.
	readBuffer = 64 << 10
	// maxEvents is how many sockets one wake-up serves.
	maxEvents = 256
	// maxDialing bounds the connections that one poller opens at a time: the
	// backlog of a listener is finite (net.core.somaxconn), and a full one costs a
	// second (the retransmission of a SYN).
	maxDialing = 64
	// longestScan and shortestScan bound how late a timeout may be noticed.
	longestScan  = 100_000_000
	shortestScan = 1_000_000
	// The events that are no socket's: close, and the time of a scan.
	wakeIndex  = -1
	timerIndex = -2
)

// poller drives its share of the connections from one thread: it waits for all of
// them at once and never blocks in between (epoll(7)). Everything but close and
// head is called on that thread alone.
type poller struct {
	g       *Generator
	clock   *clock
	plain   *plainPlan
	lane    *lane // nil in a closed loop
	sockets []socket
	idle    socketRing // have nothing to do, longest first
	queue   socketRing // want to be dialled
	thought socketRing // think, the first to end first
	ep      int
	wake    int // eventfd
	timer   int // timerfd, of scans
	halted  atomic.Bool
	closing sync.Mutex // of wake, against halt

	events  [maxEvents]unix.EpollEvent
	spec    kernelTimespec
	coarse  bool // epoll_pwait2 cannot be used
	buf     []byte
	room    []byte // for a body that varies
	dialing int
	resting int   // sockets that wait after a failure
	tick    int64 // between scans
	scanAt  int64
	armed   int64 // the scan that the timer is set for
	addrs   []address
	addr    int // the one that answered last
}

func newPoller(g *Generator, plain *plainPlan) (*poller, error) {
	p := &poller{g: g, clock: g.clock, plain: plain, buf: make([]byte, readBuffer), wake: -1, timer: -1}
	p.tick = min(longestScan, max(shortestScan, int64(g.settings.timeout)/20))
	var err error
	if p.ep, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	if p.wake, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err == nil {
		err = unix.EpollCtl(p.ep, unix.EPOLL_CTL_ADD, p.wake, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: wakeIndex})
	}
	if err == nil {
		p.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	}
	if err == nil {
		err = unix.EpollCtl(p.ep, unix.EPOLL_CTL_ADD, p.timer, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: timerIndex})
	}
	if err != nil {
		p.release()
		return nil, fmt.Errorf("prepare to poll: %w", err)
	}
	return p, nil
}

// run serves the sockets until halt.
func (p *poller) run() {
	runtime.LockOSThread() // never undone: the thread ends with its timer slack
	// The default slack of 50 µs is added to every timeout (prctl(2)).
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	defer p.release()
	now := p.clock.now()
	for i := range p.sockets {
		p.next(&p.sockets[i], now)
	}
	for !p.halted.Load() {
		p.openQueued()
		now = p.clock.now()
		if p.lane != nil {
			p.lane.gaps.rest(now, p.idle.len > 0)
		}
		events := p.poll(p.wait(now))
		if p.lane != nil {
			p.lane.gaps.look(p.clock.now())
		}
		now = p.serve(events)
		p.hand(now)
		p.decided(now)
		if now >= p.scanAt {
			p.scan(now)
		}
	}
}

// serve handles events and returns the instant after.
func (p *poller) serve(events []unix.EpollEvent) int64 {
	now := p.clock.now()
	for i := range events {
		e := &events[i]
		if e.Fd < 0 {
			continue // halted, or scanAt, says the rest
		}
		s := &p.sockets[e.Fd]
		switch {
		case s.state == dialing:
			now = p.connected(s)
		case e.Events == unix.EPOLLOUT:
			p.write(s)
		default: // readable, or an error that reading tells
			now = p.readable(s)
		}
	}
	return now
}

// wait is how long to sleep at most; negative: until something happens. The next
// scan is left to a timer of its own, which is set ten times a second: a timeout
// would be set and cancelled with every wait.
func (p *poller) wait(now int64) int64 {
	if p.queue.len > 0 && p.dialing < maxDialing || now >= p.scanAt {
		return 0
	}
	if p.armed != p.scanAt {
		p.armed = p.scanAt
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(p.scanAt - now)}
		_ = unix.TimerfdSettime(p.timer, 0, &spec, nil)
	}
	until := int64(never)
	if p.lane != nil && p.idle.len > 0 {
		until = min(until, max(p.lane.due, now+p.g.settings.quantum))
	}
	if p.thought.len > 0 {
		until = min(until, max(p.thought.first().deadline, now+p.g.settings.quantum))
	}
	if until >= p.scanAt {
		return -1
	}
	return max(0, until-now-p.g.settings.spin)
}

// kernelTimespec is struct __kernel_timespec, which epoll_pwait2 takes on every
// architecture. unix.Timespec is that of libc, with fields of 32 bits on a machine of
// 32 bits: the kernel would read the nanoseconds as the upper half of the seconds.
type kernelTimespec struct{ sec, nsec int64 }

// poll waits for events for at most so many nanoseconds, without end when that is
// negative.
func (p *poller) poll(wait int64) []unix.EpollEvent {
	var n uintptr
	var errno unix.Errno
	if p.coarse {
		// Milliseconds are all there is: what is shorter is spun.
		if wait > 0 {
			wait /= 1e6
		}
		n, _, errno = unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.ep), uintptr(unsafe.Pointer(&p.events[0])), maxEvents, uintptr(wait), 0, 0)
	} else {
		var timeout *kernelTimespec
		if wait >= 0 {
			p.spec = kernelTimespec{wait / 1e9, wait % 1e9}
			timeout = &p.spec
		}
		n, _, errno = unix.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.ep), uintptr(unsafe.Pointer(&p.events[0])), maxEvents, uintptr(unsafe.Pointer(timeout)), 0, 0)
		// ENOSYS before Linux 5.11, EPERM or anything else under a seccomp filter that
		// does not know the call: container engines older than the call refuse it so.
		p.coarse = errno != 0 && errno != unix.EINTR
	}
	if errno != 0 {
		return nil // EINTR, or the next try is coarse
	}
	return p.events[:n]
}

// hand gives due arrivals to idle sockets.
func (p *poller) hand(now int64) {
	for p.lane != nil && p.idle.len > 0 {
		a, ok := p.lane.pop(&p.idle.first().connection, now, true)
		if !ok {
			return
		}
		p.begin(p.idle.pop(), a, now)
		now = p.clock.now() // sending took a while
	}
}

// scan finds requests that took too long, and sockets that rested enough.
func (p *poller) scan(now int64) {
	for i := range p.sockets {
		s := &p.sockets[i]
		switch s.state {
		case dialing, asked: // one that is queued is dialled first
			if now >= s.deadline {
				p.expire(s, now)
			}
		case resting:
			if now >= s.deadline {
				p.resting--
				p.resume(s, now)
			}
		}
	}
	p.scanAt = now + p.tick
	if p.resting > 0 {
		p.scanAt = min(p.scanAt, now+int64(firstBackoff))
	}
}

// halt ends run from any goroutine.
func (p *poller) halt() {
	p.halted.Store(true)
	p.closing.Lock()
	defer p.closing.Unlock()
	one := [8]byte{1}
	if p.wake >= 0 {
		_, _ = unix.Write(p.wake, one[:])
	}
}

func (p *poller) release() {
	for i := range p.sockets {
		p.sockets[i].drop()
	}
	p.closing.Lock()
	defer p.closing.Unlock()
	if p.timer >= 0 {
		_ = unix.Close(p.timer)
	}
	if p.wake >= 0 {
		_ = unix.Close(p.wake)
	}
	p.wake = -1
	_ = unix.Close(p.ep)
}

// socketRing is a queue of sockets with a fixed capacity.
type socketRing struct {
	buf       []*socket
	head, len int
}

func (r *socketRing) push(s *socket) {
	r.buf[(r.head+r.len)%len(r.buf)] = s
	r.len++
}

func (r *socketRing) first() *socket { return r.buf[r.head] }

func (r *socketRing) pop() *socket {
	s := r.buf[r.head]
	r.head = (r.head + 1) % len(r.buf)
	r.len--
	return s
}
