// Package investigate is the pipeline: the only place that joins the stages.
//
// It reads as the data flows:
//
//  1. Start the target and find its endpoints (or attach to what runs).
//  2. Drive the load; let it warm up.
//  3. Measure one window per load level (package window).
//  4. Reduce each window to evidence (package evidence).
//  5. Judge the load, find the limit and the causes (packages load, diagnose).
//  6. Predict what each fix would buy, and rank by it (package predict).
//  7. Keep the run (package store).
//
// Whatever ends a run early, the target is stopped, the rates are given back and
// what was captured is kept as a partial run.
//
// Begin at runner.pipeline in run.go. A runner has three parts: the service (service.go
// starts it, endpoints.go finds where it is profiled, bounds.go what limits it), the
// driver of the load (plan.go, search.go, drive.go), and the record, which is the
// document while it is written. A second prediction, by slowing causes down, is in the
// slowdown files; a run directory or loose profiles are diagnosed anew in reopen.go and
// files.go.
package investigate
