// Package evidence reduces what a window contains to facts.
//
// [Reduce] takes the profiles of every process of the target and returns
// [facts.Evidence]: seconds, bytes and goroutines by place, merged over the
// processes, with the observer's own share taken out and reported. It judges
// nothing; rules do. In numbered steps:
//
//  1. Profiles of one kind are merged and every stack is labelled once by the
//     catalogue (profiles), which has first learned from the goroutine and CPU
//     profiles which goroutines serve connections.
//  2. Labels are corrected by what only the whole window shows: clients that run in
//     the process, and connections that handlers took over (takeover). Then the
//     execution traces are read (traces).
//  3. CPU samples are split by what the leaf was doing, by application frame, and
//     by recognised library frames (cpu, signals).
//  4. Waits come from the block profile. Goroutine dumps add those that it cannot
//     record (network, files, sleep) and those that did not end within the window;
//     nothing is counted twice (waits).
//  5. The waiters of the block profile are joined with the unlockers of the mutex
//     profile (contention). A holder that is not certain is left out.
//  6. What could not be measured is unknown, and a notice says why (notices).
package evidence
