package target

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// FindsPorts says whether Ports can tell where a started target listens.
const FindsPorts = true

// listeners lists the listening TCP sockets of this network namespace.
func listeners() ([]listener, error) {
	bigEndian := binary.NativeEndian.Uint16([]byte{0, 1}) == 1
	var ls []listener
	read := false
	var errs []error
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(file)
		if err != nil {
			errs = append(errs, err)
			continue // a kernel without IPv6 has no tcp6
		}
		read = true
		ls = append(ls, parseListeners(string(text), bigEndian)...)
	}
	if !read {
		return nil, errors.Join(errs...)
	}
	return ls, nil
}

// sockets returns the inodes of the sockets that a process has open.
func sockets(pid int) map[string]bool {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	fds, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	inodes := map[string]bool{}
	for _, fd := range fds {
		link, err := os.Readlink(filepath.Join(dir, fd.Name()))
		if err != nil {
			continue
		}
		if inode, ok := strings.CutPrefix(link, "socket:["); ok {
			inodes[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return inodes
}

// portsOf returns the TCP ports that any of the processes listens on, sorted.
func portsOf(pids []int) ([]int, error) {
	ls, err := listeners()
	if err != nil || len(ls) == 0 {
		return nil, err
	}
	var ports []int
	for _, pid := range pids {
		open := sockets(pid)
		for _, l := range ls {
			if open[l.inode] {
				ports = append(ports, int(l.addr.Port()))
			}
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports), nil
}

// unixOf returns the unix sockets that any of the processes accepts connections on, as
// absolute paths and abstract names, sorted.
func unixOf(pids []int) ([]string, error) {
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
		open := sockets(pid)
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
	ls, err := listeners()
	if err != nil {
		return nil, false, err
	}
	inodes := map[string]bool{}
	for _, l := range ls {
		if slices.ContainsFunc(addrs, func(a netip.AddrPort) bool { return answers(l.addr, a) }) {
			inodes[l.inode] = true
		}
	}
	if len(inodes) == 0 {
		return nil, false, nil
	}
	all, _ := proc.PIDs()
	slices.Sort(all)
	for _, pid := range all {
		for inode := range sockets(pid) {
			if inodes[inode] {
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
