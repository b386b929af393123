package proc

import (
	"io"
	"os/exec"
	"syscall"
)

// Guard is a shell that outlives unpark, in case unpark cannot clean up any more: it
// was killed, or it crashed.
type Guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// await waits for a word or the end of the pipe.
const await = `trap '' HUP INT QUIT TERM
read -r word && exit 0
`

// StartGuard starts a shell that runs the script when this process is gone, unless it
// was dismissed. It returns nil, which can be dismissed, where no shell can be started,
// and elsewhere than on Linux.
func StartGuard(s Script) *Guard {
	cmd := exec.Command("sh", append([]string{"-c", await + s.Text, "unpark-guard"}, s.Args...)...)
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
	return &Guard{cmd, pipe}
}

// Dismiss sends the guard away when there is nothing left to do for it.
func (g *Guard) Dismiss() {
	if g == nil {
		return
	}
	_, _ = io.WriteString(g.pipe, "done\n")
	g.pipe.Close()
	_ = g.cmd.Wait()
}

// killAll kills what is in the cgroup ($1) and what has the mark ($2) in its
// environment, by two ways because there may be no cgroup and because an environment
// can be cleared; then it removes the folder ($3). What is left of the arguments is for
// the script that follows.
const killAll = `n=0
while [ $n -lt 100 ]; do
	n=$((n+1))
	pids=$({ [ -z "$1" ] || cat "$1"/cgroup.procs; grep -lF -- "$2" /proc/[0-9]*/environ | cut -d/ -f3; } 2>/dev/null)
	[ -n "$pids" ] || break
	kill -KILL $pids 2>/dev/null
	sleep 0.05
done
[ -z "$3" ] || rm -rf -- "$3"
shift 3
`

// guardCommand starts the guard of a command.
func guardCommand(s Spec) *Guard {
	remove := s.Confinement.Remove
	return StartGuard(Script{killAll + remove.Text, append([]string{s.Confinement.Cgroup, s.Mark, s.Folder}, remove.Args...)})
}
