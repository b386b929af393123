package facts

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// Wait is the time that goroutines spent at one place, not running.
type Wait struct {
	Class  unpark.WaitClass `json:"class"`
	Side   unpark.Side      `json:"side"`
	Waiter unpark.Site      `json:"waiter"`  // innermost application frame
	Delay  float64          `json:"delay_s"` // summed over goroutines; for goroutine snapshots: mean count × window
	Count  float64          `json:"count"`   // events; unknown (0) for snapshots
	// Traced is how often requests waited, by traces, where only dumps show how long.
	Traced float64       `json:"traced,omitzero"`
	Stack  []unpark.Site `json:"stack"` // the heaviest stack, leaf first, at most 32
	// Above is what lies above these frames up to the application's line, leaf first: of a deeper stack, and, where a library runs a goroutine
	// for a request (Asked), of the go statement as well, by the trace.
	Above   []unpark.Site `json:"above,omitempty"`
	Asked   unpark.Site   `json:"asked,omitzero"` // the application's line that such a goroutine runs for; zero of all others
	Source  string        `json:"source"`         // "block.pb.gz", "goroutine"
	Idle    bool          `json:"idle"`           // a known parking place of a server, pool or worker
	Samples int64         `json:"samples"`        // snapshots or distinct stacks behind it
	// Late is the part of its time that ended because the time of a context was up, and GivenUp the part of the waits that a context can
	// end, however long, that one ended, by traces; unknown where that is none, or they have too little of it.
	Late    unpark.Number `json:"late,omitzero"`
	GivenUp unpark.Number `json:"given_up,omitzero"`
	// Wrote is how often something was written to clients in the same function, for each such wait, by traces.
	Wrote unpark.Number `json:"wrote,omitzero"`
}

// Lock is one contended lock: the end that waited (block profile) and the end
// that held (mutex profile records the unlocker).
type Lock struct {
	Side   unpark.Side `json:"side"`
	Type   string      `json:"type"` // "sync.Mutex", "sync.RWMutex (write)", "sync.RWMutex (read)", "runtime"
	Waiter unpark.Site `json:"waiter"`
	Holder unpark.Site `json:"holder"` // zero when the mutex profile does not show it
	// Shared names a lock that several functions take, none of which holds it for most of the
	// waiting: those of one name are one. Empty where there is a holder, or one waiting function.
	Shared    string        `json:"shared,omitempty"`
	Delay     float64       `json:"delay_s"`     // of the waiters, from block; from goroutine dumps, else mutex, when block is missing
	Released  float64       `json:"released_s"`  // the same delay seen from the unlocker, from mutex
	Count     float64       `json:"count"`       // contentions
	Releases  float64       `json:"releases"`    // unlocks that let a waiter go, from mutex
	Agreement unpark.Number `json:"agreement"`   // Released ÷ Delay; 0.7–1.5 says that both saw the same lock
	HolderCPU float64       `json:"holder_s"`    // CPU seconds of the holder's function in the window
	HeldCPU   float64       `json:"held_s"`      // of those, at lines of it at which the lock is held, as far as they are known
	WaiterAll []unpark.Site `json:"waiter_path"` // leaf first
	HolderAll []unpark.Site `json:"holder_path"` // leaf first
	// Held lists what other application and library frames run below the
	// holder's function, by goroutine snapshots and CPU: why the hold is long.
	Held []SiteSum `json:"held"`
	// Utilization is the share of the window in which the lock was held, when
	// it is known: from goroutine snapshots (mean holders) or the wait itself.
	Utilization unpark.Number `json:"utilization"`
	// Counted says that it rests on contentions, and on holds in traces.
	Counted bool `json:"counted,omitempty"`
}

// Types of locks that package sync has no name for, or that are not its own.
const (
	// RuntimeLock is of the runtime itself.
	RuntimeLock = "runtime"
	// DescriptorLock is the one inside a file or connection that lets one goroutine at a
	// time read or write it (internal/poll/fd_mutex.go).
	DescriptorLock = "internal/poll.fdMutex"
	// WriteLock is a sync.RWMutex where it is taken to write.
	WriteLock = "sync.RWMutex (write)"
)

// Waited is the delay of its waiters in seconds; seen from the unlocker where only that is
// known.
func (l Lock) Waited() float64 {
	if l.Delay > 0 {
		return l.Delay
	}
	return l.Released
}

// Meeting finds the innermost function that two stacks have in common, counted from where
// goroutines begin: the index of its frame in each, −1 where they have none. What one takes
// and the other gives back is held between these two lines.
func Meeting(taken, given []unpark.Site) (i, j int) {
	i, j = len(taken), len(given)
	for i > 0 && j > 0 && taken[i-1].Function == given[j-1].Function {
		i, j = i-1, j-1
	}
	if i == len(taken) {
		return -1, -1
	}
	return i, j
}

// Outermost is the outermost frame of a stack: which sort of goroutine it belongs to.
func Outermost(stack []unpark.Site) string {
	if len(stack) == 0 {
		return ""
	}
	return stack[len(stack)-1].Function
}

// Through reports whether a stack runs through a function.
func Through(stack []unpark.Site, function string) bool {
	return slices.ContainsFunc(stack, func(s unpark.Site) bool { return s.Function == function })
}

// Met is how many goroutines of requests were in a function, in each dump.
func (e Evidence) Met(function string) []float64 {
	var met []float64
	for _, g := range e.Goroutines {
		if g.Side != unpark.RequestPath || !Through(g.Stack, function) {
			continue
		}
		for i, n := range g.Series {
			for len(met) <= i {
				met = append(met, 0)
			}
			met[i] += n
		}
	}
	return met
}
