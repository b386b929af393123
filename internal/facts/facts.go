// Package facts holds what one window and its profiles come down to: all that rules and
// models see. Questions that several of them ask have one answer here, as methods of
// [Evidence].
package facts

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts/sampled"
)

// Evidence is what one window and its profiles come down to, merged over the
// processes of the target, in absolute units, the observer's share removed. It
// is all that rules and models see.
type Evidence struct {
	Host   unpark.Host   `json:"host"`
	Target unpark.Target `json:"target"`
	Plan   unpark.Plan   `json:"plan"`
	Window unpark.Window `json:"window"`

	Seconds    float64                      `json:"seconds"`  // length of the profiled window
	Requests   unpark.Number                `json:"requests"` // completed in it
	Coverage   map[unpark.Kind]KindCoverage `json:"coverage"`
	CPU        CPU                          `json:"cpu"`
	GC         GC                           `json:"gc"`
	Waits      []Wait                       `json:"waits"`             // by waiter, largest delay first
	Locks      []Lock                       `json:"locks"`             // waiter and holder joined, largest delay first
	Allocs     []AllocSite                  `json:"allocs"`            // largest first
	AllocTree  Tree                         `json:"-"`                 // bytes by function, from the server inwards
	Retained   []AllocSite                  `json:"retained"`          // in-use bytes at the window's end, largest first
	Goroutines []GoroutineGroup             `json:"goroutines"`        // by stack, largest first
	Signals    []Signal                     `json:"signals"`           // recognised costs in the CPU profile
	Tracing    *unpark.Tracing              `json:"tracing,omitempty"` // what execution traces say of requests
	Drawn      []sampled.Request            `json:"-"`                 // some of the traces' requests, of which each has the same chance
	Stops      []Stop                       `json:"stops,omitempty"`   // of the world, but by the collector, longest first
	// Along is the cores, mean over the window, that other services of the run used on the same
	// machine: one that asks this one, or is asked by it.
	Along float64 `json:"along_cores,omitzero"`
	// Starts is goroutines per second, by the function whose go statement starts them, most first.
	Starts []SiteSum `json:"starts,omitempty"`
	// Doses holds what windows at other load levels showed, lowest first, for rules
	// that need a second dose.
	Doses []Dose `json:"doses,omitempty"`
}

// Cores is the number of cores that the target's Go code can use at once: the least of
// its quota, its affinity, its machine and the sum of GOMAXPROCS, which bounds it like a
// quota does; unknown where none of them is known.
func (e Evidence) Cores() unpark.Number {
	var least unpark.Number
	for _, n := range []unpark.Number{e.CPU.Allowed, e.Target.Quota, e.CPU.Parallel, unpark.Num(float64(e.MachineCores()))} {
		if v, ok := n.Get(); ok && v > 0 && v < least.Or(math.Inf(1)) {
			least = n
		}
	}
	return least
}

// MachineCores is the number of processors of the target's machine; 0 where that is
// another one, or not known.
func (e Evidence) MachineCores() int { return e.Target.MachineCores(e.Host, e.Window) }

// manyStarts is how many goroutines a function starts for a request for what they cost to
// be its own doing: a request has one, and a few for what it waits for.
// Unit: goroutines. Source: convention. Test: TestManyStarts.
const manyStarts = 8

// Started is how many goroutines a function starts for each request, and its part of all that
// are started: 0 where they are no more than a request needs. Type arguments are left out:
// profiles and traces name them in other ways.
func (e Evidence) Started(function string) (each, part float64) {
	var all float64
	for _, s := range e.Starts {
		all += s.Value
		if unpark.WithoutTypeArguments(s.Site.Function) == unpark.WithoutTypeArguments(function) {
			each += s.Value
		}
	}
	rate := e.Requests.Or(0) / max(e.Seconds, 1e-9)
	if all <= 0 || rate <= 0 || each < manyStarts*rate {
		return 0, 0
	}
	return each / rate, each / all
}

// Dose is what a window at another load level of the same run showed.
type Dose struct {
	Level   unpark.Level `json:"level"`
	RPS     float64      `json:"rps"`     // achieved
	Seconds float64      `json:"seconds"` // length of its window
	Waits   []Wait       `json:"waits"`
}

// PerRequest divides v by the completed requests; unknown without load.
func (e Evidence) PerRequest(v float64) unpark.Number {
	n, ok := e.Requests.Get()
	if !ok {
		return unpark.Number{}
	}
	return unpark.Ratio(v, n)
}

// Varies reports whether the load says how often the same is asked: by URLs that are filled in anew, or
// by a list in which things stand several times. That answers to one question repeat says nothing of a
// service, any that is deterministic does so; nor does it where a list has each thing once, however often
// the load goes through it.
func (e Evidence) Varies() bool {
	kinds := map[string]bool{}
	var asked float64
	for _, r := range e.Plan.Requests {
		if r.FilledIn() {
			return true
		}
		kinds[r.Method+" "+r.URL+" "+r.Sum+" "+string(r.Body)] = true
		asked += r.EffectiveWeight()
	}
	return len(kinds) > 1 && asked >= 2*float64(len(kinds))
}

// Sketched reports whether the load is a few requests that were written down. How often each is asked was then written by hand
// as well: it says which kinds there are, and not how often the same thing is asked for in earnest.
func (e Evidence) Sketched() bool {
	const many = 100 // a log has hundreds of lines; what is written by hand, or by a script for a trial, has dozens
	for _, r := range e.Plan.Requests {
		if r.FilledIn() {
			return false
		}
	}
	return len(e.Plan.Requests) < many
}

