package confine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// Group is a control group that holds one target and nothing else.
type Group struct {
	dir     string
	version int
	limited bool   // a quota was set on it
	home    string // v1: the folder of the cgroup that unpark itself is in
	lent    string // v2: the cgroup whose children have the cpu controller since; empty if they had it
}

// Limit returns which limit the group has, such as "cgroup v2"; ok is false when it has
// none, or is nil.
func (g *Group) Limit() (how string, ok bool) {
	if g == nil || !g.limited {
		return "", false
	}
	return fmt.Sprintf("cgroup v%d", g.version), true
}

// Prepare sets the attribute by which a command starts in its cgroup on v2; a nil group
// sets none. Call release when it has started.
func (g *Group) Prepare(cmd *exec.Cmd) (release func(), err error) {
	if g == nil || g.version == 1 {
		return func() {}, nil
	}
	fd, err := unix.Open(g.dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open the target's cgroup %s: %w", g.dir, err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: fd}
	return func() { _ = unix.Close(fd) }, nil
}

// removeScript removes the cgroup ($1), and takes the cpu controller back from the
// children of the cgroup that lent it ($2), as takeBack does.
const removeScript = `n=0
while [ -d "$1" ] && [ $n -lt 60 ]; do
	n=$((n+1))
	rmdir "$1" 2>/dev/null || sleep 0.05
done
[ -n "$2" ] && [ ! -d "$1" ] || exit 0
for d in "$2"/*/; do
	case $d in */unpark-*) exit 0 ;; esac
	case $(cat "$d/cpu.max" 2>/dev/null) in max*|'') ;; *) exit 0 ;; esac
	case $(cat "$d/cpu.weight" 2>/dev/null) in 100|'') ;; *) exit 0 ;; esac
done
echo -cpu 2>/dev/null >"$2/cgroup.subtree_control"
`

// Confinement is how a command is started in the cgroup, unless that is nil, and on some
// processors. An error about these wraps a *[AffinityError].
func (g *Group) Confinement(cpus []int) proc.Confinement {
	how := proc.Confinement{Enter: func() (func() error, error) { return g.enter(cpus) }}
	if g != nil {
		how.Members, how.Cgroup = g.procs, g.dir
		how.Remove = proc.Script{Text: removeScript, Args: []string{g.dir, g.lent}}
	}
	return how
}

// enter gives this thread, which must be locked, the v1 cgroup and the processors
// that the command is to have. leave takes them off again, also after an error;
// when that fails the thread must end.
func (g *Group) enter(cpus []int) (leave func() error, err error) {
	leave, err = move(cpus)
	if err != nil || g == nil || g.version != 1 {
		return leave, err
	}
	tid := strconv.Itoa(unix.Gettid())
	if err := write(g.dir, "tasks", tid); err != nil {
		return leave, err
	}
	off := leave
	return func() error { return errors.Join(off(), write(g.home, "tasks", tid)) }, nil
}

// procs lists the processes of the cgroup and of any that they made below it.
func (g *Group) procs() ([]int, error) {
	var pids []int
	err := g.walk(func(dir string) error {
		text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
		pids = append(pids, parsePIDs(string(text))...)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENODEV) {
			return nil // removed meanwhile
		}
		return err
	})
	if err != nil {
		return pids, fmt.Errorf("list the processes of the target's cgroup: %w", err)
	}
	slices.Sort(pids)
	return slices.Compact(pids), nil
}

// walk visits the cgroup and those below it, children first.
func (g *Group) walk(visit func(dir string) error) error {
	var down func(dir string) error
	down = func(dir string) error {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			if err := down(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
		return visit(dir)
	}
	return down(g.dir)
}

// Remove removes the cgroup. The kernel frees an exited process a moment after
// its parent has seen it go, so a busy cgroup is tried again for a while.
func (g *Group) Remove() error {
	deadline := time.Now().Add(3 * time.Second)
	for {
		err := g.walk(func(dir string) error {
			if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		})
		if err == nil {
			g.takeBack()
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("remove the target's cgroup: %w: remove it by hand when its processes are gone: rmdir %s", err, g.dir)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// takeBack takes the cpu controller from the children of the cgroup that has lent it, as
// it was before, unless one of them uses it now: its limit would be gone. Where another
// run of unpark is among them it stays, because that one found it there.
func (g *Group) takeBack() {
	if g.lent == "" {
		return
	}
	children, err := os.ReadDir(g.lent)
	if err != nil {
		return
	}
	for _, e := range children {
		if e.IsDir() && usesCPU(filepath.Join(g.lent, e.Name())) {
			return
		}
	}
	// The kernel refuses it while a child has lent it on.
	_ = write(g.lent, "cgroup.subtree_control", "-cpu")
	g.lent = ""
}

// usesCPU reports whether something was set on a v2 cgroup that it has by the cpu
// controller, or unpark made it.
func usesCPU(dir string) bool {
	if strings.HasPrefix(filepath.Base(dir), "unpark-") {
		return true
	}
	set := func(file, usual string) bool {
		text, err := os.ReadFile(filepath.Join(dir, file))
		return err == nil && !strings.HasPrefix(string(text), usual)
	}
	return set("cpu.max", "max") || set("cpu.weight", "100\n")
}
