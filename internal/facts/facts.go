// Package facts holds what one window and its profiles come down to: all that rules and
// models see. Questions that several of them ask have one answer here, as methods of
// [Evidence].
package facts

import (
	"math"

	"github.com/unpark-go/unpark"
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
	Retained   []AllocSite                  `json:"retained"`          // in-use bytes at the window's end, largest first
	Goroutines []GoroutineGroup             `json:"goroutines"`        // by stack, largest first
	Signals    []Signal                     `json:"signals"`           // recognised costs in the CPU profile
	Tracing    *unpark.Tracing              `json:"tracing,omitempty"` // what execution traces say of requests
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

// CPU is how the target used processors.
type CPU struct {
	Cores     unpark.Number `json:"cores"`      // mean cores used by the target, from /proc or the cgroup; else from the profile
	Service   unpark.Number `json:"service"`    // of them, without what observing took
	Allowed   unpark.Number `json:"allowed"`    // cores it may use: quota, affinity or the machine
	Parallel  unpark.Number `json:"parallel"`   // sum of GOMAXPROCS over processes
	Machine   unpark.Number `json:"machine"`    // busy cores of the whole machine
	Sampled   unpark.Number `json:"sampled_s"`  // CPU seconds in the profile, observer removed
	Observer  unpark.Number `json:"observer_s"` // CPU seconds of profiling itself, and of collecting its garbage
	Throttled unpark.Number `json:"throttled"`  // share of the periods of its CPU limit in which the cgroup was stopped
	// Shares of Sampled by what the leaf was doing; they do not overlap.
	Shares CPUShares `json:"shares"`
	Sites  []CPUSite `json:"sites"` // by application frame, largest cumulative first
	// Functions are all functions, Go's own and those of libraries as well, by what they
	// do themselves, largest Flat first; Self is Flat.
	Functions []CPUSite `json:"functions,omitempty"`
	// Dominant is the first application frame where stacks diverge: descending
	// from the root through application frames that hold at least 70 % of the
	// request-path samples. Zero when there is none.
	Dominant    unpark.Site   `json:"dominant"`
	DominantCPU unpark.Number `json:"dominant_s"`
	RequestPath unpark.Number `json:"request_path_s"` // CPU seconds of stacks that serve requests
}

// OfService is the cores that the service itself used; those of the target where that
// was not told apart.
func (c CPU) OfService() unpark.Number {
	if c.Service.Known() {
		return c.Service
	}
	return c.Cores
}

// CPUShares splits CPU time by what was executing; each is a share of the
// profile without the observer.
type CPUShares struct {
	GC        unpark.Number `json:"gc"`        // background marking, assists, sweeping
	Malloc    unpark.Number `json:"malloc"`    // mallocgc without assists
	Scheduler unpark.Number `json:"scheduler"` // schedule, findRunnable, futex, netpoll
	Syscall   unpark.Number `json:"syscall"`   // read, write and other system calls
	Lock      unpark.Number `json:"lock"`      // spinning and runtime.lock2, sync slow paths
	App       unpark.Number `json:"app"`       // everything else
}

// CPUSite is one application frame with what it costs. Self is the time of
// samples whose innermost application frame this is (its own instructions and
// the library and runtime code that it called); Cum counts every sample it is on.
type CPUSite struct {
	Site    unpark.Site   `json:"site"`
	Self    float64       `json:"self_s"`
	Flat    float64       `json:"flat_s"` // samples whose very leaf it is
	Cum     float64       `json:"cum_s"`
	Side    unpark.Side   `json:"side"`
	Callees []SiteSum     `json:"callees"` // what Self went to: first frame below, largest first, at most 5
	Stack   []unpark.Site `json:"stack"`   // the heaviest stack through it, leaf first, at most 32
}

// SiteSum is a site with an amount.
type SiteSum struct {
	Site  unpark.Site `json:"site"`
	Value float64     `json:"value"`
}

// GC is what garbage collection cost.
type GC struct {
	CPUShare   unpark.Number `json:"cpu_share"` // of the CPU the target used
	Cycles     unpark.Number `json:"cycles"`
	AllocBytes unpark.Number `json:"alloc_bytes"` // allocated in the window
	AllocCount unpark.Number `json:"alloc_objects"`
	HeapLive   unpark.Number `json:"heap_live_bytes"`
	HeapGoal   unpark.Number `json:"heap_goal_bytes"`
}

// Wait is the time that goroutines spent at one place, not running.
type Wait struct {
	Class   unpark.WaitClass `json:"class"`
	Side    unpark.Side      `json:"side"`
	Waiter  unpark.Site      `json:"waiter"`  // innermost application frame
	Delay   float64          `json:"delay_s"` // summed over goroutines; for goroutine snapshots: mean count × window
	Count   float64          `json:"count"`   // events; unknown (0) for snapshots
	Stack   []unpark.Site    `json:"stack"`   // the heaviest stack, leaf first, at most 32
	Source  string           `json:"source"`  // "block.pb.gz", "goroutine"
	Idle    bool             `json:"idle"`    // a known parking place of a server, pool or worker
	Samples int64            `json:"samples"` // snapshots or distinct stacks behind it
}

// Lock is one contended lock: the end that waited (block profile) and the end
// that held (mutex profile records the unlocker).
type Lock struct {
	Side      unpark.Side   `json:"side"`
	Type      string        `json:"type"` // "sync.Mutex", "sync.RWMutex (write)", "sync.RWMutex (read)", "runtime"
	Waiter    unpark.Site   `json:"waiter"`
	Holder    unpark.Site   `json:"holder"`      // zero when the mutex profile does not show it
	Delay     float64       `json:"delay_s"`     // of the waiters, from block; from goroutine dumps, else mutex, when block is missing
	Released  float64       `json:"released_s"`  // the same delay seen from the unlocker, from mutex
	Count     float64       `json:"count"`       // contentions
	Releases  float64       `json:"releases"`    // unlocks that let a waiter go, from mutex
	Agreement unpark.Number `json:"agreement"`   // Released ÷ Delay; 0.7–1.5 says that both saw the same lock
	HolderCPU float64       `json:"holder_s"`    // CPU seconds of the holder's function in the window
	WaiterAll []unpark.Site `json:"waiter_path"` // leaf first
	HolderAll []unpark.Site `json:"holder_path"` // leaf first
	// Held lists what other application and library frames run below the
	// holder's function, by goroutine snapshots and CPU: why the hold is long.
	Held []SiteSum `json:"held"`
	// Utilization is the share of the window in which the lock was held, when
	// it can be told: from goroutine snapshots (mean holders) or the wait itself.
	Utilization unpark.Number `json:"utilization"`
	// Counted says that it rests on contentions, and on holds in traces.
	Counted bool `json:"counted,omitempty"`
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
	SignalReflect   SignalID = "reflect"
)

// Signal is CPU time under recognised library frames, on the request path, by
// the application frame that is responsible.
type Signal struct {
	ID    SignalID      `json:"id"`
	Site  unpark.Site   `json:"site"`  // innermost application frame
	Leaf  unpark.Site   `json:"leaf"`  // the recognised frame
	CPU   float64       `json:"cpu_s"` // CPU seconds
	Stack []unpark.Site `json:"stack"`
}
