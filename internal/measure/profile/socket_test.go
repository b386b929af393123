package profile_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

func TestOnSocket(t *testing.T) {
	for _, tt := range []struct {
		name  string
		stack []string
		want  bool
	}{
		{"a connection", []string{"syscall.read", "syscall.Read", "internal/poll.(*FD).Read", "net.(*netFD).Read", "net.(*conn).Read", "main.ask"}, true},
		{"a raw connection", []string{"syscall.Read", "google.golang.org/grpc/internal/transport.read", "internal/poll.(*FD).RawRead", "net.(*rawConn).Read", "main.ask"}, true},
		{"a file", []string{"syscall.write", "syscall.Write", "internal/poll.(*FD).Write", "os.(*File).Write", "main.save"}, false},
		{"a file, far below a connection", []string{"syscall.Fsync", "os.(*File).Sync", "main.save", "net.(*conn).Write"}, false},
		{"nothing but Go's own", []string{"syscall.read"}, false},
		{"no stack", nil, false},
	} {
		var stack []unpark.Site
		for _, f := range tt.stack {
			stack = append(stack, unpark.Site{Function: f, File: "x.go", Line: 1})
		}
		if got := profile.NewCatalogue("").OnSocket(stack); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
