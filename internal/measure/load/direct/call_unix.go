//go:build unix && !linux

package direct

import "syscall"

// readNow is read(2) on a descriptor that never blocks. These systems want it to go
// through their C library.
func readNow(fd uintptr, b []byte) (int, error) { return uninterrupted(syscall.Read, fd, b) }

// writeNow is write(2), as readNow.
func writeNow(fd uintptr, b []byte) (int, error) { return uninterrupted(syscall.Write, fd, b) }

func uninterrupted(call func(int, []byte) (int, error), fd uintptr, b []byte) (int, error) {
	for {
		n, err := call(int(fd), b)
		if err != syscall.EINTR { //nolint:errorlint // it comes from the kernel
			return n, err
		}
	}
}
