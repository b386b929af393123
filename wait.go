package unpark

// WaitClass is what a goroutine waited for.
type WaitClass string

// The wait classes.
const (
	WaitLock       WaitClass = "lock"    // sync.Mutex, sync.RWMutex
	WaitChannel    WaitClass = "channel" // send or receive
	WaitSelect     WaitClass = "select"
	WaitCond       WaitClass = "cond" // sync.Cond
	WaitGroup      WaitClass = "waitgroup"
	WaitNetwork    WaitClass = "network"    // the client's connection, or a raw one
	WaitDownstream WaitClass = "downstream" // an answer from another service or a database
	WaitPool       WaitClass = "pool"       // a connection or worker from a bounded pool
	WaitSyscall    WaitClass = "syscall"    // files and other blocking system calls
	WaitSleep      WaitClass = "sleep"      // time.Sleep, timers
	WaitRateLimit  WaitClass = "ratelimit"  // an intended wait
	WaitGCAssist   WaitClass = "gc-assist"
	WaitScheduler  WaitClass = "scheduler"
	WaitRuntime    WaitClass = "runtime" // a runtime-internal lock
	WaitUnknown    WaitClass = "unknown"
)

// Joins reports whether it is a wait for another goroutine of the same process.
func (c WaitClass) Joins() bool {
	return c == WaitChannel || c == WaitSelect || c == WaitCond || c == WaitGroup
}

// Collects reports whether it is a state in which the collector makes a goroutine wait.
func (c WaitClass) Collects() bool {
	return c == WaitGC || c == WaitGCAssist || c == WaitSTW
}
