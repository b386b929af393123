package profile

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
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

// Label says what a stack (leaf first) of a kind served or delayed.
//
//  1. A frame of the observer: the observer's. What another profiler of the service's own computes, and allocates, is
//     there without unpark as well: as of any module.
//  2. The innermost known parking place with no application frame below it, the
//     main goroutine, and a goroutine that waits to be given something directly
//     in the function it was started with (a worker, a ticker): idle background.
//  3. A frame that serves requests: request path.
//  4. A frame that keeps house: background. Only frames of the runtime, or a
//     runtime-internal lock: the runtime's.
//  5. Anything else is on the request path: a goroutine that is not known to idle
//     does work that was asked for, and under load a wait of it shows by growing
//     with the load, while one that is left out shows nowhere.
func (c *Catalogue) Label(kind unpark.Kind, sites []unpark.Site) Label {
	l := Label{Side: unpark.RequestPath, Class: unpark.WaitUnknown, App: -1, Entry: -1, Caller: -1}
	if len(sites) == 0 {
		l.Side = unpark.RuntimeSide
		return l
	}
	var buf [64]*fact
	s := c.read(sites, buf[:0])
	if standsStill(kind) {
		s.own = s.ownConnection()
	}
	l.App, l.Entry = s.app()
	l.Caller = s.caller()
	var w wait
	switch {
	case standsStill(kind):
		w = s.wait()
		l.Class, l.Recorded = w.class, w.recorded()
	case kind == unpark.KindMutex && s.facts[0].runtime:
		l.Class = unpark.WaitRuntime
	case kind == unpark.KindMutex:
		l.Class = unpark.WaitLock
	}
	switch {
	case s.some(func(f *fact) bool { return f.observer }) && (standsStill(kind) || kind == unpark.KindMutex || !s.some(func(f *fact) bool { return f.Is(roles.Profiles) })):
		l.Side = unpark.ObserverSide
	case kind == unpark.KindMutex && l.Class == unpark.WaitRuntime:
		l.Side = unpark.RuntimeSide
	case w.parks() && s.parked(w, l.Entry):
		l.Side, l.Idle, l.Class = unpark.Background, true, w.base
	case s.serves():
	case s.some(func(f *fact) bool { return f.Is(roles.Background) }):
		l.Side, l.Idle = unpark.Background, w.parks()
		if s.onlyRuntime() {
			l.Side = unpark.RuntimeSide
		}
	case s.onlyRuntime():
		l.Side = unpark.RuntimeSide
	}
	l.Connection = l.Idle && s.connection(w)
	return l
}

// standsStill reports whether the stacks of a kind are of goroutines that wait.
func standsStill(k unpark.Kind) bool {
	return k == unpark.KindBlock || k == unpark.KindGoroutine || k == unpark.KindGoroutineLeak
}
