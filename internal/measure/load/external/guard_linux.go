package external

import (
	"io"
	"os/exec"
	"syscall"
)

// guard is a shell that outlives unpark, in case unpark cannot stop the load command
// any more: it was killed, or it crashed.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// script waits for a word or the end of the pipe. At its end it kills what has the
// mark ($1) in its environment and removes the folder ($2).
const script = `trap '' HUP INT QUIT TERM
read -r word && exit 0
n=0
while [ $n -lt 100 ]; do
	n=$((n+1))
	pids=$(grep -lF -- "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3)
	[ -n "$pids" ] || break
	kill -KILL $pids 2>/dev/null
	sleep 0.05
done
rm -rf -- "$2"
`

// startGuard returns nil where no shell can be started.
func startGuard(dir string) *guard {
	cmd := exec.Command("sh", "-c", script, "unpark-load-guard", markName+"="+dir, dir)
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
