// Package evidence reduces what a window contains to facts.
//
// [Reduce] takes the profiles of every process of the target and returns
// [facts.Evidence]: seconds, bytes and goroutines by place, merged over the
// processes, with the observer's own share taken out and reported. It judges
// nothing; rules do. In numbered steps:
//
//  1. Profiles of one kind are merged and every stack is labelled once by the
//     frame catalogue, which has first learned from the goroutine and CPU
//     profiles which goroutines serve connections.
//  2. CPU samples are split by what the leaf was doing, by application frame, and
//     by recognised library frames.
//  3. Waits come from the block profile. Goroutine dumps add those that it cannot
//     record (network, files, sleep) and those that did not end within the window;
//     nothing is counted twice.
//  4. The waiters of the block profile are joined with the unlockers of the mutex
//     profile. A holder that cannot be told is left out.
//  5. What could not be measured is unknown, and a notice says why.
package evidence
