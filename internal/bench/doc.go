// Package bench runs Go benchmarks of two revisions in turns and tells which differ (unpark ab --bench). Begin at Run:
//
//  1. The tests of both revisions are compiled (build.Tests), the benchmarks listed, and those named that one alone has.
//  2. A round runs each benchmark of both arms once, one right after the other, in an order that chance decides, in a
//     process of its own (run.go) with the yardstick beside it. Rounds are kept as they come, in before.txt and after.txt.
//  3. Package judge/bench says which differ.
//  4. The benchmarks whose time changed most run some rounds more, with profiles, for the functions that did it
//     (profile.go, package judge/functions).
//
// A benchmark that fails is named and left out; the others go on.
package bench
