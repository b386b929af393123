package window

import (
	"context"
	"net"
	"time"

	"github.com/unpark-go/unpark/internal/measure/target/sockets"
)

// Locate finds out which process of which machine is behind an endpoint that was
// probed, as far as that is certain, and sets Local, Machine and PID.
func (e *Endpoint) Locate(ctx context.Context) {
	c := sockets.Claim{Addr: e.Hostport(), Peer: e.peer(ctx)}
	if i := e.Info; i != nil {
		c.PID, c.Boot, c.Start, c.Seen = i.PID, i.Boot, i.StartTicks, i.Attached
	} else if args, err := e.get(ctx, e.base+"cmdline", 1<<20); err == nil {
		c.Command = args // only compared: arguments hold secrets
	}
	pid, here := c.Find()
	e.Place(pid, here)
}

// Place says which process of this machine is behind the endpoint: 0 where that is not
// certain. here tells that it runs on this machine.
func (e *Endpoint) Place(pid int, here bool) {
	e.Local, e.Machine = pid, ""
	switch {
	case pid > 0:
		e.PID = pid
	case e.Info != nil:
		e.PID = e.Info.PID
	default:
		e.PID = 0
	}
	if !here {
		e.Machine = e.elsewhere()
	}
}

// elsewhere names a machine that is not this one, or not certainly. Behind a loopback
// address is a tunnel or a proxy: what is at the end of two of them is not the same.
func (e *Endpoint) elsewhere() string {
	if e.Info != nil && e.Info.Boot != "" {
		return "boot " + e.Info.Boot
	}
	host, _, err := net.SplitHostPort(e.Hostport())
	if ip := net.ParseIP(host); err != nil || host == "localhost" || ip.IsLoopback() {
		return e.Address
	}
	return "host " + host
}

// peer returns the process that listens on the endpoint's unix socket.
func (e *Endpoint) peer(ctx context.Context) int {
	if e.socket == "" {
		return 0
	}
	conn, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "unix", e.socket)
	if err != nil {
		return 0
	}
	defer conn.Close()
	if u, ok := conn.(*net.UnixConn); ok {
		return sockets.PeerPID(u)
	}
	return 0
}

// Number gives endpoints that have no number, or the same as another one, numbers that
// are distinct and negative, so that each keeps its files. One whose process is known
// keeps its own.
func Number(es []*Endpoint) {
	seen := map[int]int{}
	for _, e := range es {
		seen[e.PID]++
	}
	for i, e := range es {
		if e.PID == 0 || seen[e.PID] > 1 && e.Local == 0 {
			e.PID = -(i + 1)
		}
	}
}
