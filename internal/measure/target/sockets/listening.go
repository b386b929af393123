package sockets

import (
	"errors"
	"net"
	"net/netip"
	"strconv"
	"syscall"
)

// Listening tells which process listens on a TCP address of this machine
// ("host:port"; an empty host is any). pid is 0 when one does and cannot be seen: it
// is of another user, or of another container. ok is false when none does, and
// for an address that is not on this machine.
func Listening(addr string) (pid int, ok bool) {
	addrs := addrsOf(addr)
	if len(addrs) == 0 {
		return 0, false
	}
	return owner(addrs)
}

// Listeners returns the processes that listen on such an address, sorted, as far as they can be seen:
// several where a listener was handed on, or where they share a port. None is known elsewhere than on Linux.
func Listeners(addr string) []int { return listening(addr) }

// addrsOf returns the addresses of this machine that "host:port" stands for.
func addrsOf(addr string) []netip.AddrPort {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return nil
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil || port == 0 {
		return nil
	}
	var addrs []netip.AddrPort
	for _, a := range localAddrs(host) {
		addrs = append(addrs, netip.AddrPortFrom(a, uint16(port)))
	}
	return addrs
}

// localAddrs resolves a host to its addresses on this machine.
func localAddrs(host string) []netip.Addr {
	any4, any6 := netip.IPv4Unspecified(), netip.IPv6Unspecified()
	switch host {
	case "":
		return []netip.Addr{any4, any6}
	case "localhost":
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	names := []string{host}
	if _, err := netip.ParseAddr(host); err != nil {
		if names, err = net.LookupHost(host); err != nil {
			return nil
		}
	}
	mine := map[netip.Addr]bool{}
	interfaces, _ := net.InterfaceAddrs()
	for _, i := range interfaces {
		if n, ok := i.(*net.IPNet); ok {
			if a, ok := netip.AddrFromSlice(n.IP); ok {
				mine[a.Unmap()] = true
			}
		}
	}
	var addrs []netip.Addr
	for _, name := range names {
		a, err := netip.ParseAddr(name)
		if err != nil {
			continue
		}
		a = a.Unmap().WithZone("")
		if a.IsLoopback() || a.IsUnspecified() || mine[a] {
			addrs = append(addrs, a)
		}
	}
	return addrs
}

// answers reports whether a listener at l answers connections to a. An IPv6
// wildcard takes IPv4 too, unless it was told not to, which is rare.
func answers(l, a netip.AddrPort) bool {
	if l.Port() != a.Port() {
		return false
	}
	from, to := l.Addr(), a.Addr()
	if from == to || to.IsUnspecified() {
		return true
	}
	return from.IsUnspecified() && (from.Is6() || to.Is4())
}

// occupied tries to listen, for systems where owners cannot be looked up.
func occupied(addrs []netip.AddrPort) bool {
	for _, a := range addrs {
		l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(a))
		if err == nil {
			l.Close()
			continue
		}
		if errors.Is(err, syscall.EADDRINUSE) {
			return true
		}
	}
	return false
}
