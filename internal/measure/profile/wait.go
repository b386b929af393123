package profile

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// wait is what a stack waits for: base by Go's own frames, class with what the
// callers say of it. Receives: it waits to be given something.
type wait struct {
	base, class unpark.WaitClass
	receives    bool
}

// recorded reports whether runtime/mprof.go:blockevent is called for it: chan.go,
// select.go and sema.go do, netpoll.go and time.go do not.
func (w wait) recorded() bool {
	switch w.base {
	case unpark.WaitLock, unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitGroup:
		return true
	}
	return false
}

// parks reports whether such a wait can be idleness. A wait for a lock is none.
func (w wait) parks() bool {
	switch w.base {
	case unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitSleep, unpark.WaitGroup, unpark.WaitNetwork:
		return true
	}
	return false
}

// wait names the wait by Go's own frames at the leaf; the callers up to the first
// frame of the main module may say that it is a pool's, a limiter's or another
// service's.
func (s stack) wait() wait {
	w := wait{base: unpark.WaitUnknown}
	i := 0
	for ; i < len(s.facts) && s.facts[i].low; i++ {
		f := s.facts[i]
		if f.Wait == "" {
			continue
		}
		// A semaphore is runtime business until sync or internal/poll claims it, and
		// a descriptor is the network's until os says that it is a file.
		w.base, w.receives = f.Wait, f.Receives
		if w.base != unpark.WaitRuntime && w.base != unpark.WaitNetwork && w.base != unpark.WaitSyscall {
			break
		}
	}
	if w.base == unpark.WaitSyscall && s.onSocket(i) {
		// Sockets are non-blocking: the goroutine runs, and parks in netpoll if need be.
		w.base = unpark.WaitUnknown
	}
	w.class = w.base
	if !w.parks() {
		return w
	}
	for i < len(s.facts) && s.facts[i].low {
		i++
	}
	// What calls again after a failure may do that inside of a client's call: its own wait is for a
	// timer, and not for the other end.
	if i < len(s.facts) && s.facts[i].Is(roles.Retries) {
		return w
	}
	app := false
	for ; i < len(s.facts) && !app && !s.facts[i].request; i++ {
		if of := s.facts[i].WaitBelow; of != "" {
			w.class = of
			if of == unpark.WaitDownstream && w.base == unpark.WaitNetwork && s.opens(i) {
				w.class = unpark.WaitPool
			}
			return w
		}
		app = s.rank(i) >= rankInlined
	}
	// Below a handler, a connection that is not the server's own leads elsewhere. No
	// frame before this one serves requests.
	if w.base == unpark.WaitNetwork && app && s.serves() {
		w.class = unpark.WaitDownstream
	}
	return w
}

// opens reports whether a frame from the i-th on, below the application's, is a pool that
// opens a connection: what is waited for is the connection, whatever the other end does.
func (s stack) opens(i int) bool {
	for ; i < len(s.facts) && s.rank(i) < rankInlined; i++ {
		if s.facts[i].Is(roles.Opening) {
			return true
		}
	}
	return false
}
