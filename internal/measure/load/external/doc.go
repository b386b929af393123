// Package external lets another load generator drive the target: it runs the
// command that the user brought, and reads what that command prints.
//
// It has two halves that do not know each other:
//
//  1. [Parse] recognises the output of k6, vegeta, autocannon, oha, wrk and wrk2
//     by its form, not by the name of the command, and returns the figures that
//     are in it, with a list of what is not. One file per tool; each names the
//     version that it follows.
//  2. [Start] runs a shell command by package proc, captures what it
//     prints, follows the CPU that it and its descendants use, and ends all of
//     them: SIGINT first, because these tools print their summary then.
//
// The figures of a [Result] cover the tool's whole run. [Result.Within] scales
// its counts to a window.
//
// # What the figures of other tools are worth
//
// Every quantile here is what the tool says. All of them but wrk2 time a request
// from the moment at which it was sent; what a stall held back was not sent and is
// in no quantile (coordinated omission; Gil Tene, "How NOT to Measure Latency").
// Result.Missing says so in words, beside everything else that is not known.
package external
