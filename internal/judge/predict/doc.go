// Package predict says what removing a finding would do, before anyone changes
// code: throughput, p50 and p99 as ratios after ÷ before, each with an interval,
// what was assumed, what would bind next, and what a smaller fix would do.
//
//  1. The service is a closed network or an open one: the processors, each busy
//     lock, and what has no queue. Its demands are measured: CPU and hold per
//     request, waits per request.
//  2. What a finding takes is a cut: a wait, a share of the CPU with the collection
//     that it drags along, or both. A cached recomputation loses the herd and not
//     the one that computes; a wait for a sync loses the queue and not the sync.
//  3. What stays is estimated on its own: at most the remainder of the shares, at
//     least what a request over a socket costs when caches are warm. The interval
//     grows as the share nears 1.
//  4. Closed loop: mean value analysis over what stays, between N/(W−w) and the
//     ceilings that are left; where CPU binds, R/(1−f). Other levels of a sweep say
//     how far that is off, and the interval is wider by it.
//  5. Open loop below saturation: throughput is what is offered. Of the services
//     that may be the measured one those are kept whose simulated percentiles come
//     near; the fix is made to each. Where traces show enough requests each loses its own
//     part of what goes, and percentiles are those of what is left.
//  6. Findings are ranked by what they buy, then by what they may buy.
//
// Removing a wait never raises a CPU, network or generator ceiling. That is a
// result, not a failure: "real, and worth at most +1 %: CPU is what binds".
//
// In types: a service (service.go) is a load (load.go), what a request takes of the
// processors (processors.go) and the busy locks as stations (lock.go). A cut (cut*.go) is
// what a finding takes of it. Both are a change (change.go, left_*.go, late.go), which a
// closedLoop (closed*.go) or an openLoop (open.go, candidates.go, resampled.go) forecasts.
//
// Where nothing can be said the ratios are unknown and an assumption says why.
// docs/prediction.md has the models, where they fail, and how well they cover.
package predict
