// Package unpark is the vocabulary of one investigation: what limits a Go
// service, what fixing each cause would buy, and whether the fix did.
//
// The package holds the documents that people and programs read: plain types and
// pure methods. It does no I/O and imports the standard library only. The stages
// below internal exchange these types and never see each other's insides:
//
//  1. load drives requests by a [Plan] and returns a [Load].
//  2. target starts the service and says which operating system processes it is.
//  3. window holds the load, captures every [Kind] of every process in the same
//     interval, and returns a [Window] with the raw profiles beside it.
//  4. profile decodes pprof data, merges processes, subtracts and labels frames.
//  5. evidence reduces a window and its profiles to facts: waits, locks,
//     sites and figures in absolute units, the observer's own share removed.
//  6. diagnose turns evidence into a [Limit] and ranked [Finding] values.
//  7. predict adds a [Prediction] to each finding.
//  8. report prints a [Run]; store keeps it.
//
// Package investigate is the only place that joins them.
//
// # Unknown is a state
//
// A measurement that was not taken is never zero. [Number] and [Quantity] are
// unknown in their zero value and become JSON null; ask Known before use.
package unpark
