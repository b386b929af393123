package direct

import (
	"syscall"
	"unsafe"
)

// readNow is read(2) on a descriptor that never blocks. The scheduler is not told:
// there is nothing to wait for, and telling it wakes sysmon, which then looks every
// 20 µs for a P to take back (runtime/proc.go, entersyscall and retake). That cost
// 2 µs of the 19 of an exchange.
func readNow(fd uintptr, b []byte) (int, error) { return transfer(syscall.SYS_READ, fd, b) }

// writeNow is write(2), as readNow.
func writeNow(fd uintptr, b []byte) (int, error) { return transfer(syscall.SYS_WRITE, fd, b) }

func transfer(number, fd uintptr, b []byte) (int, error) {
	for {
		n, _, errno := syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		switch errno {
		case 0:
			return int(n), nil
		case syscall.EINTR:
			continue
		}
		return 0, errno
	}
}
