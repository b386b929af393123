package proc

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"

	"github.com/unpark-go/unpark"
)

// separate gives the command a session, and so a process group, of its own: Ctrl-C on
// the terminal does not reach it, and its members can be told. It dies with the thread
// that made it.
func separate(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Pdeathsig = true, syscall.SIGKILL
}

// family knows which processes belong to a command; see the package comment.
type family struct {
	root  int                   // PID of the command, also its session and process group
	start uint64                // of the command, against reuse of its PID
	held  func() ([]int, error) // members of its cgroup; nil without one
	mark  []byte                // in the environment of every member

	mu    sync.Mutex
	known map[identity]bool // whether it is a member
}

// identity tells a process from a later one with the same PID.
type identity struct {
	pid   int
	start uint64
}

// newFamily begins with a command that was started and not yet waited for.
func newFamily(root int, mark string, held func() ([]int, error)) *family {
	f := &family{root: root, held: held, mark: []byte(mark), known: map[identity]bool{}}
	if p, err := Read(root); err == nil {
		f.start = p.Start
		f.known[identity{root, p.Start}] = true
	}
	return f
}

// members lists the processes of the command, sorted by PID; those that are dead too.
func (f *family) members() ([]Process, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.held == nil {
		return f.search()
	}
	pids, err := f.held()
	if err != nil {
		return nil, err
	}
	ms := make([]Process, 0, len(pids))
	for _, pid := range pids {
		if pid == os.Getpid() {
			continue // a thread that could not leave it again
		}
		if p, err := Read(pid); err == nil {
			ms = append(ms, p)
		}
	}
	// A command that moved itself to another cgroup, as a login does, took its
	// children along.
	if f.holds(ms) {
		return ms, nil
	}
	others, err := f.search()
	for _, m := range others {
		if !slices.ContainsFunc(ms, func(have Process) bool { return have.PID == m.PID }) {
			ms = append(ms, m)
		}
	}
	slices.SortFunc(ms, func(a, b Process) int { return cmp.Compare(a.PID, b.PID) })
	return ms, err
}

// holds reports whether the command is among the members of its cgroup, or has ended.
func (f *family) holds(members []Process) bool {
	if slices.ContainsFunc(members, func(m Process) bool { return m.PID == f.root && !m.Dead() }) {
		return true
	}
	p, err := Read(f.root)
	return err != nil || p.Start != f.start || p.Dead()
}

// search looks at every process of the machine that is not older than the
// command.
func (f *family) search() ([]Process, error) {
	pids, err := PIDs()
	if err != nil {
		return nil, err
	}
	slices.Sort(pids)
	var all []Process
	reused := false
	for _, pid := range pids {
		p, err := Read(pid)
		if err != nil || p.Start < f.start {
			continue
		}
		reused = reused || pid == f.root && p.Start != f.start
		all = append(all, p)
	}
	mine := map[int]bool{}
	for _, p := range all {
		if f.belongs(p, reused) {
			mine[p.PID] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if mine[p.Parent] && !mine[p.PID] {
				mine[p.PID], grown = true, true
			}
		}
	}
	var ms []Process
	next := map[identity]bool{}
	for _, p := range all {
		id := identity{p.PID, p.Start}
		if mine[p.PID] {
			next[id] = true
			ms = append(ms, p)
		} else if asked, ok := f.known[id]; ok {
			next[id] = asked
		}
	}
	f.known = next // what ended is forgotten
	return ms, nil
}

// belongs reports whether a process is a member by itself, whatever its parent
// is now. When the command's PID was given to another process, that one's
// session is not the command's.
func (f *family) belongs(p Process, reused bool) bool {
	id := identity{p.PID, p.Start}
	member, asked := f.known[id]
	if member {
		return true
	}
	if !reused && (p.session == f.root || p.group == f.root) {
		return true
	}
	if asked || p.PID == os.Getpid() {
		return false
	}
	environ, err := os.ReadFile(folder(p.PID) + "/environ")
	if err != nil || len(environ) == 0 {
		return false // another user's, or between fork and exec: ask again next time
	}
	for v := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(v, f.mark) {
			return true
		}
	}
	f.known[id] = false
	return false
}

// broadcast sends a signal to the process group of the command, if it has members, and
// by name to those that left it.
func (f *family) broadcast(members []Process, sig syscall.Signal) {
	if slices.ContainsFunc(members, func(p Process) bool { return p.group == f.root }) {
		_ = syscall.Kill(-f.root, sig)
		_ = syscall.Kill(-f.root, syscall.SIGCONT) // a stopped one would not hear it
	}
	for _, p := range members {
		if p.group != f.root {
			_ = p.signal(sig)
		}
	}
}

// used adds up what processes and the children they waited for have used.
func used(all []Process) unpark.Number {
	total := 0.0
	for _, p := range all {
		total += p.CPU + p.Waited
	}
	return unpark.Num(total)
}
