// Package turns measures versions of a service in turns: each built, started afresh, driven by the same load and timed
// without profiling, next to each other in time and in an order that chance decides, with a yardstick that tells how fast the
// machine was. Begin at [New].
//
// What rounds come to is said by package compare (unpark ab) and package judge/bisect (unpark bisect).
package turns
