// Package build compiles the service under test with the probe added to it, and
// makes what that takes.
//
//  1. [MakeFolder] and [CheckOut] make a folder for the binary, and one with the
//     sources of another revision. Both go when unpark is killed.
//  2. [Program] compiles a package by `go build -overlay`: the probe (probe.go),
//     sources that were replaced, and what the user's own overlay has.
//  3. [ListSources] and [Sources.Find] lead from a name in a profile to the source
//     that an overlay can replace.
//
// The sources of the user, go.mod and vendor folders are not touched.
package build
