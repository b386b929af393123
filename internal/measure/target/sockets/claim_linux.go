package sockets

import (
	"net"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// localWitness asks /proc of this process's own PID namespace.
func localWitness() witness {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return witness{
		boot:      strings.TrimSpace(string(boot)),
		all:       func() []int { pids, _ := proc.PIDs(); return pids },
		listening: listening,
		start: func(pid int) (uint64, bool) {
			p, err := proc.Read(pid)
			return p.Start, err == nil && !p.Dead()
		},
		inner: func(pid int) int {
			text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
			return innermost(string(text), pid)
		},
		command: func(pid int) ([]byte, bool) {
			args, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
			return args, err == nil
		},
	}
}

// PeerPID returns the process that listens at the other end of a unix socket, as it
// is numbered here; 0 when it cannot be seen. A process that was handed its socket
// (by systemd) is not the one that listens.
func PeerPID(conn *net.UnixConn) int {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0
	}
	pid := 0
	_ = raw.Control(func(fd uintptr) {
		if cred, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			pid = int(cred.Pid)
		}
	})
	return pid
}
