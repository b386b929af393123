// Package ab runs two versions of a service in turns and tells whether they differ
// (unpark ab). Begin at Run:
//
//  1. Both arms are built before either runs (package turns).
//  2. Each is profiled once, by the investigation of package investigate, for findings
//     and forecasts.
//  3. Rounds start both afresh, in an order that chance decides, time one window of each
//     without profiling, and profile a second one (round.go, package turns).
//  4. Package compare says when there are rounds enough, and judges them; package judge/functions
//     says which functions changed (functions.go).
//
// What it writes is in files.go, what a number of rounds can show in shows.go.
package ab
