package sockets

import (
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// system is the file system of this machine.
func system() fs.FS { return os.DirFS("/") }

// Supported says whether this system tells on which sockets a process listens.
const Supported = true

// Ports returns the TCP ports that any of the processes listens on, sorted. The error
// wraps errors.ErrUnsupported where that cannot be found out.
func Ports(pids []int) ([]int, error) {
	ls, err := listeners(system(), "proc/net")
	if err != nil || len(ls) == 0 {
		return nil, err
	}
	var ports []int
	for _, pid := range pids {
		open, _ := inodes(system(), pid)
		for _, l := range ls {
			if open[l.inode] {
				ports = append(ports, int(l.addr.Port()))
			}
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports), nil
}

// Unix returns the unix sockets that any of the processes accepts connections on, as
// absolute paths and abstract names with @ in front, sorted. The error wraps
// errors.ErrUnsupported where that cannot be found out.
func Unix(pids []int) ([]string, error) {
	text, err := os.ReadFile("/proc/net/unix")
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil // a kernel without them
	}
	if err != nil {
		return nil, err
	}
	ls := parseUnixListeners(string(text))
	var paths []string
	for _, pid := range pids {
		open, _ := inodes(system(), pid)
		for _, l := range ls {
			if open[l.inode] {
				paths = append(paths, absolute(l.path, pid))
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// absolute returns the path of a socket that a process opened, by where it works.
func absolute(path string, pid int) string {
	if filepath.IsAbs(path) || strings.HasPrefix(path, "@") {
		return path
	}
	dir, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	if err != nil {
		return path
	}
	return filepath.Join(dir, path)
}

// owner returns the process with the lowest PID that listens where addrs do; 0
// when it belongs to another user. ok is false when nothing listens there.
func owner(addrs []netip.AddrPort) (pid int, ok bool) {
	pids, ok, err := owners(addrs)
	if err != nil {
		return 0, occupied(addrs)
	}
	if len(pids) == 0 {
		return 0, ok
	}
	return pids[0], true
}

// owners returns the processes that listen where addrs do, sorted, as far as they can
// be seen. ok is false when nothing listens there.
func owners(addrs []netip.AddrPort) (pids []int, ok bool, err error) {
	ls, err := listeners(system(), "proc/net")
	if err != nil {
		return nil, false, err
	}
	wanted := map[string]bool{}
	for _, l := range ls {
		if slices.ContainsFunc(addrs, func(a netip.AddrPort) bool { return answers(l.addr, a) }) {
			wanted[l.inode] = true
		}
	}
	if len(wanted) == 0 {
		return nil, false, nil
	}
	all, _ := proc.PIDs()
	slices.Sort(all)
	for _, pid := range all {
		open, _ := inodes(system(), pid)
		for inode := range open {
			if wanted[inode] {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids, true, nil
}

// listening returns the processes that listen on a TCP address of this machine.
func listening(addr string) []int {
	pids, _, _ := owners(addrsOf(addr))
	return pids
}

// Peers returns the addresses to which the processes have opened connections, those with most of
// them first and unix sockets after TCP, and who is at the other end of those on this machine. The error wraps
// errors.ErrUnsupported where that cannot be found out.
func Peers(pids []int) ([]Peer, error) {
	all, err := proc.PIDs()
	if err != nil {
		return nil, err
	}
	peers, err := peersIn(system(), pids, all)
	if err != nil {
		return nil, err
	}
	socks, _ := unixConns() // a kernel, or a sandbox, without it
	return append(peers, unixPeersIn(system(), socks, pids, all)...), nil
}

// Clients returns the connections that the processes have accepted, by the process at the other
// end, those with most of them first; without one where that is on another machine, or another
// user's. The error is that of Peers.
func Clients(pids []int) ([]Peer, error) {
	all, err := proc.PIDs()
	if err != nil {
		return nil, err
	}
	return clientsIn(system(), pids, all)
}
