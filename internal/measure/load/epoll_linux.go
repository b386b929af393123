package load

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// maxEvents is how many sockets one wake-up serves.
	maxEvents = 256
	// The events that are no socket's: halt, and the time of a scan.
	wakeIndex  = -1
	timerIndex = -2
)

// epoll is one set of sockets that a thread waits for (epoll(7)), with a timer and a
// way to end the wait. Everything but halt is called on that thread alone.
type epoll struct {
	fd      int
	wake    int   // eventfd
	timer   int   // timerfd
	alarmed int64 // the instant that the timer is set for
	halted  atomic.Bool
	closing sync.Mutex // of wake, against halt

	events [maxEvents]unix.EpollEvent
	spec   kernelTimespec
	coarse bool // epoll_pwait2 cannot be used
}

// open makes the set. After an error there is nothing to close.
func (e *epoll) open() (err error) {
	e.wake, e.timer = -1, -1
	if e.fd, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if e.wake, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err == nil {
		err = e.add(e.wake, wakeIndex, unix.EPOLLIN)
	}
	if err == nil {
		e.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	}
	if err == nil {
		err = e.add(e.timer, timerIndex, unix.EPOLLIN)
	}
	if err != nil {
		e.close()
		return fmt.Errorf("prepare to poll: %w", err)
	}
	return nil
}

// add waits for events of a file too; index is what they carry. Closing it takes it out.
func (e *epoll) add(fd, index int, events uint32) error {
	return e.control(unix.EPOLL_CTL_ADD, fd, index, events)
}

// change waits for other events of a file.
func (e *epoll) change(fd, index int, events uint32) error {
	return e.control(unix.EPOLL_CTL_MOD, fd, index, events)
}

func (e *epoll) control(op, fd, index int, events uint32) error {
	event := unix.EpollEvent{Events: events, Fd: int32(index)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(e.fd, op, fd, &event))
}

// alarm ends a wait at an instant.
func (e *epoll) alarm(at, now int64) {
	if e.alarmed == at {
		return
	}
	e.alarmed = at
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(at - now)}
	_ = unix.TimerfdSettime(e.timer, 0, &spec, nil)
}

// kernelTimespec is struct __kernel_timespec, which epoll_pwait2 takes on every
// architecture. unix.Timespec is that of libc, with fields of 32 bits on a machine of
// 32 bits: the kernel would read the nanoseconds as the upper half of the seconds.
type kernelTimespec struct{ sec, nsec int64 }

// poll waits for events for at most so many nanoseconds, without end when that is
// negative.
func (e *epoll) poll(wait int64) []unix.EpollEvent {
	var n uintptr
	var errno unix.Errno
	if e.coarse {
		// Milliseconds are all there is: what is shorter is spun.
		if wait > 0 {
			wait /= 1e6
		}
		n, _, errno = unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(e.fd), uintptr(unsafe.Pointer(&e.events[0])), maxEvents, uintptr(wait), 0, 0)
	} else {
		var timeout *kernelTimespec
		if wait >= 0 {
			e.spec = kernelTimespec{wait / 1e9, wait % 1e9}
			timeout = &e.spec
		}
		n, _, errno = unix.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(e.fd), uintptr(unsafe.Pointer(&e.events[0])), maxEvents, uintptr(unsafe.Pointer(timeout)), 0, 0)
		// ENOSYS before Linux 5.11, EPERM or anything else under a seccomp filter that
		// does not know the call: container engines older than the call refuse it so.
		e.coarse = errno != 0 && errno != unix.EINTR
	}
	if errno != 0 {
		return nil // EINTR, or the next try is coarse
	}
	return e.events[:n]
}

// halt ends the wait, and those to come, from any goroutine.
func (e *epoll) halt() {
	e.halted.Store(true)
	e.closing.Lock()
	defer e.closing.Unlock()
	one := [8]byte{1}
	if e.wake >= 0 {
		_, _ = unix.Write(e.wake, one[:])
	}
}

func (e *epoll) close() {
	e.closing.Lock()
	defer e.closing.Unlock()
	if e.timer >= 0 {
		_ = unix.Close(e.timer)
	}
	if e.wake >= 0 {
		_ = unix.Close(e.wake)
	}
	e.wake = -1
	_ = unix.Close(e.fd)
}
