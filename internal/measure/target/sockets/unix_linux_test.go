package sockets

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestUnixPeers: this process asks itself over a unix socket.
func TestUnixPeers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	other, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if _, err := unixConns(); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPROTONOSUPPORT) || errors.Is(err, syscall.EPERM) {
		t.Skip(err)
	}
	peers, err := Peers([]int{os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(peers, func(p Peer) bool { return p.Path == path })
	if at < 0 || peers[at].Connections != 1 || !slices.Equal(peers[at].PIDs, []int{os.Getpid()}) {
		t.Errorf("%+v", peers)
	}
}
