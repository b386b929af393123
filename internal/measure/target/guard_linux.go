package target

import (
	"io"
	"os/exec"
	"syscall"
)

// guard is a shell that outlives unpark, in case unpark cannot stop the target
// any more: it was killed, or it crashed.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// script waits for a word or the end of the pipe. At its end it kills what is in
// the cgroup ($1) and what has the mark ($2) in its environment, by two ways
// because there may be no cgroup and because an environment can be cleared; then
// it removes the cgroup and the folder ($3), and takes the cpu controller back from the
// children of the cgroup that lent it ($4), as cgroup.takeBack does.
const script = `trap '' HUP INT QUIT TERM
read -r word && exit 0
n=0
while [ $n -lt 100 ]; do
	n=$((n+1))
	pids=$({ [ -z "$1" ] || cat "$1"/cgroup.procs; grep -lF -- "$2" /proc/[0-9]*/environ | cut -d/ -f3; } 2>/dev/null)
	[ -n "$pids" ] || break
	kill -KILL $pids 2>/dev/null
	sleep 0.05
done
n=0
while [ -n "$1" ] && [ -d "$1" ] && [ $n -lt 60 ]; do
	n=$((n+1))
	rmdir "$1" 2>/dev/null || sleep 0.05
done
rm -rf -- "$3"
[ -n "$4" ] && [ ! -d "$1" ] || exit 0
for d in "$4"/*/; do
	case $d in */unpark-*) exit 0 ;; esac
	case $(cat "$d/cpu.max" 2>/dev/null) in max*|'') ;; *) exit 0 ;; esac
	case $(cat "$d/cpu.weight" 2>/dev/null) in 100|'') ;; *) exit 0 ;; esac
done
echo -cpu 2>/dev/null >"$4/cgroup.subtree_control"
`

// startGuard returns nil where no shell can be started: the target then has its
// parent death signal alone.
func startGuard(cg *cgroup, dir string) *guard {
	group, lent := "", ""
	if cg != nil {
		group, lent = cg.dir, cg.lent
	}
	return guardWith(script, group, "UNPARK_PROBE=unix:"+dir, dir, lent)
}

// folderScript removes the folder ($1) at the end of the pipe. A target that runs in it
// is killed by its own guard meanwhile, and may write until then. Of a git worktree the
// repository ($2) knows; its record goes too.
const folderScript = `trap '' HUP INT QUIT TERM
read -r word && exit 0
n=0
while [ -d "$1" ] && [ $n -lt 100 ]; do
	n=$((n+1))
	rm -rf -- "$1" 2>/dev/null
	[ ! -d "$1" ] || sleep 0.05
done
[ -z "$2" ] || git -C "$2" worktree prune
`

// guardFolder sees to it that a folder goes when unpark is killed, by a signal that it
// does not catch (the terminal's end) or a second Ctrl-C.
func guardFolder(dir, repository string) *guard { return guardWith(folderScript, dir, repository) }

// guardWith starts a shell with a script and its arguments.
func guardWith(script string, args ...string) *guard {
	cmd := exec.Command("sh", append([]string{"-c", script, "unpark-guard"}, args...)...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C on the terminal is not for it
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil
	}
	if err := cmd.Start(); err != nil {
		pipe.Close()
		return nil
	}
	return &guard{cmd, pipe}
}

// dismiss sends the guard away when there is nothing left to do for it.
func (g *guard) dismiss() {
	if g == nil {
		return
	}
	_, _ = io.WriteString(g.pipe, "done\n")
	g.pipe.Close()
	_ = g.cmd.Wait()
}
