// Package target starts the service under test, confines it, says which
// processes it is, and stops it, always.
//
//  1. [Build] compiles a package with the probe added by `go build -overlay`;
//     the sources are not touched.
//  2. [Start] runs a command in a session of its own, inside its cgroup and on
//     its processors before its first instruction: the Go runtime reads both
//     when it starts (runtime.defaultGOMAXPROCSInit, Go 1.25 and later) and
//     never looks again which cgroup it is in.
//  3. [Target.WaitReady] waits until the service answers.
//  4. [Target.Processes] finds every process of it: prefork children, and
//     daemons that were given another parent.
//  5. [ReadUsage], [ReadMachine] and [Target.Throttled] read what was used.
//  6. [Target.Stop] ends all of it, and removes the cgroup and the folder of
//     the probe's sockets.
//
// # Which processes belong to the target
//
// With a cgroup, its members. Without one: the command, its descendants, its
// session, every process that was one of these when it was last seen, and those
// that carry the target's own UNPARK_PROBE in their environment. A process that
// leaves the session, loses its parent and clears its environment before it is
// first seen is missed; that takes a cgroup.
//
// # When unpark itself is killed
//
// Nothing can be done in a process that gets SIGKILL, so two things stand by.
// The command has a parent death signal (SIGKILL), and a guard, a shell that
// waits for the end of a pipe from unpark, kills the other processes and removes
// the cgroup and the folder. What remains without a shell on PATH: processes
// other than the command, the empty cgroup and the folder. Both need Linux.
//
// # Other systems
//
// Elsewhere than on Linux the package starts, waits and stops through the
// process group. Quota, affinity, descendants and usage are reported as missing,
// never as zero.
package target
