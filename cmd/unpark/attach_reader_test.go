package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestServing: of the processes of one program those are read that listen where the load goes; where none does, all.
func TestServing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("who listens is known on Linux")
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = child.Process.Kill(), child.Wait() })
	self, other := os.Getpid(), child.Process.Pid
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	socket := filepath.Join(t.TempDir(), "s.sock")
	unix, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	none := closed.Addr().String()
	closed.Close()
	for _, c := range []struct {
		urls          []string
		serve, others []int
	}{
		{nil, []int{other, self}, nil},
		{[]string{"http://" + tcp.Addr().String() + "/a", "http://" + tcp.Addr().String() + "/b"}, []int{self}, []int{other}},
		{[]string{"http://" + none + "/", "unix://" + socket + ":/a"}, []int{self}, []int{other}},
		{[]string{"http://" + none + "/"}, []int{other, self}, nil},
	} {
		var asked []unpark.Request
		for _, u := range c.urls {
			asked = append(asked, unpark.Request{URL: u})
		}
		serve, others := serving([]int{other, self}, asked)
		if !slices.Equal(serve, c.serve) || !slices.Equal(others, c.others) {
			t.Errorf("asked %v: %v serve and %v do not, not %v and %v", c.urls, serve, others, c.serve, c.others)
		}
	}
}
