// Package guard waits beside a service for a condition to hold, and captures what happened then.
//
// Begin at Run in guard.go. A guard reads figures once a second (sample.go; a log in follow.go), has
// conditions judge them (condition.go says what they are, state.go when one fires), and keeps the last
// seconds of the target (window.Standing). When a condition fires, it captures a window that begins
// before that, with a verdict, by the pipeline of package investigate (catch.go). Limits are in limit.go; the
// catches of a guard that are too many go by keep.go, and nothing else does.
package guard
