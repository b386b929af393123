// Package compare puts two arms side by side: what each metric did, what became
// of each finding, why the throughput did or did not move, and whether the
// prediction held.
//
// [Rounds] judges many rounds in which both arms ran in turns. The sampling unit
// is the round, never the request: requests of one round share its noise. The
// steps:
//
//  1. [Measure] reads one figure per metric from each timed run. A round gives one
//     log ratio per metric; what disturbed both arms of it cancels. Where a fixed
//     piece of work was timed beside every sample ([Yardstick]), what the machine's
//     speed did to the ratio is taken out of it; the means of rounds tell how much
//     that is, which do not depend on the effect.
//  2. The arms of a round that do not differ can be swapped. So the signs of the
//     signed ranks of the ratios are fair coins, and the permutation test over all
//     sign vectors, the same coins for every metric, gives each metric's p,
//     adjusted for the number of metrics (paired.SignFlip). The ratio and its 90 %
//     interval are the centre and the inversion of the same test.
//  3. Rounds of identical arms, and the rounds of the arm before against each
//     other, give the floor: what this host makes of no change over as many rounds.
//  4. A change is called when its adjusted p is at most Alpha and it leaves the
//     floor. All else is "same", and a warning says when no answer was possible.
//  5. [Enough] adds rounds until the intervals are narrow. It reads absolute ratios
//     only, which swapping leaves alone: the p stays exact however often it asks.
//
// [Runs] compares one run of each, of any day. One round has no interval: two
// identical runs differ by ±3–7 % on a small machine as a rule, and by much more in the
// tail, so a change is only named when it leaves the floor of one round, which 19 of 20
// recorded pairs of identical runs stay within, and a warning says that one round is not
// a proof. Runs that did not ask the same of a service are refused; of runs during which
// other programs used the machine ([Disturbed]) times are not compared. [Diff] lays their
// flame graphs over each other.
package compare
