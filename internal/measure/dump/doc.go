// Package dump reads goroutine dumps over time and says what is stuck and what
// advances.
//
//  1. A dump is the text of /debug/pprof/goroutine?debug=2: the only form with
//     the ids of goroutines. Goroutines are read one after the other, and what
//     cannot be read is counted.
//  2. Every goroutine is followed by its id, which the runtime never uses twice.
//     It moved when its stack, its wait reason or the arguments on its stack
//     changed, or when the runtime's own wait time says so.
//  3. The frame catalogue of package profile says which waits are parking.
//  4. What did not move is stuck, waits to be given something, or waits for what
//     is outside of the process. Goroutines are grouped by stack, reason and go
//     statement.
//  5. Locks and go statements give the chain of who waits for whom, and with it
//     candidates for deadlocks; places at which goroutines only gather are
//     candidates for leaks, and proven where the target's goroutineleak profile
//     names them.
//
// [Run] takes the dumps and does all of this. It reads nothing itself: a [Source]
// holds the functions that do.
//
// # What a wait time proves
//
// The runtime prints whole minutes, counted from the first garbage collection
// that met the goroutine waiting (runtime/mgcmark.go:markroot sets waitsince,
// runtime/proc.go:execute clears it). After a collection that followed the first
// dump, a goroutine that has not run since then shows every minute since that
// collection; one that shows fewer has run. So a watch of a minute or longer proves
// both, while a shorter one sees only that nothing looks different.
package dump
