// Package owner finds who owns a cost: it follows the stacks of a profile from the
// server inwards for as long as one function has most of what is left, and stops
// where that forks.
package owner
