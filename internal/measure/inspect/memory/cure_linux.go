package memory

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Cure says what would allow to read the process.
func (p Process) Cure() string {
	scope, _ := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	self, _ := os.ReadFile("/proc/self/status")
	target, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	caps, _ := strconv.ParseUint(field(string(self), "CapEff"), 16, 64)
	uid := strconv.Itoa(os.Geteuid())
	return cure(refusal{
		scope: strings.TrimSpace(string(scope)), filtered: field(string(self), "Seccomp") == "2",
		root: uid == "0", may: caps>>unix.CAP_SYS_PTRACE&1 == 1, own: slices.Contains(strings.Fields(field(string(target), "Uid")), uid),
	})
}

// field is what a line of a file of proc(5) has behind its name.
func field(status, name string) string {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// refusal is what the kernel asks before it lets one process read another (ptrace(2), "Ptrace access mode checking").
type refusal struct {
	scope    string // of Yama; empty where the kernel is without it
	filtered bool   // a filter of system calls is in force here
	root     bool   // unpark runs as root
	may      bool   // with CAP_SYS_PTRACE
	own      bool   // the process belongs to unpark's user
}

// cure says what would allow it, by the scope of Yama (Linux Documentation/admin-guide/LSM/Yama.rst) and by who asks.
func cure(r refusal) string {
	out := "run unpark as root, with CAP_SYS_PTRACE, or as the user of the process"
	switch {
	case r.scope == "3":
		return "kernel.yama.ptrace_scope is 3: no process may read another until the machine starts anew with a lower one"
	case r.may && !r.filtered:
		return "unpark has CAP_SYS_PTRACE, but not where the process belongs, which is outside of unpark's own user namespace (user_namespaces(7)): run unpark on the host of this container"
	case r.may: // the filter refuses
	case r.root:
		out = "unpark runs as root but without CAP_SYS_PTRACE, as in a container: start the container with --cap-add SYS_PTRACE, or run unpark on its host"
	case r.scope == "1":
		out = "run unpark as root or with CAP_SYS_PTRACE (kernel.yama.ptrace_scope is 1: only a parent may read a process of its own user)"
	case r.scope == "2":
		out = "run unpark as root or with CAP_SYS_PTRACE (kernel.yama.ptrace_scope is 2)"
	case r.own && !r.filtered:
		out = "run unpark as root or with CAP_SYS_PTRACE (the process belongs to this user, but its program was given privileges, such as file capabilities, and the kernel keeps its memory from its user)"
	}
	if r.filtered {
		out += "; a filter of system calls (seccomp) is in force here, which may be what refuses: a container started with --cap-add SYS_PTRACE allows process_vm_readv"
	}
	return out
}
