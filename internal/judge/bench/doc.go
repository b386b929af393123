// Package bench says which benchmarks of two revisions differ, that were run in turns. It computes and does no I/O. Begin
// at [Judge]:
//
//  1. A round is one run of each arm next to the other, so that its two figures are a pair: what disturbed both cancels,
//     and what the machine's speed did is taken out by the yardstick beside each (compare.AtOneSpeed).
//  2. All figures of all benchmarks are tested at once by flipping the signs of rounds (paired.SignFlip), so that p is
//     corrected for the many that are looked at. Benchmarks that run next to each other share their coins.
//  3. The figures of each arm are summed up as benchstat does (golang.org/x/perf/benchmath: the median, and its interval
//     by order statistics), so that before.txt and after.txt say the same in both tools. benchstat's own test knows of no
//     pairs (Mann and Whitney's) and does not correct for their number.
package bench
