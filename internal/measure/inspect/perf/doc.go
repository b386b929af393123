// Package perf samples which code the threads of another process run, with perf_event_open(2): a
// clock for each processor that the process may run on, of whose ticks those of the process are kept, or, where that is
// not allowed, one for each thread that runs while it does. The kernel takes the call chain at each tick by the
// frame pointers that Go keeps.
package perf
