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
// it removes the cgroup and the folder ($3).
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
`

// startGuard returns nil where no shell can be started: the target then has its
// parent death signal alone.
func startGuard(cg *cgroup, dir string) *guard {
	group := ""
	if cg != nil {
		group = cg.dir
	}
	cmd := exec.Command("sh", "-c", script, "unpark-guard", group, "UNPARK_PROBE=unix:"+dir, dir)
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
