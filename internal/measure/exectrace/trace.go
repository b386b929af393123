package exectrace

import (
	"time"

	"github.com/unpark-go/unpark"
)

// Trace is what one execution trace says. Stacks are indexes into Stacks; 0 is
// no stack.
type Trace struct {
	Seconds float64 // from the first to the last event
	Events  int64
	Bytes   int64 // of the file
	Used    int64 // of these, in what could be read
	Broken  error // why not all; nil when all was read
	Part    bool  // it was read no further than Options.Events

	Stacks [][]unpark.Site // leaf first
	Uses   []Use           // by stack

	// Exact are the requests that the probe's middleware marked, Inferred those
	// that the life of goroutines tells.
	Exact, Inferred Requests
	Edges           []Edge
	// Starts is how often goroutines were started, by the stack that they begin with and
	// then by that of the go statement.
	Starts map[int32]map[int32]int64
	// Ended is how many of these ended before the trace did, by the stack that they begin with.
	Ended map[int32]int64
	// Stops is how long the world was stopped, but by the collector, by the stack that
	// stopped it.
	Stops map[int32]Holds
	// Live is how many bytes were alive at the end of each collection, and Goals to how many
	// the heap may grow before the next: GOGC says so, and GOMEMLIMIT where that is near.
	Live, Goals []uint64
	// Procs is GOMAXPROCS at the end, which is written whenever it changes and whenever a
	// trace begins a new part (runtime/trace.go, Gomaxprocs); 0 where it is not.
	Procs int

	moments moments
}

// Requests are the requests of a trace that began and ended inside it.
type Requests struct {
	Count      int64
	Unfinished int64 // under way at the end of the trace
	Wall       Durations
	Ran        Durations // time on a processor, of each
	// Before is the time from the client's intended start to the handler, of those
	// requests that carried it.
	Before  Durations
	Spent   [States]int64 // ns in each state, of all
	Slowest []Request     // the slowest first, at most Options.Keep
	Sample  []Request     // drawn from all with equal chance, at most Options.Keep
}

// Request is one request.
type Request struct {
	Start  int64  // ns since the trace began
	Wall   int64  // ns
	Before int64  // ns from the client's intended start; 0 when it did not say
	Route  string // as the middleware named it; "" when inferred
	Trace  string // of the load, which it belongs to in every service; "" when it did not say
	Spent  []Spent
	Order  []Spent // its states one after the other, at most Options.Order; what was more is Unknown, at the end
	Waits  []Blame // the parts of Spent for which another goroutine can be named
}

// Spent is the time of a request in one state at one place.
type Spent struct {
	State State
	Stack int32 // of a wait or system call
	Time  int64 // ns
}

// Blame is the time that a request waited at one edge.
type Blame struct {
	Edge int32 // index into Trace.Edges
	Time int64 // ns
}

// Use is the time that goroutines spent in the wait or system call of one stack,
// in ns.
type Use struct {
	State   State
	Inside  int64 // requests
	Chained int64 // outside of requests and not for work, while a request was blocked behind it
	Outside int64 // outside of requests, all
	Count   int64 // inside requests
	Late    int64 // of Inside, what the deadline of a context ended
	Ended   int64 // waits inside requests and outside
	GivenUp int64 // of these, how many a context ended that was done
}

// Edge is a stack that waited and the stack that ended the wait.
type Edge struct {
	State          State
	Waiter, Holder int32 // stacks
	Delay          int64 // ns inside requests
	Chained        int64 // ns in which a request was blocked behind such a wait
	Outside        int64 // ns outside of requests
	Count          int64 // waits inside requests that the holder ended; of others it had a part
	// Again is those of Count that it ended right after another one, without stopping in between: one answer, or one
	// broadcast, for several.
	Again int64
	// Served is the part of Delay in which the holder worked for the one that waited:
	// it had none other to serve when that one set it to work. What is left was spent
	// behind others.
	Served int64
	// Held is what the holders did meanwhile, in ns of delay.
	Held []Spent
	// Holds are those of the holder, of a Lock.
	Holds Holds
}

// Holds sums how long a lock was held, from when one goroutine let another in to
// when that let the next one in, with the scheduler's delay in between: as the
// waiting goroutines see it. Only holds during all of which the next one waited are
// counted. Of these the beginning is known, and a long hold is as likely to be among
// them as a short one; those that a goroutine came to while they lasted are the
// longer ones.
type Holds struct {
	N       int64
	Sum     int64   // ns
	Squares float64 // ns²
}

func (h *Holds) add(ns int64) {
	h.N++
	h.Sum += ns
	h.Squares += float64(ns) * float64(ns)
}

// Meaning is what the catalogue of frames (profile.Catalogue) says of a stack.
type Meaning struct {
	Class   unpark.WaitClass // of a wait with this stack; WaitUnknown when it does not tell
	Idle    bool             // a known parking place: the goroutine waits for work
	Observe bool             // it belongs to profiling itself
	Works   bool             // application code, or the writing of an answer
	Done    bool             // it ends what waits for a context to be done
	Late    bool             // the same, of one whose time is up
	Serving Serving
	Caller  int // index of the frame that called Lock, Wait or Read; −1: none
}

// Serving says how a goroutine's stack relates to requests.
type Serving uint8

// How a goroutine serves.
const (
	NoRequest  Serving = iota
	PerLoop            // one request after the other; it parks in between (a connection's goroutine)
	PerRequest         // it lives for one request (a stream's goroutine)
)

// Options says how to read a trace.
type Options struct {
	// Meaning is asked once for every distinct stack (leaf first) of an event.
	Meaning func(at Event, stack []unpark.Site) Meaning
	// Keep bounds the requests that are kept whole, the slowest and the sample each;
	// 0 is 4096.
	Keep int
	// Events is after how many a trace is read no further, as if it ended there; 0: it is read to its end.
	Events int64
	// Order is how many states of each request are kept in their order; 0: none.
	Order int
	// Moment is the length of the intervals by which [Trace.Between] tells what all goroutines did; 0: it does not.
	Moment time.Duration
}
