package exectrace

import "github.com/unpark-go/unpark"

// State is what a goroutine did at an instant, or what it waited for.
type State uint8

// The states. Every goroutine is in one of them at any time.
const (
	Unknown  State = iota // the trace does not tell
	Running               // on a processor
	Runnable              // ready, without a processor (the scheduler)
	GC                    // ready, while the processors collected garbage
	STW                   // ready, while the world was stopped
	Assist                // made to collect garbage for what it allocates
	Lock                  // sync.Mutex, sync.RWMutex
	Channel               // send or receive
	Select
	Cond
	WaitGroup
	Network    // the client's connection, or a raw one
	Downstream // another service's answer
	Pool       // a bounded pool
	RateLimit  // an intended wait
	Sleep      // time.Sleep
	Syscall    // in a system call, or in C
	Internal   // the runtime's own waits
	States     // how many there are
)

// Class returns the word for the state in the vocabulary.
func (s State) Class() unpark.WaitClass {
	return [States]unpark.WaitClass{
		unpark.WaitUnknown, unpark.Running, unpark.WaitScheduler, unpark.WaitGC, unpark.WaitSTW, unpark.WaitGCAssist,
		unpark.WaitLock, unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond, unpark.WaitGroup, unpark.WaitNetwork,
		unpark.WaitDownstream, unpark.WaitPool, unpark.WaitRateLimit, unpark.WaitSleep, unpark.WaitSyscall, unpark.WaitRuntime,
	}[s]
}

// HasPlace reports whether a stack says where the state was: waits and system
// calls have one, time on a processor or ready for it has none.
func (s State) HasPlace() bool { return s >= Lock }

// EndedByAnother reports whether another goroutine ends such a wait, and so made it
// last. No goroutine of this process ends a wait for bytes or for the clock. These are
// the waits that runtime/mprof.go:blockevent is called for.
func (s State) EndedByAnother() bool {
	switch s {
	case Lock, Channel, Select, Cond, WaitGroup, Pool:
		return true
	}
	return false
}

// stateOf returns the state of a class; Unknown for a class that is of none.
func stateOf(c unpark.WaitClass) State {
	for s := State(0); s < States; s++ {
		if s.Class() == c {
			return s
		}
	}
	return Unknown
}
