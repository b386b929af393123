// Package confine limits which CPU the service under test may use, and reads what
// limits any process.
//
//  1. [Make] makes a cgroup and sets the quota on it (make_linux.go);
//     [Group.Prepare] and [Group.Confinement] put a command into it, and on its
//     processors, before its first instruction. [Group.Remove] undoes all of it.
//  2. [BoundsOf] tells what limits processes that run, by [CgroupIn] and their
//     affinity, and how much they were stopped by it: [Throttling].
//  3. [Pin] keeps a process that runs on some of the processors that are [Allowed].
//
// Both versions of cgroups are known, also side by side. Elsewhere than on Linux
// there is no limit, which is reported as unknown.
package confine
