// Package bisect finds the commit that made a service slower, or faster, by rounds (unpark bisect). Begin at Run:
//
//  1. The history between the two ends, without the commits that change nothing that the program is built from
//     (history.go).
//  2. Rounds of the two ends in turns, until they differ or are the same.
//  3. Rounds of the commit that tells most against the good end, each built when it is asked for, until one is probable
//     enough (package judge/bisect).
//  4. Profiled rounds of that commit and the one before it, which say which functions changed (functions.go).
//
// Every round is in a journal, so that a search that was stopped goes on where it was (journal.go).
package bisect
