package profile

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Label is what a stack means.
type Label struct {
	Side  unpark.Side
	Class unpark.WaitClass // what it waited for; WaitUnknown when it did not wait
	Idle  bool             // a known parking place: the goroutine waits for work
	// Connection: it idles because its connection does. There are as many as the peers
	// keep open, and they end with them.
	Connection bool
	// Recorded: the block profile records such waits, so that a goroutine dump shows
	// them a second time. It does not record network, file and sleep waits.
	Recorded bool
	// Caller is the index of the first frame outside of Go's own machinery at the
	// leaf: the one that called Lock, Unlock, Wait, Read or mallocgc; −1 when there
	// is none. Methods that only pass on Lock and Unlock are skipped.
	Caller int
	// App is the index of the innermost application frame, Entry of the outermost
	// one; −1 when there is none. Frames of the main module go before those of
	// other modules.
	App, Entry int
}

// waits reports whether the stacks of a kind are of goroutines that stand still.
func waits(k unpark.Kind) bool {
	return k == unpark.KindBlock || k == unpark.KindGoroutine || k == unpark.KindGoroutineLeak
}

// Label says whom a stack (leaf first) of a kind served or delayed.
//
//  1. A frame of the observer: the observer's.
//  2. The innermost known parking place with no application frame below it, the
//     main goroutine, and a goroutine that waits to be given something directly
//     in the function it was started with (a worker, a ticker): idle background.
//  3. A frame that serves requests: request path.
//  4. A frame that keeps house: background. Only frames of the runtime, or a
//     runtime-internal lock: the runtime's.
//  5. Anything else is on the request path: a goroutine that is not known to idle
//     does work that somebody asked for, and under load a wait of it shows by
//     growing with the load, while one that is left out shows nowhere.
func (c *Catalogue) Label(kind unpark.Kind, stack []unpark.Site) Label {
	l := Label{Side: unpark.RequestPath, Class: unpark.WaitUnknown, App: -1, Entry: -1, Caller: -1}
	var buf [64]*fact
	facts := buf[:0]
	for _, s := range stack {
		facts = append(facts, c.fact(s.Function))
	}
	c.findApp(&l, stack, facts)
	l.Caller = caller(facts)
	if len(stack) == 0 {
		l.Side = unpark.RuntimeSide
		return l
	}
	var w waiting
	switch {
	case waits(kind):
		w = c.classify(stack, facts)
		l.Class = w.class
		l.Recorded = recorded(w.base)
	case kind == unpark.KindMutex && facts[0].runtime:
		l.Class = unpark.WaitRuntime
	case kind == unpark.KindMutex:
		l.Class = unpark.WaitLock
	}
	switch {
	case some(facts, func(f *fact) bool { return f.observer }):
		l.Side = unpark.ObserverSide
	case kind == unpark.KindMutex && l.Class == unpark.WaitRuntime:
		l.Side = unpark.RuntimeSide
	case w.parks() && c.parked(l, w, stack, facts):
		l.Side, l.Idle, l.Class = unpark.Background, true, w.base
	case some(facts, func(f *fact) bool { return f.request }):
	case some(facts, func(f *fact) bool { return f.background }):
		l.Side, l.Idle = unpark.Background, w.parks()
		if onlyRuntime(facts) {
			l.Side = unpark.RuntimeSide
		}
	case onlyRuntime(facts):
		l.Side = unpark.RuntimeSide
	}
	l.Connection = l.Idle && w.connection(facts)
	return l
}

// connection reports whether a goroutine that idles belongs to an open connection: it
// reads from one, or is beside one that does. The reader of net/http's client that
// waits for an answer's body to be read (net/http/transport.go: readLoop, in a select)
// does neither: a body that is never closed keeps it for ever.
func (w waiting) connection(facts []*fact) bool {
	if some(facts, func(f *fact) bool { return f.park != nil && f.park.conn }) {
		return true
	}
	return w.base == unpark.WaitNetwork && some(facts, func(f *fact) bool { return f.symbol == "internal/poll.(*FD).Read" })
}

// findApp sets App and Entry.
func (c *Catalogue) findApp(l *Label, stack []unpark.Site, facts []*fact) {
	best := rankThirdParty
	for i, f := range facts {
		r := c.rank(stack[i], f)
		switch {
		case r < best:
		case r > best, l.App < 0:
			best, l.App, l.Entry = r, i, i
		default:
			l.Entry = i
		}
	}
}

// caller returns the index of the first frame that is not Go's own machinery.
func caller(facts []*fact) int {
	for i, f := range facts {
		if f.low || f.defers || f.symbol == "" || passesOn(f.symbol) && i+1 < len(facts) {
			continue
		}
		return i
	}
	return -1
}

// passesOn reports whether a method is the Lock or Unlock of a type that wraps a
// mutex: the place of interest is who called it.
func passesOn(symbol string) bool {
	dot := strings.LastIndexByte(symbol, '.')
	switch symbol[dot+1:] {
	case "Lock", "Unlock", "RLock", "RUnlock":
		return true
	}
	return false
}

// recorded reports whether runtime/mprof.go:blockevent is called for a wait:
// chan.go, select.go and sema.go do, netpoll.go and time.go do not.
func recorded(base unpark.WaitClass) bool {
	switch base {
	case unpark.WaitLock, unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitGroup:
		return true
	}
	return false
}

