//go:build linux && (amd64 || arm64)

package perf

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ring is one open event and the memory in which the kernel leaves its records.
type ring struct {
	fd     int
	memory []byte
	page   *unix.PerfEventMmapPage
	data   []byte
}

func open(attr unix.PerfEventAttr, thread, cpu int) (*ring, error) {
	fd, err := unix.PerfEventOpen(&attr, thread, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	size := unix.Getpagesize()
	b, err := unix.Mmap(fd, 0, (1+ringPages)*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	return &ring{fd: fd, memory: b, page: (*unix.PerfEventMmapPage)(unsafe.Pointer(&b[0])), data: b[size:]}, nil
}

// take appends what the kernel has left, and gives the room back.
func (r *ring) take(dst []byte) []byte {
	head := atomic.LoadUint64(&r.page.Data_head)
	tail := r.page.Data_tail
	n := uint64(len(r.data))
	for tail < head {
		at := tail % n
		part := r.data[at:min(n, at+head-tail)]
		dst = append(dst, part...)
		tail += uint64(len(part))
	}
	atomic.StoreUint64(&r.page.Data_tail, tail)
	return dst
}

// ended reports whether the thread is gone: the event hangs up.
func (r *ring) ended() bool {
	p := []unix.PollFd{{Fd: int32(r.fd), Events: unix.POLLIN}}
	_, err := unix.Poll(p, 0)
	return err == nil && p[0].Revents&unix.POLLHUP != 0
}

func (r *ring) close() {
	_ = unix.Munmap(r.memory)
	_ = unix.Close(r.fd)
}

// decode reads records (perf_event_open(2), "MMAP layout"). What is cut off or makes no sense ends it.
func (s *Sampler) decode(b []byte) {
	const header = 8
	for len(b) >= header {
		kind, size := binary.LittleEndian.Uint32(b), int(binary.LittleEndian.Uint16(b[6:]))
		if size < header || size > len(b) {
			return
		}
		body := b[header:size]
		switch {
		case kind == unix.PERF_RECORD_SAMPLE && len(body) >= 16:
			s.sample(body)
		case kind == unix.PERF_RECORD_LOST && len(body) >= 16:
			s.out.Lost += binary.LittleEndian.Uint64(body[8:])
		}
		b = b[size:]
	}
}

// firstContext is from where on an address is none, but tells whose the next ones are
// (PERF_CONTEXT_MAX, linux/perf_event.h).
const firstContext = ^uint64(4094)

func (s *Sampler) sample(body []byte) {
	out := Sample{Thread: int(binary.LittleEndian.Uint32(body[4:]))}
	if s.whole {
		if int(binary.LittleEndian.Uint32(body)) != s.pid {
			return
		}
		if !s.seen[out.Thread] {
			s.seen[out.Thread] = true
			s.out.Threads++
		}
	}
	n := binary.LittleEndian.Uint64(body[8:])
	chain := body[16:]
	n = min(n, uint64(len(chain)/8))
	for range n {
		if ip := binary.LittleEndian.Uint64(chain); ip < firstContext {
			out.Stack = append(out.Stack, ip)
		}
		chain = chain[8:]
	}
	out.Return = returnOf(chain)
	s.out.All = append(s.out.All, out)
}

// returnOf reads what follows the calls: the ABI of the registers, 0 where there are none, the one that was asked for, and the
// size of the stack's part, the part, and how much of it is valid.
func returnOf(b []byte) uint64 {
	word := func(i int) uint64 {
		if len(b) < 8*(i+1) {
			return 0
		}
		return binary.LittleEndian.Uint64(b[8*i:])
	}
	switch {
	case word(0) == 0:
		return 0
	case returnInRegister:
		return word(1)
	case word(2) == 8 && word(4) == 8:
		return word(3)
	}
	return 0
}
