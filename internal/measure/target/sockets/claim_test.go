package sockets

import "testing"

// process is one of a machine made up for a test.
type fakeProcess struct {
	start   uint64
	inner   int // 0: as outside
	command string
}

func fakeMachine(boot string, ps map[int]fakeProcess, listens map[string][]int) witness {
	return witness{
		boot: boot,
		all: func() (pids []int) {
			for pid := range ps {
				pids = append(pids, pid)
			}
			return pids
		},
		listening: func(addr string) []int { return listens[addr] },
		start:     func(pid int) (uint64, bool) { p, ok := ps[pid]; return p.start, ok },
		inner: func(pid int) int {
			if p := ps[pid]; p.inner != 0 {
				return p.inner
			}
			return pid
		},
		command: func(pid int) ([]byte, bool) { p, ok := ps[pid]; return []byte(p.command), ok },
	}
}

// A number that a process gives itself is not believed: init of this machine is 1 like
// every container's first process.
func TestClaim(t *testing.T) {
	const (
		boot     = "b0"
		direct   = "127.0.0.1:6060"
		proxied  = "127.0.0.1:6061"
		prefork  = "127.0.0.1:6062"
		handed   = "127.0.0.1:6063"
		nowhere  = "192.0.2.7:6060"
		hostless = "127.0.0.1:6064"
	)
	m := fakeMachine(boot, map[int]fakeProcess{
		1:  {start: 2, command: "/sbin/init\x00"},
		40: {start: 400, command: "./server\x00-v\x00"},
		50: {start: 500, inner: 1, command: "/app\x00"}, // in a container
		51: {start: 510, inner: 1, command: "/app\x00"}, // in another, of the same image
		60: {start: 600, command: "docker-proxy\x00"},
		70: {start: 700, command: "./worker\x00"},
		71: {start: 701, command: "./worker\x00"},
	}, map[string][]int{direct: {40}, proxied: {60}, prefork: {70, 71}, handed: {1, 40}})
	tests := []struct {
		name  string
		claim Claim
		pid   int
		here  bool
	}{
		{"began when it says", Claim{Addr: direct, PID: 40, Boot: boot, Start: 400}, 40, true},
		{"its number is another's here", Claim{Addr: proxied, PID: 1, Boot: boot, Start: 500}, 50, true},
		{"the second container", Claim{Addr: proxied, PID: 1, Boot: boot, Start: 510}, 51, true},
		{"the number fits, the start does not", Claim{Addr: direct, PID: 40, Boot: boot, Start: 401}, 0, true},
		{"read from here, in a container", Claim{PID: 50, Boot: boot, Start: 500, Seen: true}, 50, true},
		{"read from here, and another has its number now", Claim{PID: 50, Boot: boot, Start: 501, Seen: true}, 0, true},
		{"read on another machine", Claim{PID: 50, Boot: "b1", Start: 500, Seen: true}, 0, false},
		{"a container's own number is none that it is read by", Claim{PID: 1, Boot: boot, Start: 500, Seen: true}, 0, true},
		{"a container that cannot be seen", Claim{PID: 1, Boot: boot, Start: 999}, 0, true},
		{"another machine", Claim{Addr: direct, PID: 40, Boot: "b1", Start: 400}, 0, false},
		{"another machine, through a tunnel", Claim{Addr: proxied, PID: 1, Boot: "b1", Start: 2}, 0, false},
		{"an older probe, its own socket", Claim{Addr: direct, PID: 40}, 40, true},
		{"an older probe in a container, behind a proxy", Claim{Addr: proxied, PID: 1}, 0, false},
		{"an older probe in a container with the host's network", Claim{Peer: 50, PID: 1}, 50, true},
		{"one of several that share a socket", Claim{Addr: prefork, PID: 71}, 71, true},
		{"no probe, its own socket", Claim{Addr: direct, Command: []byte("./server\x00-v")}, 40, true},
		{"no probe, and no word of its command", Claim{Addr: direct}, 40, true},
		{"no probe, behind a proxy", Claim{Addr: proxied, Command: []byte("/app")}, 0, false},
		{"no probe, a socket that init made", Claim{Addr: handed, Command: []byte("./server\x00-v")}, 40, true},
		{"no probe, one of several", Claim{Addr: prefork, Command: []byte("./worker")}, 0, false},
		{"nothing of ours listens there", Claim{Addr: nowhere, PID: 40}, 0, false},
		{"a socket of another user", Claim{Addr: hostless, Command: []byte("./server\x00-v")}, 0, false},
		{"a unix socket", Claim{Peer: 40, PID: 40}, 40, true},
		{"a unix socket, forwarded", Claim{Peer: 60, PID: 40}, 0, false},
		{"nothing is known", Claim{}, 0, false},
	}
	for _, tt := range tests {
		if pid, here := tt.claim.find(m); pid != tt.pid || here != tt.here {
			t.Errorf("%s: process %d, here %v; want %d, %v", tt.name, pid, here, tt.pid, tt.here)
		}
	}
}

func TestInnermost(t *testing.T) {
	for text, want := range map[string]int{
		"Name:\tx\nNSpid:\t40\t7\t1\nNSpgid:\t40\n": 1,
		"Name:\tx\nNSpid:\t40\n":                    40,
		"Name:\tx\n":                                9,
		"NSpid:\n":                                  9,
		"NSpid:\t40\tx\n":                           9,
	} {
		if got := innermost(text, 9); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
