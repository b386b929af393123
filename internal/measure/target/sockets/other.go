//go:build !linux

package sockets

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
)

// What only Linux can do, said as such.

// Supported says whether this system tells on which sockets a process listens.
const Supported = false

// Ports needs /proc.
func Ports([]int) ([]int, error) { return nil, errors.ErrUnsupported }

// Peers needs /proc.
func Peers([]int) ([]Peer, error) { return nil, errors.ErrUnsupported }

// Clients needs /proc.
func Clients([]int) ([]Peer, error) { return nil, errors.ErrUnsupported }

// Unix needs /proc.
func Unix([]int) ([]string, error) {
	return nil, fmt.Errorf("list sockets: %w on %s: run unpark on Linux for it", errors.ErrUnsupported, runtime.GOOS)
}

func owner(addrs []netip.AddrPort) (pid int, ok bool) { return 0, occupied(addrs) }

func listening(string) []int { return nil }

// localWitness can say nothing: there is no /proc.
func localWitness() witness {
	return witness{
		all:       func() []int { return nil },
		listening: listening,
		start:     func(int) (uint64, bool) { return 0, false },
		inner:     func(pid int) int { return pid },
		command:   func(int) ([]byte, bool) { return nil, false },
	}
}

// PeerPID needs SO_PEERCRED.
func PeerPID(*net.UnixConn) int { return 0 }
