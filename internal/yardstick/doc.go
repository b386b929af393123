// Package yardstick tells how fast the machine was while something else was
// measured: it does the same small piece of work again and again beside it, and
// reads how much processor time each piece took.
//
// On a machine with neighbours (other virtual machines on the same cores and
// caches) the time of one and the same work changes by several percent over
// seconds. A service and the yardstick feel that alike, so that comparing rounds can
// take it out (package compare). The yardstick knows nothing of the service: its
// work is of the kinds that services are made of, and nobody's in particular.
//
//   - Integer work that loads and stores all over 256 kB: more than the first-level
//     caches hold, and what a neighbour on the same core drives out of the second.
//   - Look-ups in a hash map of some 100 kB: loads that wait for each other.
//   - Messages through a pair of sockets: the entry into the kernel, copies and
//     locks there, and the wake-up path, which are what a network service does most.
//
// The three take about the same time. A piece begins with whatever the caches hold
// after 25 ms of somebody else's work, as a request does.
//
// Pieces run on one thread that visits the processors in turn: each has neighbours of
// its own, and two of them differed by 12 % (standard deviation over 5 s) here. The
// figure is processor time, not time of day: how long the thread waited for its
// turn is the load's doing.
package yardstick
