package memory

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Process is the memory of a process. The zero value is not usable; it may be used from
// several goroutines.
type Process struct{ pid int }

// Errors of Read and Write, wrapped.
var (
	ErrGone    = errors.New("the process has ended")
	ErrRefused = errors.New("its memory may not be read")
)

// Of returns the memory of a process. Whether it may be read shows with the first Read.
func Of(pid int) Process { return Process{pid} }

// Read implements Reader with process_vm_readv(2).
func (p Process) Read(addr uint64, b []byte) error {
	for done := 0; done < len(b); {
		local := []unix.Iovec{{Base: &b[done]}}
		local[0].SetLen(len(b) - done)
		remote := []unix.RemoteIovec{{Base: uintptr(addr) + uintptr(done), Len: len(b) - done}}
		n, err := unix.ProcessVMReadv(p.pid, local, remote, 0)
		if err == nil && n <= 0 {
			err = unix.EFAULT
		}
		if err != nil {
			return p.failed("read", addr, len(b), err)
		}
		done += n
	}
	return nil
}

// Many fills one slice after another, each from its own address, with as few system calls as
// can be. It returns which of them were read: one that could not be leaves its slice as it is.
func (p Process) Many(addrs []uint64, into [][]byte) ([]bool, error) {
	read := make([]bool, len(addrs))
	for i := 0; i < len(addrs); {
		n := min(len(addrs)-i, mostVectors)
		local, remote := make([]unix.Iovec, n), make([]unix.RemoteIovec, n)
		for k := range n {
			b := into[i+k]
			local[k].Base = &b[0]
			local[k].SetLen(len(b))
			remote[k] = unix.RemoteIovec{Base: uintptr(addrs[i+k]), Len: len(b)}
		}
		got, err := unix.ProcessVMReadv(p.pid, local, remote, 0)
		if err != nil && !errors.Is(err, unix.EFAULT) {
			return read, p.failed("read", addrs[i], 0, err)
		}
		for got > 0 && n > 0 && got >= len(into[i]) {
			read[i] = true
			got -= len(into[i])
			i, n = i+1, n-1
		}
		if n > 0 {
			i++ // the one that it stopped at
		}
	}
	return read, nil
}

// mostVectors is how many pieces one system call takes (IOV_MAX, limits.h).
const mostVectors = 1024

// Write writes one word with process_vm_writev(2): of up to eight bytes it is one store on
// the processors that Go knows, if it is aligned.
func (p Process) Write(addr uint64, b []byte) error {
	local := []unix.Iovec{{Base: &b[0]}}
	local[0].SetLen(len(b))
	n, err := unix.ProcessVMWritev(p.pid, local, []unix.RemoteIovec{{Base: uintptr(addr), Len: len(b)}}, 0)
	if err == nil && n != len(b) {
		err = unix.EFAULT
	}
	if err != nil {
		return p.failed("write", addr, len(b), err)
	}
	return nil
}

func (p Process) failed(what string, addr uint64, n int, err error) error {
	switch {
	case errors.Is(err, unix.ESRCH):
		return fmt.Errorf("process %d: %w", p.pid, ErrGone)
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return fmt.Errorf("process %d: %w: %s", p.pid, ErrRefused, p.Cure())
	case errors.Is(err, unix.ENOSYS):
		return fmt.Errorf("process %d: process_vm_readv is not allowed here (seccomp): run unpark outside of the container, or allow the call in its seccomp profile: %w", p.pid, ErrRefused)
	case errors.Is(err, unix.EFAULT):
		return fmt.Errorf("process %d: %s %d bytes at %#x: %w", p.pid, what, n, addr, ErrUnmapped)
	}
	return fmt.Errorf("process %d: %s %d bytes at %#x: %w", p.pid, what, n, addr, err)
}
