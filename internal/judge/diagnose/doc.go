// Package diagnose turns the evidence of one window into a verdict.
//
//  1. A [Rule] is plain data and a function. It reads a [model.Model] and returns
//     findings: a named cause with its line, its cost in absolute units, the facts
//     behind it and what to do. [Rules] lists them, in rule_*.go. Rules do not call
//     one another: whose finding gives way to another's is data too, [Supersession].
//  2. [Verdict] runs every rule, drops findings that another one covers,
//     and then asks what binds, in limit_*.go. The questions are asked in a fixed
//     order, because an earlier answer makes the later ones meaningless: is the run
//     void, is the CPU quota used up, is the CPU, is it the collector, a lock,
//     another wait, the network. The first that answers is the limit.
//  3. Of a ramp that the service fell behind, the questions are about the stretch in
//     which it did: the mean of an idle begin and a full end is neither.
//  4. When none answers, the limit is "none" with the CPU ceiling as the figure
//     to plan with, or "unknown" when something needed was not measured or when
//     the signs contradict each other; the reason is in the sentence.
//
// Only waits on the request path count: a parked goroutine delays no request. Shares
// never decide alone. What a cause takes of a request's time, or of the cores,
// is compared with a floor first, so that a lock with all of the blocking and a
// thousandth of the response time is reported as what it is.
//
// A finding has high confidence when two kinds of measurement agree on it
// (block and mutex profile, profile and goroutine snapshots, profile and load).
// When two disagree, both figures are among its facts and its confidence is low.
//
// The package does no I/O. Intervals are of 90 % and come from the number of
// events or samples behind a figure.
package diagnose
