package exectrace

import "github.com/unpark-go/unpark"

// Event is what a stack was recorded at: a reason to wait (those of
// runtime/traceruntime.go:traceBlockReasonStrings), or one of the others below.
type Event uint8

// The events with stacks.
const (
	AtOther   Event = iota // the runtime waits for something of its own
	AtCreate               // the function that a goroutine begins with
	AtStart                // it starts another goroutine
	AtStop                 // it stops the world
	AtWake                 // it ends another's wait
	AtSyscall              // it enters a system call, or C
	AtNetwork
	AtSelect
	AtCond
	AtSync
	AtSend
	AtReceive
	AtForever // nil channels and empty selects
	AtSleep
	AtAssist  // the collector's assistance
	AtPreempt // it was stopped, not blocked
	AtSample  // it was on a processor, and a sample of the CPU was taken
)

// blockedAt returns the event of a wait with a reason.
func blockedAt(reason string) Event {
	switch reason {
	case "network":
		return AtNetwork
	case "sync":
		return AtSync
	case "select":
		return AtSelect
	case "sync.(*Cond).Wait":
		return AtCond
	case "chan receive":
		return AtReceive
	case "chan send":
		return AtSend
	case "sleep":
		return AtSleep
	case "forever":
		return AtForever
	case "preempted":
		return AtPreempt
	case "GC mark assist wait for work", "wait until GC ends", "GC weak to strong wait":
		return AtAssist
	}
	return AtOther
}

// state returns what a goroutine does that stands still at an event, when its
// stack is of a class: the event tells the kind of wait, the callers more.
func (e Event) state(c unpark.WaitClass) State {
	switch e {
	case AtSyscall:
		return Syscall
	case AtAssist:
		return Assist
	case AtPreempt:
		return Runnable
	case AtOther, AtCreate, AtStart, AtStop, AtWake, AtSample:
		return Internal
	}
	if s := stateOf(c); s != Unknown && s != Running && (s != Syscall || e == AtNetwork) {
		return s
	}
	return map[Event]State{
		AtNetwork: Network, AtSelect: Select, AtCond: Cond, AtSync: Lock,
		AtSend: Channel, AtReceive: Channel, AtForever: Channel, AtSleep: Sleep,
	}[e]
}
