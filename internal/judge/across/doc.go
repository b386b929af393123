// Package across judges several services of one run together: one that the load asks, and those
// that it asks in turn, all captured in the same window.
//
//  1. [Join] says which requests of a service belong to those of the run, and how that is known:
//     by the identity that each request carries (traceparent), or by the connections that the
//     service has accepted. Where neither says it surely, Join says why and nothing more is made
//     of it.
//  2. [Felt] is a service's evidence as the run's requests feel it: its waits, its CPU and its
//     locks stay what they are, but requests, load and response times are the run's. The rules and
//     models that judge one service then judge the way through two: the service's stations are
//     stations of the run's requests, and the time elsewhere is time at no station.
//  3. [Lead] puts the two verdicts into one: what binds, where, and which wait for an answer the
//     cause in the other service explains.
//
// A forecast of the whole is the one that the models make of the felt evidence, under the ceilings
// that the other services have by themselves (predict.Within).
package across
