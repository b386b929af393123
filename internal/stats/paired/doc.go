// Package paired tests whether the two arms of pairs differ, and says by how much,
// without assuming anything of the noise but that the arms of a pair could have been
// swapped.
//
// Begin with [SignFlip], the test of several metrics at once. Of the scores of
// [SignedRanks] it is Wilcoxon's signed rank test; [HodgesLehmann] and
// [SignedRankInterval] are the centre and the interval that belong to it. The package
// keeps no state.
package paired
