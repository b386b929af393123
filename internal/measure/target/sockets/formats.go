package sockets

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// The text formats of /proc: proc_net_tcp(5), proc_net_unix(5), proc_pid_status(5).

// listener is one listening TCP socket.
type listener struct {
	addr  netip.AddrPort
	inode string
}

// unixListener is one listening unix socket.
type unixListener struct{ path, inode string }

// parseUnixListeners reads /proc/net/unix and returns the stream sockets that accept
// connections and have a name (proc_net_unix(5)): as it was given to bind(2), so it may
// be relative, with @ in front when it is abstract.
func parseUnixListeners(text string) []unixListener {
	const (
		accepts = "00010000" // __SO_ACCEPTCON, linux/net.h
		stream  = "0001"     // SOCK_STREAM
	)
	var ls []unixListener
	for line := range strings.Lines(text) {
		// Num RefCount Protocol Flags Type St Inode Path; the path may hold blanks.
		f := strings.Fields(line)
		if len(f) < 8 || f[3] != accepts || f[4] != stream {
			continue
		}
		_, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "+f[6]+" ")
		if ok && path != "" {
			ls = append(ls, unixListener{path, f[6]})
		}
	}
	return ls
}

// parseListeners reads /proc/net/tcp or tcp6 and returns the sockets in state
// LISTEN (0A). An address is printed as 32-bit words in the machine's byte order.
func parseListeners(text string, bigEndian bool) []listener {
	var ls []listener
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 10 || f[3] != "0A" {
			continue
		}
		if addr, ok := parseHexAddrPort(f[1], bigEndian); ok {
			ls = append(ls, listener{addr, f[9]})
		}
	}
	return ls
}

// parseHexAddrPort reads ADDRESS:PORT, both in hexadecimal.
func parseHexAddrPort(text string, bigEndian bool) (netip.AddrPort, bool) {
	host, port, ok := strings.Cut(text, ":")
	if !ok {
		return netip.AddrPort{}, false
	}
	addr, err := parseHexAddr(host, bigEndian)
	if err != nil {
		return netip.AddrPort{}, false
	}
	p, err := strconv.ParseUint(port, 16, 16)
	if err != nil {
		return netip.AddrPort{}, false
	}
	return netip.AddrPortFrom(addr, uint16(p)), true
}

func parseHexAddr(s string, bigEndian bool) (netip.Addr, error) {
	b, err := hex.DecodeString(s)
	if err != nil {
		return netip.Addr{}, err
	}
	if len(b) != 4 && len(b) != 16 {
		return netip.Addr{}, fmt.Errorf("an address of %d bytes", len(b))
	}
	if !bigEndian {
		for i := 0; i < len(b); i += 4 {
			b[i], b[i+1], b[i+2], b[i+3] = b[i+3], b[i+2], b[i+1], b[i]
		}
	}
	addr, _ := netip.AddrFromSlice(b)
	return addr.Unmap(), nil
}

// innermost reads from /proc/PID/status which number a process has in its own PID
// namespace: the last of the line NSpid (Linux 4.1). Without it, pid.
func innermost(status string, pid int) int {
	for line := range strings.Lines(status) {
		numbers, ok := strings.CutPrefix(line, "NSpid:")
		if !ok {
			continue
		}
		f := strings.Fields(numbers)
		if len(f) == 0 {
			return pid
		}
		if n, err := strconv.Atoi(f[len(f)-1]); err == nil {
			return n
		}
	}
	return pid
}
