package sockets

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io/fs"
	"net/netip"
	"path"
	"slices"
	"strings"
)

// Peer is an address that processes have opened connections to.
type Peer struct {
	Address     netip.AddrPort
	Path        string // of a unix socket, which has no such address
	Connections int
	PIDs        []int // that have the other ends, on this machine; none elsewhere
}

// conn is one established TCP socket.
type conn struct {
	local, remote netip.AddrPort
	inode         string
}

// parseConns reads /proc/net/tcp or tcp6 and returns the sockets in state ESTABLISHED (01).
func parseConns(text string, bigEndian bool) []conn {
	var out []conn
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 10 || f[3] != "01" {
			continue
		}
		local, ok := parseHexAddrPort(f[1], bigEndian)
		remote, known := parseHexAddrPort(f[2], bigEndian)
		if ok && known {
			out = append(out, conn{local, remote, f[9]})
		}
	}
	return out
}

// peersIn finds the connections that some processes opened, and who has their other ends
// among all processes, in a file system that holds /proc.
func peersIn(root fs.FS, pids, all []int) ([]Peer, error) {
	conns, err := established(root)
	if err != nil {
		return nil, err
	}
	listens, err := listeners(root, "proc/net")
	if err != nil {
		return nil, err
	}
	opened := outgoing(conns, ownedBy(root, pids), listens)
	if len(opened) == 0 {
		return nil, nil
	}
	// The other end of a connection on this machine is a socket with both addresses swapped.
	ends := map[[2]netip.AddrPort]string{}
	for _, c := range conns {
		ends[[2]netip.AddrPort{c.local, c.remote}] = c.inode
	}
	wanted := map[string]netip.AddrPort{}
	count := map[netip.AddrPort]int{}
	for _, c := range opened {
		count[c.remote]++
		if inode, ok := ends[[2]netip.AddrPort{c.remote, c.local}]; ok {
			wanted[inode] = c.remote
		}
	}
	owners := map[netip.AddrPort][]int{}
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
	out := make([]Peer, 0, len(count))
	for at, n := range count {
		slices.Sort(owners[at])
		out = append(out, Peer{Address: at, Connections: n, PIDs: owners[at]})
	}
	slices.SortFunc(out, func(a, b Peer) int {
		return cmp.Or(cmp.Compare(b.Connections, a.Connections), a.Address.Compare(b.Address))
	})
	return out, nil
}

// clientsIn finds the connections that some processes have accepted, by the processes at their
// other ends. The address is the one that was asked.
func clientsIn(root fs.FS, pids, all []int) ([]Peer, error) {
	conns, err := established(root)
	if err != nil {
		return nil, err
	}
	listens, err := listeners(root, "proc/net")
	if err != nil {
		return nil, err
	}
	own := ownedBy(root, pids)
	opened := map[[2]netip.AddrPort]bool{}
	for _, c := range outgoing(conns, own, listens) {
		opened[[2]netip.AddrPort{c.local, c.remote}] = true
	}
	accepted := map[[2]netip.AddrPort]bool{} // by the addresses of the other end
	for _, c := range conns {
		if own[c.inode] && !opened[[2]netip.AddrPort{c.local, c.remote}] {
			accepted[[2]netip.AddrPort{c.remote, c.local}] = true
		}
	}
	asked := map[string]netip.AddrPort{} // by socket of the client
	for _, c := range conns {
		if accepted[[2]netip.AddrPort{c.local, c.remote}] {
			asked[c.inode] = c.remote
			delete(accepted, [2]netip.AddrPort{c.local, c.remote})
		}
	}
	count := byClient(root, all, accepted, asked)
	out := make([]Peer, 0, len(count))
	for c, n := range count {
		p := Peer{Address: c.at, Connections: n}
		if c.pid > 0 {
			p.PIDs = []int{c.pid}
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Peer) int {
		return cmp.Or(cmp.Compare(b.Connections, a.Connections), a.Address.Compare(b.Address), slices.Compare(a.PIDs, b.PIDs))
	})
	return out, nil
}

// client is a process that has connections to an address; pid is 0 where it is on another machine,
// or another user's.
type client struct {
	at  netip.AddrPort
	pid int
}

// byClient counts connections by who opened them: those of which this machine has only the accepted
// end, and those whose sockets are among the processes'.
func byClient(root fs.FS, all []int, accepted map[[2]netip.AddrPort]bool, asked map[string]netip.AddrPort) map[client]int {
	count := map[client]int{}
	for ends := range accepted { // its client is on another machine
		count[client{ends[1], 0}]++
	}
	for _, pid := range all {
		if len(asked) == 0 {
			break
		}
		open, _ := inodes(root, pid) // it has ended, or is another user's
		for inode := range open {
			if at, ok := asked[inode]; ok {
				count[client{at, pid}]++
				delete(asked, inode) // of a socket that several have, the first
			}
		}
	}
	for _, at := range asked {
		count[client{at, 0}]++
	}
	return count
}

// established lists the connections of the network that this process is in.
func established(root fs.FS) ([]conn, error) {
	bigEndian := binary.NativeEndian.Uint16([]byte{0, 1}) == 1
	var out []conn
	var errs []error
	for _, file := range []string{"tcp", "tcp6"} {
		text, err := fs.ReadFile(root, path.Join("proc/net", file))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, parseConns(string(text), bigEndian)...)
	}
	if len(errs) == 2 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

// ownedBy is the sockets that some processes have open.
func ownedBy(root fs.FS, pids []int) map[string]bool {
	all := map[string]bool{}
	for _, pid := range pids {
		open, _ := inodes(root, pid)
		for inode := range open {
			all[inode] = true
		}
	}
	return all
}

// outgoing keeps the connections of some sockets that none of them accepted: their own end
// has a port that they do not listen on.
func outgoing(conns []conn, own map[string]bool, listens []listener) []conn {
	ports := map[uint16]bool{}
	for _, l := range listens {
		if own[l.inode] {
			ports[l.addr.Port()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(conns), func(c conn) bool { return !own[c.inode] || ports[c.local.Port()] })
}
