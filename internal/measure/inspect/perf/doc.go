// Package perf samples which code the threads of another process run, with perf_event_open(2): a
// clock for each thread that runs while it does, and the call chain at each of its ticks, which the
// kernel takes by the frame pointers that Go keeps.
package perf
