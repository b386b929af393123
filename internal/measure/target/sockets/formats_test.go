package sockets

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 12346 1 0000000000000000 100 0 0 10 0
   2: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12347 1 0000000000000000 100 0 0 10 0
`
	tcp6 = `   0: 00000000000000000000000001000000:1F91 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 22345 1
   1: 0000000000000000FFFF00000100007F:1F92 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 22346 1
   2: 0000:1F92 0:0 0A 0 0 0 0 0 1
   3: 0100007F:XXXX 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1
`
)

func TestParseListeners(t *testing.T) {
	var got []string
	for _, l := range append(parseListeners(tcp, false), parseListeners(tcp6, false)...) {
		got = append(got, fmt.Sprint(l.addr, " ", l.inode))
	}
	want := []string{"127.0.0.1:8080 12345", "0.0.0.0:80 12347", "[::1]:8081 22345", "127.0.0.1:8082 22346"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if l := parseListeners(strings.Replace(tcp, "0100007F", "7F000001", 1), true); l[0].addr.String() != "127.0.0.1:8080" {
		t.Errorf("big-endian: %v", l[0])
	}
}

const unixSockets = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 14310 /run/app.sock
0000000000000000: 00000003 00000000 00000000 0001 03 14311 /run/app.sock
0000000000000000: 00000002 00000000 00010000 0001 01 14312 @abstract/name
0000000000000000: 00000002 00000000 00010000 0001 01 14313 /run/with blank  s.sock
0000000000000000: 00000002 00000000 00010000 0005 01 14314 /run/packets.sock
0000000000000000: 00000002 00000000 00000000 0002 01 14315 /run/datagrams.sock
0000000000000000: 00000002 00000000 00010000 0001 01 14316
0000000000000000: 00000002 00000000 00010000 0001 01 14317 relative.sock
`

func TestParseUnixListeners(t *testing.T) {
	got := parseUnixListeners(unixSockets)
	want := []unixListener{{"/run/app.sock", "14310"}, {"@abstract/name", "14312"}, {"/run/with blank  s.sock", "14313"}, {"relative.sock", "14317"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func FuzzSocketFiles(f *testing.F) {
	for _, s := range []string{tcp, tcp6, unixSockets} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range parseListeners(text, false) {
			if !l.addr.IsValid() {
				t.Errorf("%+v", l)
			}
		}
		for _, c := range parseConns(text, false) {
			if !c.local.IsValid() || !c.remote.IsValid() {
				t.Errorf("%+v", c)
			}
		}
		for _, l := range parseUnixListeners(text) {
			if l.path == "" || l.inode == "" {
				t.Errorf("%+v", l)
			}
		}
	})
}
