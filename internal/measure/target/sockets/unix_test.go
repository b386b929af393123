package sockets

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"testing"
	"testing/fstest"
)

// TestUnixPeersIn: what a process opened to a named socket, and not what it accepted, what it was given as a standard
// stream, or pairs without a name.
func TestUnixPeersIn(t *testing.T) {
	root := fstest.MapFS{}
	open := func(pid, first int, inodes ...int) {
		for i, inode := range inodes {
			root[fmt.Sprintf("proc/%d/fd/%d", pid, first+i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "socket:[%d]", inode), Mode: os.ModeSymlink}
		}
	}
	open(7, 1, 10)
	open(7, 3, 12, 13, 14, 16, 18)
	open(9, 3, 15, 17)
	socks := []unixSocket{
		{"10", "11", ""}, {"11", "10", "/run/log"}, // standard output
		{"12", "13", ""}, {"13", "12", "/run/own"}, // to itself
		{"14", "15", ""}, {"15", "14", "@db"}, // to another process
		{"16", "17", "/run/own"}, {"17", "16", ""}, // accepted
		{"18", "19", ""}, {"19", "18", ""}, // a pair
	}
	var got []string
	for _, p := range unixPeersIn(root, socks, []int{7}, []int{7, 9}) {
		got = append(got, fmt.Sprint(p.Path, " ", p.Connections, " ", p.PIDs))
	}
	if want := []string{"/run/own 1 [7]", "@db 1 [9]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseUnixDiag(t *testing.T) {
	order := binary.NativeEndian
	attribute := func(kind uint16, value []byte) []byte {
		out := order.AppendUint16(nil, uint16(4+len(value)))
		out = append(order.AppendUint16(out, kind), value...)
		return append(out, make([]byte, -len(out)&3)...)
	}
	head := append([]byte{1, 1, 1, 0}, order.AppendUint32(nil, 31)...)
	head = append(head, make([]byte, 8)...)
	peer := attribute(2, order.AppendUint32(nil, 32))
	for _, c := range []struct {
		name string
		data []byte
		want unixSocket
		ok   bool
	}{
		{"opened", slices.Concat(head, peer), unixSocket{"31", "32", ""}, true},
		{"accepted", slices.Concat(head, attribute(0, []byte("/run/x\x00")), peer), unixSocket{"31", "32", "/run/x"}, true},
		{"abstract", slices.Concat(head, peer, attribute(0, []byte("\x00x"))), unixSocket{"31", "32", "@x"}, true},
		{"without another end", head, unixSocket{inode: "31"}, false},
		{"cut in an attribute", slices.Concat(head, peer[:6]), unixSocket{inode: "31"}, false},
		{"an attribute of no size", slices.Concat(head, make([]byte, 8)), unixSocket{inode: "31"}, false},
		{"cut", head[:9], unixSocket{}, false},
	} {
		if got, ok := parseUnixDiag(c.data); got != c.want || ok != c.ok {
			t.Errorf("%s: %+v, %t, want %+v, %t", c.name, got, ok, c.want, c.ok)
		}
	}
}

func FuzzParseUnixDiag(f *testing.F) {
	f.Add(append([]byte{1, 1, 1, 0}, make([]byte, 40)...))
	f.Fuzz(func(_ *testing.T, data []byte) { parseUnixDiag(data) })
}
