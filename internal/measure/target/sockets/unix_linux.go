package sockets

import (
	"encoding/binary"
	"errors"
	"os"
	"syscall"
)

// unixConns lists the connected unix sockets of this machine with their other ends, which /proc/net/unix does not have
// (sock_diag(7)).
func unixConns() ([]unixSocket, error) {
	const (
		protocol = 4  // NETLINK_SOCK_DIAG
		byFamily = 20 // SOCK_DIAG_BY_FAMILY
		size     = syscall.NLMSG_HDRLEN + 24
	)
	fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, protocol)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	defer func() { _ = syscall.Close(fd) }()
	wait := syscall.Timeval{Sec: 1}
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &wait); err != nil {
		return nil, os.NewSyscallError("setsockopt", err)
	}
	request := make([]byte, size)
	order := binary.NativeEndian
	order.PutUint32(request, size)
	order.PutUint16(request[4:], byFamily)
	order.PutUint16(request[6:], syscall.NLM_F_REQUEST|syscall.NLM_F_DUMP)
	ask := request[syscall.NLMSG_HDRLEN:] // unix_diag_req
	ask[0] = syscall.AF_UNIX
	order.PutUint32(ask[4:], 1<<1)    // in state TCP_ESTABLISHED
	order.PutUint32(ask[12:], 1|1<<2) // UDIAG_SHOW_NAME, UDIAG_SHOW_PEER
	if err := syscall.Sendto(fd, request, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return nil, os.NewSyscallError("sendto", err)
	}
	return answersOf(fd)
}

// answersOf reads the answers of a dump to its end.
func answersOf(fd int) ([]unixSocket, error) {
	var out []unixSocket
	buffer := make([]byte, 64<<10)
	for {
		n, _, err := syscall.Recvfrom(fd, buffer, 0)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return nil, os.NewSyscallError("recvfrom", err)
		}
		messages, err := syscall.ParseNetlinkMessage(buffer[:n])
		if err != nil {
			return nil, os.NewSyscallError("netlink", err)
		}
		for _, m := range messages {
			switch m.Header.Type {
			case syscall.NLMSG_DONE:
				return out, nil
			case syscall.NLMSG_ERROR:
				return nil, errors.ErrUnsupported
			}
			if s, ok := parseUnixDiag(m.Data); ok {
				out = append(out, s)
			}
		}
	}
}
