// Package target starts the service under test, confines it, says which
// processes it is, and stops it, always.
//
//  1. [Start] runs a command in a session of its own, inside its cgroup and on
//     its processors before its first instruction: the Go runtime reads both
//     when it starts (runtime.defaultGOMAXPROCSInit, Go 1.25 and later) and
//     never looks again which cgroup it is in.
//  2. [Target.WaitReady] waits until the service answers.
//  3. [Target.Processes] finds every process of it: prefork children, and
//     daemons that were given another parent.
//  4. [Target.Stop] ends all of it, and removes the cgroup and the folder of
//     the probe's sockets.
//
// What it is made of lies beneath it: package confine sets the quota and the
// processors, sockets tells where a process listens, rusage what it has used, and
// build compiles a service with the probe added. Which processes belong to the
// target, and what happens when unpark itself is killed, is told in package proc,
// which starts and ends it.
//
// # Other systems
//
// Elsewhere than on Linux the package starts, waits and stops through the
// process group. Quota, affinity, descendants and usage are reported as missing,
// never as zero.
package target
