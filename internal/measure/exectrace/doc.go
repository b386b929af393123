// Package exectrace reads Go execution traces and says, for every request, where
// its time went and which goroutine kept it waiting (decision 12).
//
// A trace is read once, event by event, in order of time. What is kept is the
// goroutines that live, the slowest requests and a sample of all, and sums by
// place: memory does not grow with the length of the trace (one generation of it,
// about a second, is held by golang.org/x/exp/trace).
//
// Begin with [Read] and [Trace]. Events go from decoder.go to the follower
// (follower.go), which hands each to what keeps account of it:
//
//   - scheduler.go: the states of goroutines, and how the processors are used. A
//     goroutine (goroutine.go) remembers its latest states (past.go).
//   - cutter.go cuts the life of goroutines into requests (request.go), of which
//     keep.go keeps the slowest and a fair sample.
//   - blame.go shares a wait among the goroutines that held what was waited for, one
//     after the other (hold.go), and sums that by pairs of stacks (edges.go).
//   - stacks.go numbers stacks, and asks once what each of them means.
//
// The states of a request are a partition: they add up to its wall time.
package exectrace
