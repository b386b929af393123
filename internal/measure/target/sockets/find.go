package sockets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// PortsIn lists the TCP addresses that a process listens on, in a file system that
// holds /proc, in ascending order of port. The error says that the process or its
// files cannot be read: it has ended, or belongs to another user.
func PortsIn(root fs.FS, pid int) ([]string, error) {
	open, err := inodes(root, pid)
	if err != nil {
		return nil, fmt.Errorf("find the ports of process %d: %w", pid, err)
	}
	// Of the process's own network: it may be in a container.
	ls, err := listeners(root, "proc/"+strconv.Itoa(pid)+"/net")
	if err != nil {
		return nil, fmt.Errorf("find the ports of process %d: %w", pid, err)
	}
	ls = slices.DeleteFunc(ls, func(l listener) bool { return !open[l.inode] })
	slices.SortFunc(ls, func(a, b listener) int {
		return strings.Compare(fmt.Sprintf("%05d", a.addr.Port()), fmt.Sprintf("%05d", b.addr.Port()))
	})
	var out []string
	for _, l := range ls {
		out = append(out, l.addr.String())
	}
	return slices.Compact(out), nil
}

// listeners lists the listening TCP sockets of a network, whose files are in dir. One
// that cannot be read is no error if the other can: a kernel without IPv6 has no tcp6.
func listeners(root fs.FS, dir string) ([]listener, error) {
	bigEndian := binary.NativeEndian.Uint16([]byte{0, 1}) == 1
	var ls []listener
	var errs []error
	for _, file := range []string{"tcp", "tcp6"} {
		text, err := fs.ReadFile(root, path.Join(dir, file))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ls = append(ls, parseListeners(string(text), bigEndian)...)
	}
	if len(errs) == 2 {
		return nil, errors.Join(errs...)
	}
	return ls, nil
}

// inodes returns those of the sockets that a process has open.
func inodes(root fs.FS, pid int) (map[string]bool, error) {
	dir := "proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := fs.ReadDir(root, dir)
	if err != nil {
		return nil, err
	}
	open := map[string]bool{}
	for _, e := range entries {
		link, err := fs.ReadLink(root, path.Join(dir, e.Name()))
		if inode, ok := strings.CutPrefix(link, "socket:["); err == nil && ok {
			open[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return open, nil
}
