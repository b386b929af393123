package sockets

import "bytes"

// Claim is what is known of a process that answers at an address: where it can be
// reached, and what it says of itself. What it says may be meant for another machine
// or container: a number of a process is worth nothing outside of its own.
type Claim struct {
	Addr    string // "host:port" that it answers at; empty behind a unix socket
	Peer    int    // the process that listens on the unix socket (PeerPID); 0 when unknown
	PID     int    // the number that it says it has; 0 when it says none
	Boot    string // the kernel that it says it runs on (/proc/sys/kernel/random/boot_id)
	Start   uint64 // when it says it began, in 1/100 s since that kernel's boot; 0 when it does not say
	Command []byte // what it was started with, as net/http/pprof tells it; nil when it does not
	Seen    bool   // PID is the number by which another process of this machine reads it, and not what it calls itself
}

// Find returns the number that the process has on this machine. pid is 0 unless it is
// certain: the instant of its start, or the socket that it listens on, says so. here
// tells that it runs on this machine, which can be known without its number.
//
// A listener alone is not the process: in front of a container, a pod or a tunnel
// there is another one that only passes bytes on (docker-proxy, kubectl, ssh).
func (c Claim) Find() (pid int, here bool) { return c.find(localWitness()) }

// witness is what this machine says of its processes.
type witness struct {
	boot      string                               // empty where there is none
	all       func() []int                         // processes
	listening func(addr string) []int              // that listen on an address of this machine
	start     func(pid int) (uint64, bool)         // 1/100 s since boot
	inner     func(pid int) int                    // its number in its own PID namespace
	command   func(pid int) (args []byte, ok bool) // its arguments, each ended by a zero
}

func (c Claim) find(w witness) (pid int, here bool) {
	if c.Boot != "" && w.boot != "" {
		if c.Boot != w.boot {
			return 0, false
		}
		if c.PID > 0 && c.Start > 0 {
			return c.byStart(w), true
		}
		here = true
	}
	var found []int
	for _, pid := range c.candidates(w) {
		if c.fits(pid, w) {
			found = append(found, pid)
		}
	}
	if len(found) != 1 {
		return 0, here
	}
	return found[0], true
}

// byStart looks for the process that began when it says it did and has its number in a
// PID namespace of its own; 0 when this process cannot see it, or more than one fits.
func (c Claim) byStart(w witness) int {
	fits := func(pid int) bool {
		start, ok := w.start(pid)
		return ok && start == c.Start && (c.Seen || w.inner(pid) == c.PID)
	}
	if fits(c.PID) {
		return c.PID
	}
	if c.Seen {
		return 0
	}
	found := 0
	for _, pid := range w.all() {
		if !fits(pid) {
			continue
		}
		if found != 0 {
			return 0
		}
		found = pid
	}
	return found
}

func (c Claim) candidates(w witness) []int {
	if c.Addr != "" {
		return w.listening(c.Addr)
	}
	if c.Peer > 0 {
		return []int{c.Peer}
	}
	return nil
}

// fits reports whether a process that listens there can be the one that answers.
func (c Claim) fits(pid int, w witness) bool {
	if c.PID > 0 {
		return w.inner(pid) == c.PID
	}
	if c.Command == nil {
		return true
	}
	args, ok := w.command(pid)
	return ok && bytes.Equal(bytes.TrimRight(args, "\x00"), bytes.TrimRight(c.Command, "\x00"))
}
