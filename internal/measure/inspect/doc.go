// Package inspect reads what the Go runtime of another process has in its memory: profiles of blocking,
// locks and allocations, goroutines with their stacks and states. The process has no endpoint, no code
// for it, and is never stopped or signalled. Nothing of it is written but, where that is allowed,
// the two rates that turn recording on.
package inspect
