// Package proc starts a command and knows, follows and ends all that becomes of
// it.
//
//  1. [Start] runs a command in a session of its own, with a [Guard] beside it,
//     and keeps what it prints in an [Output].
//  2. [Command.Processes] lists which processes belong to it, [Command.Look]
//     what they have used. [Process] is one of them, or any other of the machine
//     ([Read], [PIDs], [Threads]).
//  3. [Command.End] ends all of them, and [Command.Close] lets go of the rest.
//
// # Which processes belong to a command
//
// With a cgroup, its members (Confinement.Members). Without one: the command, its
// descendants, its session and process group, every process that was one of these
// when it was last seen, and those that carry its mark in their environment. A
// process that leaves the session, loses its parent and clears its environment
// before it is first seen is missed; that takes a cgroup. Processes are told from
// later ones with the same number by the instant of their start.
//
// # When unpark itself is killed
//
// Nothing can be done in a process that gets SIGKILL, so two things stand by.
// The command has a parent death signal (SIGKILL), and a guard, a shell that
// waits for the end of a pipe from unpark, kills the other processes and removes
// what the command had. Both need Linux.
//
// # Other systems
//
// Elsewhere than on Linux a command is its process group, and on Windows the one
// process that was started; a process of it that leaves the group is not known.
// What processes have used is missing, never zero.
package proc