// Typical is the time that a request in the middle takes inside of the process, in
// seconds, or, without a trace, at most; unknown without load.
func (e Evidence) Typical() unpark.Number {
	const enough = 100 // requests, for a median to be right to a tenth of the ranks
	l, t := e.Window.Load, e.Tracing
	switch {
	case l == nil:
		return unpark.Number{}
	case t != nil && t.Requests >= enough && t.Wall.N > 0:
		return unpark.Num(min(t.Wall.P50, l.Response.P50))
	}
	return unpark.Num(l.Response.P50)
}

// KindCoverage says whether a kind can be used and, if not, why.
type KindCoverage struct {
	State unpark.Coverage `json:"state"`
	Why   string          `json:"why,omitempty"`
	Files int             `json:"files"` // processes whose profile was used
	// Seconds is the interval that the profiles cover: unknown for one that counts since
	// its process started, and for one of an instant.
	Seconds unpark.Number `json:"seconds"`
	Events  int64         `json:"events"`  // samples, contentions, objects or goroutines in them, without the observer's
	Offered bool          `json:"offered"` // it was asked for, or is among the files
	Lost    int           `json:"lost"`    // processes whose profile could not be used
}

// Stop is a place that stops the world: meanwhile no other goroutine runs.
type Stop struct {
	Site  unpark.Site   `json:"site"`  // innermost application frame
	Call  unpark.Site   `json:"call"`  // what stops it, the leaf
	Share float64       `json:"share"` // of the time of the traces
	Rate  float64       `json:"rate"`  // stops per second
	Stack []unpark.Site `json:"stack"`
}

// GC is what garbage collection cost.
type GC struct {
	CPUShare   unpark.Number `json:"cpu_share"` // of the CPU the target used
	Cycles     unpark.Number `json:"cycles"`
	AllocBytes unpark.Number `json:"alloc_bytes"` // allocated in the window
	AllocCount unpark.Number `json:"alloc_objects"`
	HeapLive   unpark.Number `json:"heap_live_bytes"`
	HeapGoal   unpark.Number `json:"heap_goal_bytes"`
	// What a process is set to, by its own metrics: GOGC in percent, −1 where it is off, and GOMEMLIMIT, unknown where there is none.
	GOGC        unpark.Number `json:"gogc_percent,omitzero"`
	MemoryLimit unpark.Number `json:"memory_limit_bytes,omitzero"`
}

// AllocSite is one allocating application frame.
type AllocSite struct {
	Site    unpark.Site   `json:"site"`
	Bytes   float64       `json:"bytes"`
	Objects float64       `json:"objects"`
	Side    unpark.Side   `json:"side"`
	Callees []SiteSum     `json:"callees"` // the library frame that allocated on its behalf, in bytes
	Stack   []unpark.Site `json:"stack"`
}

// GoroutineGroup is goroutines with the same stack, counted over the window's
// snapshots.
type GoroutineGroup struct {
	Class unpark.WaitClass `json:"class"`
	Side  unpark.Side      `json:"side"`
	Idle  bool             `json:"idle"`
	// Connection: they idle because the connections do that they belong to.
	Connection bool          `json:"connection,omitempty"`
	Site       unpark.Site   `json:"site"`    // innermost application frame, or the leaf
	Created    unpark.Site   `json:"created"` // the frame that is the goroutine's entry
	First      float64       `json:"first"`   // at the first snapshot
	Last       float64       `json:"last"`    // at the last snapshot
	Mean       float64       `json:"mean"`
	Snapshots  int           `json:"snapshots"`
	Series     []float64     `json:"series,omitempty"` // the count in each snapshot, in order
	Stack      []unpark.Site `json:"stack"`
}

// SignalID names a recognised cost in a profile.
type SignalID string

// The signals.
const (
	SignalDial      SignalID = "dial"      // connections opened by the target's clients
	SignalHandshake SignalID = "handshake" // TLS handshakes made by the target
	SignalEncode    SignalID = "encode"    // encoding, hashing, compressing, rendering
	SignalWrite     SignalID = "write"     // write system calls
	SignalRead      SignalID = "read"      // read system calls
	SignalAccept    SignalID = "accept"
	SignalFsync     SignalID = "fsync"
	SignalRegexp    SignalID = "regexp-compile"
	SignalFirstUse  SignalID = "first-use" // what a library does with what it was given when it is first used
	SignalReflect   SignalID = "reflect"
	SignalHandoff   SignalID = "handoff" // operations of channels, of any goroutine
	SignalPark      SignalID = "park"    // goroutines that are set aside, of any
	SignalThread    SignalID = "thread"  // processors that go from thread to thread for goroutines that are locked to one
	SignalRecord    SignalID = "record"  // allocations noted for the memory profile, of any goroutine
	SignalSend      SignalID = "send"    // write system calls on connections, of any goroutine
	SignalReceive   SignalID = "receive" // read system calls on connections, of any goroutine
	SignalServing   SignalID = "serving" // a server's own work on connections of clients, outside of handlers, of any goroutine
	SignalYield     SignalID = "yield"   // processors that are given up, and asked for again at once, by any goroutine
)

// Signal is CPU time under recognised library frames, on the request path, by
// the application frame that is responsible.
type Signal struct {
	ID    SignalID      `json:"id"`
	Site  unpark.Site   `json:"site"`  // innermost application frame
	Leaf  unpark.Site   `json:"leaf"`  // the recognised frame
	CPU   float64       `json:"cpu_s"` // CPU seconds
	Stack []unpark.Site `json:"stack"`
	// Via is the function that has the connection, of SignalSend and SignalReceive.
	Via unpark.Site `json:"via,omitzero"`
}
