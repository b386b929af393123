package target

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// family knows which processes belong to a target; see the package comment.
type family struct {
	root   int    // PID of the command, also its session and process group
	start  uint64 // of the command, against reuse of its PID
	cgroup *cgroup
	mark   []byte // in the environment of every member

	mu    sync.Mutex
	known map[identity]bool // whether it is a member
}

// identity tells a process from a later one with the same PID.
type identity struct {
	pid   int
	start uint64
}

// member is one process of the target that runs.
type member struct{ procStat }

// newFamily begins with a command that was started and not yet waited for.
func newFamily(root int, cg *cgroup, dir string) *family {
	f := &family{root: root, cgroup: cg, mark: []byte("UNPARK_PROBE=unix:" + dir), known: map[identity]bool{}}
	if s, err := readStat(root); err == nil {
		f.start = s.start
		f.known[identity{root, s.start}] = true
	}
	return f
}

// members lists the processes that run, sorted by PID; zombies do not.
func (f *family) members() ([]member, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cgroup == nil {
		return f.search()
	}
	pids, err := f.cgroup.procs()
	if err != nil {
		return nil, err
	}
	ms := stats(pids)
	// A command that moved itself to another cgroup, as a login does, took its
	// children along.
	inside := slices.ContainsFunc(ms, func(m member) bool { return m.pid == f.root })
	if s, err := readStat(f.root); inside || err != nil || s.start != f.start || s.dead() {
		return ms, nil
	}
	others, err := f.search()
	for _, m := range others {
		if !slices.ContainsFunc(ms, func(have member) bool { return have.pid == m.pid }) {
			ms = append(ms, m)
		}
	}
	slices.SortFunc(ms, func(a, b member) int { return cmp.Compare(a.pid, b.pid) })
	return ms, err
}

// stats reads processes, without those that ended meanwhile.
func stats(pids []int) []member {
	ms := make([]member, 0, len(pids))
	for _, pid := range pids {
		if s, err := readStat(pid); err == nil && !s.dead() {
			ms = append(ms, member{s})
		}
	}
	return ms
}

// search looks at every process of the machine that is not older than the
// command.
func (f *family) search() ([]member, error) {
	pids, err := allPIDs()
	if err != nil {
		return nil, err
	}
	slices.Sort(pids)
	var all []member
	reused := false
	for _, pid := range pids {
		s, err := readStat(pid)
		if err != nil || s.start < f.start {
			continue
		}
		reused = reused || pid == f.root && s.start != f.start
		all = append(all, member{s})
	}
	mine := map[int]bool{}
	for _, m := range all {
		if f.belongs(m, reused) {
			mine[m.pid] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, m := range all {
			if mine[m.parent] && !mine[m.pid] {
				mine[m.pid], grown = true, true
			}
		}
	}
	var ms []member
	next := map[identity]bool{}
	for _, m := range all {
		id := identity{m.pid, m.start}
		if mine[m.pid] {
			next[id] = true
			if !m.dead() {
				ms = append(ms, m)
			}
		} else if asked, ok := f.known[id]; ok {
			next[id] = asked
		}
	}
	f.known = next // what ended is forgotten
	return ms, nil
}

// belongs reports whether a process is a member by itself, whoever its parent
// is now. When the command's PID was given to another process, that one's
// session is not ours.
func (f *family) belongs(m member, reused bool) bool {
	id := identity{m.pid, m.start}
	member, asked := f.known[id]
	if member {
		return true
	}
	if !reused && (m.session == f.root || m.group == f.root) {
		return true
	}
	if asked || m.pid == os.Getpid() {
		return false
	}
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(m.pid) + "/environ")
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

// ask sends SIGTERM to a process; a stopped one would not hear it.
func (m member) ask() {
	_ = m.signal(unix.SIGTERM)
	_ = m.signal(unix.SIGCONT)
}

// kill sends SIGKILL to processes; those that have ended are no error.
func kill(ms []member) error {
	var errs []error
	for _, m := range ms {
		if err := m.signal(unix.SIGKILL); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// signal sends a signal unless the process ended and its PID was reused.
func (m member) signal(sig unix.Signal) error {
	if s, err := readStat(m.pid); err != nil || s.start != m.start {
		return nil
	}
	if err := unix.Kill(m.pid, sig); err != nil && !errors.Is(err, unix.ESRCH) {
		return err
	}
	return nil
}

// command returns what a process was started with.
func (m member) command() string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(m.pid) + "/cmdline")
	line := strings.TrimSpace(strings.ReplaceAll(string(text), "\x00", " "))
	if errors.Is(err, fs.ErrNotExist) || line == "" {
		return m.name
	}
	return cut([]string{strings.ToValidUTF8(clean([]byte(line)), "�")})
}
