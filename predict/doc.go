// Package predict says what removing a finding would do, before anyone changes
// code: throughput, p50 and p99 as ratios after ÷ before, each with an interval,
// what was assumed, and what would bind next.
//
//   - CPU: a part f of the CPU goes away, with the garbage collection that it
//     drags along. A service that CPU binds then does R/(1−f).
//   - Closed loop: N requests are always under way, so throughput is N/(W−w)
//     when the wait w goes away, bounded by the ceilings that are left: cores ÷
//     CPU per request, 1 ÷ hold of other locks, the generator. Between the
//     bounds the value is that of mean value analysis over the same stations.
//   - Open loop below saturation: throughput is what is offered and stays. The
//     mean response becomes W−w. The tail of a queue near saturation goes away
//     with the queue; what is left lies between what a request takes without
//     the wait (when that is constant) and ln 100 times it (when that spreads
//     like an exponential).
//
// Removing a wait never raises a CPU, network or generator ceiling. That is a
// result, not a failure: "real, and worth at most +1 %: CPU is what binds".
//
// Where nothing can be said the ratios are unknown and an assumption says why.
// Intervals are wide on purpose where trials showed the models to fail: tails,
// and fixes that also change what a request costs in CPU.
package predict
