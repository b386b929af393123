// Package check holds a run against a budget: for a gate in CI.
//
//  1. [Read] decodes the budget, a YAML file, strictly: what it does not know is an
//     error with the line and the nearest known key.
//  2. [Judge] judges each bound. An absolute one is compared as it is. One against
//     baseline runs is broken only when the change exceeds it by more than identical
//     runs may differ by; a change that is worse than the bound and within that is
//     "cannot tell", and the text says how many rounds of `unpark ab` would tell. A
//     void run is never judged, and so never passes.
//  3. [FalsePositives] plays the bounds against runs of one and the same service that
//     were recorded (identical.json): the share that is called broken all the same.
//  4. [Text], [Markdown], [JUnit], [SARIF] and [GitHub] print what came out.
//
// The package does no I/O but for the writers that it is given.
package check
