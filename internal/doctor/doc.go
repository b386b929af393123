// Package doctor reads what a machine and a process allow, and says what will and
// will not work, with a cure for each.
//
// Every reader takes [Files], a file system that holds /proc and /sys, so that tests
// bring trees of their own. What asks the network or starts something is not here: a
// command hands its results over as readings.
//
// A [Reading] has a state: ok, warn (it works, and the figures or the comfort suffer),
// bad (it prevents a run), unknown (it cannot be found out here, which prevents
// nothing). [Report.Ready] is false when any is bad.
package doctor
