package roles_test

import (
	"testing"

	"github.com/unpark-go/unpark/internal/roles"
)

// TestAcceptCall: accepting is what a listener does for a connection, with the system call below it; waiting for one is none of it.
func TestAcceptCall(t *testing.T) {
	for function, want := range map[string]bool{
		"net.(*TCPListener).Accept": true, "net.(*UnixListener).Accept": true, "syscall.Accept4": true,
		"internal/poll.(*FD).Accept": false, "net/http.(*Server).Serve": false, "net.(*conn).Read": false,
	} {
		if got := roles.Is(function, roles.AcceptCall); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}
