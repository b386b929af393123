// Package window measures one bounded interval: it holds the load, captures
// every kind of every process of the target over the same instants, and stamps
// and checks the overlap.
//
// The order within a measurement:
//
//  1. A baseline stretch without profiling, so that capture's cost is known.
//  2. Sampling rates are leased and the cumulative kinds (block, mutex, allocs)
//     are read once. The rates are set after the warm-up: what came before is no
//     part of the window.
//  3. The window opens: processes, machine and runtime metrics are read, and one
//     CPU profile per process begins. Goroutine snapshots are spread over it.
//  4. The window closes: everything is read a second time, the heap is read now
//     and not before, and the cumulative kinds are subtracted here, not in the
//     target. A delta handler would park a goroutine in the target's own block
//     profile for the whole window (net/http/pprof.serveDelta).
//  5. The leases end, an execution trace is taken in a stretch of its own, of a
//     length that the request rate asks for, and where that sees too few requests a
//     flight recorder waits for slow ones. A second CPU profile is recorded beside it,
//     for the samples that the trace then holds; it is dropped, so that the one that
//     judges is never of a process that is traced. What both cost is measured too.
//  6. A second baseline stretch brackets the window.
package window
