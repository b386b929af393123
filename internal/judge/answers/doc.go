// Package answers tells whether two versions of a service answer the same, where answers may differ of their own accord:
// times, identifiers, an order that chance decides. Begin at [Compare].
//
//  1. A body is read as a value: JSON as what it says, text as lines of words, all else as bytes (value.go).
//  2. The version before was asked several times over, each time started afresh. What differs between two of its own
//     answers to the same request at the same step is a mask: it is not held to equality, but to its kind (mask.go).
//  3. Everything else of the version after has to be equal, at every step: when it has just started, again, later, after a
//     write. So an answer that was kept and must not be is a difference.
//  4. What is masked has to change where it always changed before: a time that stands still is kept as well (stale.go).
//
// Nothing here asks a service; package prove does.
package answers