func some(facts []*fact, is func(*fact) bool) bool {
	for _, f := range facts {
		if is(f) {
			return true
		}
	}
	return false
}

func onlyRuntime(facts []*fact) bool {
	for _, f := range facts {
		if !f.runtime {
			return false
		}
	}
	return true
}

// waiting is what a stack waits for: base by Go's own frames, class with what the
// callers say of it. Receives: it waits to be given something.
type waiting struct {
	base, class unpark.WaitClass
	receives    bool
}

// parks reports whether such a wait can be idleness. Nobody idles on a lock.
func (w waiting) parks() bool {
	switch w.base {
	case unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitSleep, unpark.WaitGroup, unpark.WaitNetwork:
		return true
	}
	return false
}

// classify names the wait by Go's own frames at the leaf; the callers up to the
// first frame of the main module may say that it is a pool's, a limiter's or
// another service's.
func (c *Catalogue) classify(stack []unpark.Site, facts []*fact) waiting {
	w := waiting{base: unpark.WaitUnknown}
	i := 0
	for ; i < len(facts) && facts[i].low; i++ {
		if facts[i].wait == nil {
			continue
		}
		// A semaphore is runtime business until sync or internal/poll claims it, and
		// a descriptor is the network's until os says that it is a file.
		w.base, w.receives = facts[i].wait.class, facts[i].wait.recv
		if w.base != unpark.WaitRuntime && w.base != unpark.WaitNetwork && w.base != unpark.WaitSyscall {
			break
		}
	}
	if w.base == unpark.WaitSyscall && i < len(facts) && onSocket(facts[i].pkg, stack[i:]) {
		// Sockets are non-blocking: the goroutine runs, and parks in netpoll if need be.
		w.base = unpark.WaitUnknown
	}
	w.class = w.base
	if !w.parks() {
		return w
	}
	app := false
	for ; i < len(facts) && !app && !facts[i].request; i++ {
		if o := facts[i].class; o != nil {
			w.class = o.class
			return w
		}
		app = c.rank(stack[i], facts[i]) == rankMain
	}
	// Below a handler, a connection that is not the server's own leads elsewhere.
	if w.base == unpark.WaitNetwork && app && some(facts[i:], func(f *fact) bool { return f.request }) {
		w.class = unpark.WaitDownstream
	}
	return w
}

// OnSocket reports whether a system call with this stack (leaf first) is made on a
// socket.
func (c *Catalogue) OnSocket(stack []unpark.Site) bool {
	i := slices.IndexFunc(stack, func(s unpark.Site) bool { return !c.fact(s.Function).low })
	return i >= 0 && onSocket(c.fact(stack[i].Function).pkg, stack[i:])
}

// onSocket looks at the frames above Go's own entry to the call: package net, or a
// function that was handed to a socket's syscall.RawConn (net/rawconn.go), as
// grpc's reader does.
func onSocket(pkg string, callers []unpark.Site) bool {
	return pkg == "net" || slices.ContainsFunc(callers, func(s unpark.Site) bool { return strings.HasPrefix(s.Function, "net.(*rawConn).") })
}

// directFrames is how many frames may lie between a wait and the start of its
// goroutine for the wait to be the goroutine's own loop: the function that go was
// given, and the one that it calls.
const directFrames = 2

// parked reports whether the stack waits for work.
func (c *Catalogue) parked(l Label, w waiting, stack []unpark.Site, facts []*fact) bool {
	for i, f := range facts {
		if f.park != nil && !anyMatch(f.park.unless, facts[:i]) {
			return true
		}
		if c.rank(stack[i], f) != rankNone {
			break
		}
	}
	if some(facts, func(f *fact) bool { return f.request }) {
		return false
	}
	last := len(facts) - 1
	if some(facts[max(0, last-1):], func(f *fact) bool { return f.root }) {
		return true
	}
	serves := l.Entry >= 0 && c.conns[stack[l.Entry].Function]
	switch w.base {
	case unpark.WaitNetwork:
		// The peer has nothing to say. Writing is another matter.
		return some(facts, func(f *fact) bool {
			return f.symbol == "internal/poll.(*FD).Read" || f.symbol == "internal/poll.(*FD).Accept"
		})
	case unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitSleep:
		return w.receives && !serves && direct(facts)
	}
	return false
}

// direct reports whether the goroutine waits in its own loop.
func direct(facts []*fact) bool {
	n := 0
	for _, f := range facts {
		switch {
		case f.low && n == 0, startsGoroutine(f.symbol):
		default:
			n++
		}
	}
	return n <= directFrames
}

// startsGoroutine reports whether a function only starts the caller's.
func startsGoroutine(symbol string) bool {
	switch symbol {
	case "sync.(*WaitGroup).Go.func1", "golang.org/x/sync/errgroup.(*Group).Go.func1", "golang.org/x/sync/errgroup.(*Group).add.func1",
		"runtime/pprof.Do", "runtime.goexit":
		return true
	}
	return false
}

func anyMatch(patterns []string, facts []*fact) bool {
	for _, p := range patterns {
		for _, f := range facts {
			if matches(p, f.symbol) {
				return true
			}
		}
	}
	return false
}
