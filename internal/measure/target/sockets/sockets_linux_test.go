package sockets

import (
	"net"
	"os"
	"strconv"
	"testing"
)

func TestListening(t *testing.T) {
	local, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	every, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer every.Close()
	port := func(l net.Listener) string { return ":" + strconv.Itoa(l.Addr().(*net.TCPAddr).Port) }
	for addr, want := range map[string]bool{
		"127.0.0.1" + port(local): true,
		"localhost" + port(local): true,
		"0.0.0.0" + port(local):   true,
		port(local):               true,
		"[::1]" + port(local):     false,
		"192.0.2.1" + port(local): false, // TEST-NET-1: no machine has it
		"192.0.2.1" + port(every): false,
		"127.0.0.1" + port(every): true,
		"[::1]" + port(every):     every.Addr().(*net.TCPAddr).IP.To4() == nil,
		"127.0.0.1:0":             false,
		"127.0.0.1:http":          false,
		"127.0.0.1":               false,
		"no.such.host.invalid:80": false,
	} {
		pid, ok := Listening(addr)
		if ok != want || (ok && pid != os.Getpid()) {
			t.Errorf("Listening(%q) = %d %v, want %v", addr, pid, ok, want)
		}
	}
	port4 := port(local)
	local.Close()
	if pid, ok := Listening("127.0.0.1" + port4); ok {
		t.Errorf("closed, and process %d listens", pid)
	}
}
