// Package exectrace reads Go execution traces and says, for every request, where
// its time went and who kept it waiting.
//
// A trace is read once, event by event, in order of time. What is kept is the
// goroutines that live, the slowest requests and a sample of all, and sums by
// place: memory does not grow with the length of the trace (one generation of it,
// about a second, is held by golang.org/x/exp/trace).
//
//   - scheduler.go follows processors and goroutines through their states.
//   - request.go cuts the life of goroutines into requests.
//   - blame.go shares a wait among those who held what was waited for.
//   - keep.go keeps the slowest requests and a fair sample.
//
// The states of a request are a partition: they add up to its wall time.
package exectrace
