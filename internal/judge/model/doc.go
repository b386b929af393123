// Package model is the evidence of one window as sorted tables: what several rules, the
// questions about the limit and the forecasts would each have to work out again. A [Model]
// is built once from [facts.Evidence] and not changed; what it says is a function of the
// evidence alone. It knows what a wait or a lock is (which locks are one, where a chain of
// waits ends, whether those waited for only want a processor) and not what is worth saying
// of it: that is for package diagnose.
//
// Only waits on the request path are rows: a parked goroutine delays no request. Times are
// in seconds, summed over goroutines unless a name says otherwise.
package model
