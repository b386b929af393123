// Package roles is the catalogue of functions: what those of Go's runtime, of its
// standard library and of well-known modules do for the program that calls them. One
// syncs a file, dials, takes a lock, parks a goroutine until there is work. No other
// package of the tree names such a function: all ask for its role (archtest).
//
//  1. The tables list symbols by role. Each group says what it does and where that can
//     be read.
//  2. A function is looked up as the tables write it: without type arguments, vendor
//     folders and major versions.
//  3. [Is] and [On] answer for one role, [SetupOf] and [Parker] their own questions.
//     [Of] returns all that is known of a function, for what keeps it: package profile,
//     whose catalogue labels whole stacks and asks once for each function.
//
// Names are those of profiles: "net/http.(*Transport).dialConn".
package roles

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// Role is what a function does for those that call it.
type Role uint8

// What rules and models ask of a stack.
const (
	Sync         Role = iota // waits until a file is on the disk
	Sleep                    // sleeps, or handles timers
	IO                       // reads, writes or exchanges messages
	Encode                   // encodes, hashes, compresses, formats
	Allocate                 // the allocator's entries
	Transport                // the HTTP client that keeps and opens connections
	Exchange                 // the HTTP client's connection, where an answer is waited for
	Dial                     // opens a connection of a client
	Lookup                   // asks for the addresses of a name
	Opening                  // a pool's own call that opens a connection for the one that asks
	KeepIdle                 // gives a connection back to the client's idle ones
	Connect                  // the HTTP, network and TLS packages, which open connections on behalf of a caller
	Database                 // database/sql
	SingleFlight             // lets one caller make what several ask for
	Broadcast                // wakes all that wait for a condition
	Descriptor               // the lock of a file or connection
	Lock                     // the machinery of locks, below the function that takes one
	Foreign                  // what takes locks inside Go's own HTTP and network packages
)

// Which side a stack is on, and whether its goroutine idles.
const (
	Observer     Role = iota + Foreign + 1 // it is there because the process is profiled
	Request                                // everything below it serves a request
	Background                             // everything below it is housekeeping
	Park                                   // a goroutine that waits directly below it waits for work
	ServesInTurn                           // its goroutine serves one request after the other and parks in between
	ServesOne                              // its goroutine lives for one request
	ServesMany                             // its goroutine moves the frames of many requests at once
	Framework                              // of a package that is never the application
	Profiles                               // a profiler of the service's own, which computes whether unpark looks or not
	Start                                  // the entry of the main goroutine or of a test
	Starter                                // only calls what a go statement was given
	Accept                                 // waits for a connection
	Read                                   // reads from a descriptor
	ConnRead                               // reads from a connection
	Unlock                                 // gives a lock back
	waits                                  // by it a goroutine stops running
	waitBelow                              // says what a wait below it is for
	notObserver                            // excepts a function from a wider pattern of observers
)

// What Go's own frames do.
const (
	Runtime     Role = iota + notObserver + 1 // of the runtime, or below it
	Low                                       // between a wait and what called into Go for it
	Machinery                                 // Go's own, below the callers of interest
	Plumbing                                  // carries bytes between a connection and its user
	Socket                                    // package net
	RawSocket                                 // calls a function on the descriptor of a socket
	GC                                        // exists for garbage collection
	StartGC                                   // begins a collection, or waits for another goroutine to do so
	Malloc                                    // allocates
	RuntimeLock                               // takes or gives back a lock or a semaphore of the runtime
	Locking                                   // takes or gives back a lock of package sync
	ReadLock                                  // takes or gives back an RWMutex for reading
	WriteLock                                 // takes or gives back an RWMutex for writing
	Poll                                      // asks the system which descriptors are ready
	Syscall                                   // makes a system call
	Scheduler                                 // finds, starts, stops or wakes goroutines and threads
	blocks                                    // its first argument is, or points into, what it waits on
)

// What a server's goroutine is at.
const (
	Serve   Role = iota + blocks + 1 // net/http's loop over the requests of a connection
	Handler                          // around every handler of net/http
	Watcher                          // watches for the client going away while a handler runs
	Upkeep                           // what a connection's goroutine does beside requests
	Write                            // writes to a connection
	Close                            // closes a connection
	TLS                              // of a TLS connection
	OwnConn                          // reads or writes the server's own connection, whatever that is wrapped in
	Harness                          // makes requests, one after the other, in a benchmark harness
)

