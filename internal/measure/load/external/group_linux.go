package external

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"github.com/unpark-go/unpark"
)

// separate gives the command a session, and so a process group, of its own.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// group knows which processes belong to a command: those of its session or process
// group, their descendants, and those that have its mark in their environment.
type group struct {
	root  int
	start uint64 // of the root, against reuse of its PID
	mark  []byte

	mu    sync.Mutex
	known map[identity]bool // whether it is a member
}

// identity tells a process from a later one with the same PID.
type identity struct {
	pid   int
	start uint64
}

// newGroup begins with a command that was started and not yet waited for.
func newGroup(root int, mark string) *group {
	g := &group{root: root, mark: []byte(mark), known: map[identity]bool{}}
	if s, err := readStat(root); err == nil {
		g.start = s.start
	}
	return g
}

// look reports whether a process of the command runs, and the CPU seconds that its
// processes and the children they waited for have used.
func (g *group) look() (alive bool, cpu unpark.Number) {
	g.mu.Lock()
	defer g.mu.Unlock()
	total := 0.0
	for _, p := range g.members() {
		alive = alive || !p.dead()
		total += p.cpu
	}
	return alive, unpark.Num(total)
}

// members searches the machine; zombies are members too. The caller holds the lock.
func (g *group) members() []process {
	var all []process
	reused := false
	for _, pid := range allPIDs() {
		p, err := readStat(pid)
		if err != nil || p.start < g.start {
			continue
		}
		reused = reused || pid == g.root && p.start != g.start
		all = append(all, p)
	}
	mine := map[int]bool{}
	for _, p := range all {
		mine[p.pid] = g.belongs(p, reused)
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if mine[p.parent] && !mine[p.pid] {
				mine[p.pid], grown = true, true
			}
		}
	}
	next := map[identity]bool{}
	var members []process
	for _, p := range all {
		id := identity{p.pid, p.start}
		if mine[p.pid] {
			members = append(members, p)
			next[id] = true
		} else if asked, ok := g.known[id]; ok {
			next[id] = asked
		}
	}
	g.known = next // what ended is forgotten
	return members
}

// belongs reports whether a process is a member by itself, whoever its parent is
// now. When the command's PID was given to another process, that one's session is
// not ours.
func (g *group) belongs(p process, reused bool) bool {
	id := identity{p.pid, p.start}
	member, asked := g.known[id]
	if member || !reused && (p.session == g.root || p.group == g.root) {
		return true
	}
	if asked || p.pid == os.Getpid() {
		return false
	}
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
	if err != nil || len(environ) == 0 {
		return false // another user's, or between fork and exec: ask again next time
	}
	for v := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(v, g.mark) {
			return true
		}
	}
	g.known[id] = false
	return false
}

// signal reaches every process once: to several tools a second SIGINT means "now,
// without a summary". A process group gets its signal at once, so that nobody is born
// between two; those that left it get theirs by name.
func (g *group) signal(how stage) {
	sig := [...]syscall.Signal{interrupt: syscall.SIGINT, terminate: syscall.SIGTERM, kill: syscall.SIGKILL}[how]
	g.mu.Lock()
	defer g.mu.Unlock()
	members := g.members()
	if slices.ContainsFunc(members, func(p process) bool { return p.group == g.root }) {
		_ = syscall.Kill(-g.root, sig)
		_ = syscall.Kill(-g.root, syscall.SIGCONT) // a stopped one would not hear it
	}
	for _, p := range members {
		if p.group == g.root || p.dead() {
			continue
		}
		if now, err := readStat(p.pid); err == nil && now.start == p.start {
			_ = syscall.Kill(p.pid, sig)
			_ = syscall.Kill(p.pid, syscall.SIGCONT)
		}
	}
}
