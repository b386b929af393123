package sockets

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPeersIn: what a process opened, and not what it accepted; the other end is itself,
// another process of this machine, or elsewhere.
func TestPeersIn(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 0 0 100 1
   1: 0100007F:1F90 0100007F:C350 01 0:0 0:0 0 0 0 101 1
   2: 0100007F:C350 0100007F:1F90 01 0:0 0:0 0 0 0 102 1
   3: 0100007F:C351 0100007F:18EB 01 0:0 0:0 0 0 0 103 1
   4: 0100007F:18EB 0100007F:C351 01 0:0 0:0 0 0 0 104 1
   5: 0100007F:C352 05060708:01BB 01 0:0 0:0 0 0 0 105 1
   6: 0100007F:1F90 0100007F:C353 01 0:0 0:0 0 0 0 106 1
   7: 0100007F:C354 0100007F:18EB 08 0:0 0:0 0 0 0 107 1
`
	root := fstest.MapFS{"proc/net/tcp": {Data: []byte(table)}}
	open := func(pid int, inodes ...int) {
		for i, inode := range inodes {
			root[fmt.Sprintf("proc/%d/fd/%d", pid, i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "socket:[%d]", inode), Mode: os.ModeSymlink}
		}
	}
	open(7, 100, 101, 102, 103, 105, 106)
	open(9, 104)
	got, err := peersIn(root, []int{7}, []int{7, 9, 11})
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	for _, p := range got {
		text = append(text, fmt.Sprint(p.Address, " ", p.Connections, " ", p.PIDs))
	}
	slices.Sort(text)
	if runtime.GOARCH == "s390x" {
		t.Skip("the table is of a little-endian machine")
	}
	if want := []string{"127.0.0.1:6379 1 [9]", "127.0.0.1:8080 1 [7]", "8.7.6.5:443 1 []"}; !slices.Equal(text, want) {
		t.Errorf("got %q, want %q", text, want)
	}
	clients, err := clientsIn(root, []int{7}, []int{7, 9, 11})
	if err != nil {
		t.Fatal(err)
	}
	text = nil
	for _, p := range clients {
		text = append(text, fmt.Sprint(p.Address, " ", p.Connections, " ", p.PIDs))
	}
	if want := []string{"127.0.0.1:8080 1 []", "127.0.0.1:8080 1 [7]"}; !slices.Equal(text, want) {
		t.Errorf("clients: got %q, want %q", text, want)
	}
	if got, err := peersIn(root, []int{11}, []int{7, 9, 11}); err != nil || got != nil {
		t.Errorf("a process without sockets: %v %v", got, err)
	}
	if _, err := peersIn(fstest.MapFS{}, []int{7}, nil); err == nil {
		t.Error("no tables and no error")
	}
}

// TestPeersOfThisProcess: a connection to itself.
func TestPeersOfThisProcess(t *testing.T) {
	if !Supported {
		t.Skip("not told by this system")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	a, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	got, err := Peers([]int{os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(got, func(p Peer) bool { return p.Address.String() == l.Addr().String() })
	if at < 0 || got[at].Connections != 1 || !slices.Contains(got[at].PIDs, os.Getpid()) {
		t.Errorf("%+v, want one to %s of this process", got, l.Addr())
	}
}

func TestParseConns(t *testing.T) {
	if got := parseConns(tcp, false); len(got) != 1 || got[0].local.String() != "127.0.0.1:8080" || got[0].remote.Port() != 50000 || got[0].inode != "12346" {
		t.Errorf("%+v", got)
	}
	if got := parseConns(strings.ReplaceAll(tcp, "0100007F:C350", "XX"), false); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
