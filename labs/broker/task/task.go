// Package task is what the broker does, without disks and networks: tasks are
// created, claimed under a lease and completed, by commands that a Machine
// carries out one after another.
//
// A Machine is deterministic: the same commands in the same order give the same
// results and the same records on every replica, whatever the replica's clock
// says and whether it ran all the time or was loaded from its records.
package task

import (
	"errors"
	"time"
)

// What a command can be refused for.
var (
	ErrUnknown   = errors.New("no such task")
	ErrLeaseLost = errors.New("the lease is not yours any more: somebody else has the task, or it was never claimed")
	ErrInvalid   = errors.New("not a command")
)

// Op is what a command does.
type Op uint8

// The operations.
const (
	Create Op = iota + 1
	Claim
	Complete
)

// Command is one operation. Now is the proposer's clock, in nanoseconds since 1970:
// a replica must not look at its own.
type Command struct {
	Op      Op
	Key     string // Create: idempotency key; empty for none
	Payload []byte // Create
	Worker  string // Claim
	Lease   time.Duration
	ID      uint64 // Complete
	Attempt uint64 // Complete: of the delivery that is completed
	Now     int64
}

// Result is what became of a command.
type Result struct {
	Task  Task
	Found bool  // Claim: there was a task
	Again bool  // the command had been carried out before; Task is what came of it
	Err   error // one of the errors of this package
}

// State is where a task is.
type State uint8

// The states.
const (
	Ready  State = iota + 1
	Leased       // until Task.Until, when it becomes ready again
	Done
)

// Task is one task. It is delivered at least once: Attempt counts deliveries, and
// is what a worker proves its lease with.
type Task struct {
	ID      uint64
	Key     string
	Payload []byte
	State   State
	Attempt uint64
	Worker  string
	Until   int64  // end of the lease, by the machine's clock
	Ended   uint64 // Done: place in the order of completion
}
