package sockets

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// unixSocket is one connected stream socket of the unix family. One that was accepted has the name of its listener; one
// that was opened has none, as a rule.
type unixSocket struct {
	inode, peer string
	name        string // a path, or an abstract name with @ in front; empty where it has none
}

// parseUnixDiag reads one answer about a unix socket of the kernel's socket monitoring interface
// (include/uapi/linux/unix_diag.h: unix_diag_msg, then attributes): 16 bytes and what it was asked to show.
func parseUnixDiag(data []byte) (unixSocket, bool) {
	const stream, head = 1, 16
	if len(data) < head || data[1] != stream {
		return unixSocket{}, false
	}
	order := binary.NativeEndian
	out := unixSocket{inode: strconv.FormatUint(uint64(order.Uint32(data[4:])), 10)}
	for rest := data[head:]; len(rest) >= 4; {
		size, kind := int(order.Uint16(rest)), order.Uint16(rest[2:])
		if size < 4 || size > len(rest) {
			break
		}
		value := rest[4:size]
		switch {
		case kind == 0 && len(value) > 0: // UNIX_DIAG_NAME
			out.name = unixName(value)
		case kind == 2 && len(value) >= 4: // UNIX_DIAG_PEER
			out.peer = strconv.FormatUint(uint64(order.Uint32(value)), 10)
		}
		rest = rest[min(len(rest), (size+3)&^3):]
	}
	return out, out.peer != ""
}

// unixName is an address as sun_path has it: abstract names begin with a zero byte, and paths may end with one (unix(7)).
func unixName(value []byte) string {
	if value[0] == 0 {
		return "@" + string(value[1:])
	}
	return string(bytes.TrimRight(value, "\x00"))
}

// unixPeersIn finds the connections to unix sockets that some processes opened, and which of all processes have their other
// ends. What a process was given as its standard streams, as that of a log, is none that it asks.
func unixPeersIn(root fs.FS, socks []unixSocket, pids, all []int) []Peer {
	own := ownedBy(root, pids)
	for _, pid := range pids {
		for fd := range 3 {
			link, _ := fs.ReadLink(root, path.Join("proc", strconv.Itoa(pid), "fd", strconv.Itoa(fd))) // closed, or no socket
			delete(own, strings.TrimSuffix(strings.TrimPrefix(link, "socket:["), "]"))
		}
	}
	names := map[string]string{} // of the sockets that have one
	for _, s := range socks {
		if s.name != "" {
			names[s.inode] = s.name
		}
	}
	count := map[string]int{}
	wanted := map[string]string{} // the names of the other ends, by inode
	for _, s := range socks {
		if at, accepted := names[s.peer]; accepted && s.name == "" && own[s.inode] {
			count[at]++
			wanted[s.peer] = at
		}
	}
	owners := map[string][]int{}
	for _, pid := range all {
		if len(wanted) == 0 {
			break
		}
		open, _ := inodes(root, pid) // it has ended, or is another user's
		for inode := range open {
			if at, ok := wanted[inode]; ok && !slices.Contains(owners[at], pid) {
				owners[at] = append(owners[at], pid)
			}
		}
	}
	var out []Peer
	for at, n := range count {
		slices.Sort(owners[at])
		out = append(out, Peer{Path: at, Connections: n, PIDs: owners[at]})
	}
	slices.SortFunc(out, func(a, b Peer) int {
		return cmp.Or(cmp.Compare(b.Connections, a.Connections), cmp.Compare(a.Path, b.Path))
	})
	return out
}