// Costs that are recognised in a CPU profile, as Sync is, by the call that an
// application makes.
const (
	Open          Role = iota + Harness + 1 // opens a connection
	Handshake                               // shakes hands for TLS
	Output                                  // makes output: encodes, hashes, compresses, renders
	WriteCall                               // the system call that writes
	ReadCall                                // the system call that reads
	Buffered                                // reads through a buffer
	AcceptCall                              // accepts a connection, by the system call and what a listener does around it
	File                                    // reads or writes a file
	CompileRegexp                           // compiles a pattern
	FirstUse                                // does once, at its first use, what a thing that was made needs
	Reflect                                 // package reflect
	Yield                                   // gives the processor up for one turn
	Handoff                                 // sends to a channel, receives from one, or selects
	Send                                    // sends to a channel
	Aside                                   // sets a waiting goroutine aside
	Carrier                                 // carries out what its caller asks for, whose cost it is
	Collects                                // asks for a collection, and waits until it is done
	Records                                 // notes for the memory profile where something was allocated
	Moves                                   // clears or copies memory
	Threads                                 // passes a processor from thread to thread for a goroutine that is locked to one
	Grows                                   // makes the buffer larger that is written to
	Joins                                   // makes one string of several
	Retries                                 // tries again what failed, and waits in between
	Bounds                                  // gives a context the time at which it ends
	Cancels                                 // ends what waits for a context to be done
	Deadline                                // the same, of one whose time is up
	Twice                                   // waits twice for one answer: until what asks is written, and until it begins
)

// What no table lists.
const (
	Standard Role = iota + Twice + 1 // by its package: of Go itself, or not of Go at all
	Extended                         // by its package: kept beside Go by its own project, golang.org/x
	Deferred                         // by its name: the wrapper that the compiler makes of a defer statement with arguments
	PassesOn                         // by its name: the Lock or Unlock of a type that wraps a mutex
	Prepares                         // by its name: a library's, turns what it is given into what is there to be used often
	Acts                             // by its name: is called for what it does, not for what it returns
	Listens                          // by its name: the Accept of a listener
	Lasts                            // by its name, or as a known set-up: makes what is there to be used often
	Unique                           // by its name: makes another value each time on purpose
	Compute                          // the program's own work: what has none of the roles that are asked for
)

// Function is what the catalogue knows of a function.
type Function struct {
	Wait       unpark.WaitClass // by it a goroutine stops running, for this; "" for others
	Receives   bool             // and it waits to be given something
	WaitBelow  unpark.WaitClass // what a wait below it is for, whatever Go's own frames say
	Connection bool             // a goroutine parks in it for each open connection
	Blocks     bool             // it is what blocks, or is called by that
	On         Primitive        // Blocks: what its first argument points to; "" where another call says it

	symbol string
	roles  []Role
	unless []string
}

// Of returns what is known of a function, as a profile names it.
func Of(function string) Function {
	f := Function{symbol: canonical(function)}
	f.roles = byName(function, f.symbol)
	longest, exact := 0, 0 // patterns: the longest says it best
	for e := range table().find(f.symbol) {
		f.roles = append(f.roles, e.role)
		switch e.role {
		case waits:
			if len(e.pattern) > exact {
				f.Wait, f.Receives, exact = e.class, e.receives, len(e.pattern)
			}
		case waitBelow:
			if len(e.pattern) > longest {
				f.WaitBelow, longest = e.class, len(e.pattern)
			}
		case Park:
			f.Connection, f.unless = e.conn, e.unless
		case blocks:
			f.Blocks, f.On = true, e.on
		}
	}
	if f.Is(notObserver) {
		f.roles = slices.DeleteFunc(f.roles, func(r Role) bool { return r == Observer })
	}
	return f
}

// Is reports whether the function has a role.
func (f Function) Is(r Role) bool { return slices.Contains(f.roles, r) }

// Busy reports whether a goroutine that parks in f is at work while g is below.
func (f Function) Busy(g Function) bool {
	return slices.ContainsFunc(f.unless, func(pattern string) bool { return matches(pattern, g.symbol) })
}

// Is reports whether a function has a role.
func Is(function string, r Role) bool {
	if r == Observer || r == Machinery || r >= Standard { // not by pattern alone
		return Of(function).Is(r)
	}
	symbol := canonical(function)
	return slices.ContainsFunc(table().patterns[r], func(p string) bool { return matches(p, symbol) })
}

// On reports whether a stack runs through a function with a role.
func On(stack []unpark.Site, r Role) bool {
	return slices.ContainsFunc(stack, func(s unpark.Site) bool { return Is(s.Function, r) })
}

// Leads reports whether a function is on every way to what a program does itself: it
// serves requests, or starts what it was given.
func Leads(function string) bool {
	return Is(function, Request) || Is(function, Starter) || Is(function, Machinery) || Is(function, Low)
}
