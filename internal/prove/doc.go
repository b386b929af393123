// Package prove tells whether a change of a service is an improvement, in a way that the author of the change cannot talk it
// into (unpark prove). Begin at [Session.Prove]:
//
//  1. [Open] copies both trees and hashes them (tree.go). What is built, tested, asked and measured is the copies; what
//     is hashed and what is built are the same because nothing outside of a copy is compiled.
//  2. The tests of the tree before run on both, from its own files (tests.go): what passed before has to pass after.
//  3. Both arms are asked the same sample of the load's requests, before twice, and package answers compares (ask.go).
//     The plan of the load is held against those that it must not be weaker than (plan.go).
//  4. Package ab measures both in turns.
//  5. The trees are hashed again, and all of it is one document (receipt.go).
//
// A step that refuses ends it: what is after it would be measured for nothing.
package prove
