package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/measure/proc"
)

// TokenVariable is the variable of the environment that may hold the token of HTTP. What is measured does not get it.
const TokenVariable = "UNPARK_MCP_TOKEN"

// job is a measurement: a child process and the folder that it writes.
type job struct {
	id, kind, dir string
	began         time.Time
	load          load
	done          chan struct{}

	mutex   sync.Mutex
	lines   []string      // what it said last
	changed chan struct{} // closed when it says more
	err     error         // when it is done
}

// jobs are the measurements of a server, one at a time: two on one machine would measure one another.
type jobs struct {
	server context.Context
	ctx    context.Context // of the measurements
	end    context.CancelFunc
	c      Config
	wait   sync.WaitGroup

	mutex sync.Mutex
	all   map[string]*job
	alone *time.Timer // ends what goes on when no client is heard of; nil over standard input, whose end says so
}

func newJobs(ctx context.Context, c Config) *jobs {
	own, end := context.WithCancel(ctx)
	return &jobs{server: ctx, ctx: own, end: end, c: c, all: map[string]*job{}}
}

// stop ends what goes on, and waits for it. Nothing begins afterwards.
func (j *jobs) stop() {
	j.end()
	j.mutex.Lock()
	if j.alone != nil {
		j.alone.Stop()
	}
	j.mutex.Unlock()
	j.wait.Wait()
}

// heard notes that a client over HTTP is there.
func (j *jobs) heard() {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.alone != nil {
		j.alone.Stop()
	}
	j.alone = time.AfterFunc(lonely, j.interrupt)
}

// interrupt ends what goes on.
func (j *jobs) interrupt() {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.end()
	j.ctx, j.end = context.WithCancel(j.server)
}

// over reports whether it has ended.
func (n *job) over() bool {
	select {
	case <-n.done:
		return true
	default:
		return false
	}
}

// start begins a measurement by unpark's own command line.
func (j *jobs) start(kind, command string, args []string, of load) (*job, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.ctx.Err() != nil {
		return nil, errors.New("the server ends, and begins nothing: start it again")
	}
	for _, other := range j.all {
		if !other.over() {
			return nil, fmt.Errorf("%s measures already, and two would measure one another: call wait with id %s", other.id, other.id)
		}
	}
	n := &job{kind: kind, load: of, began: now(), done: make(chan struct{}), changed: make(chan struct{})}
	n.id = kind + "-" + n.began.Format("20060102-150405.000")
	n.dir = filepath.Join(j.c.runs(), n.id)
	words := slices.Concat(j.c.Command, []string{command, "--out", n.dir}, args)
	cmd := exec.CommandContext(j.ctx, words[0], words[1:]...)
	cmd.Dir = j.c.Dir
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(v string) bool { return strings.HasPrefix(v, TokenVariable+"=") })
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	apart(cmd)
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start %s %s: %w: is unpark still where it was started from?", words[0], command, err)
	}
	j.all[n.id] = n
	// Killed, this process interrupts nothing any more.
	guard := proc.StartGuard(proc.Script{Text: "kill -INT \"$1\" 2>/dev/null\n", Args: []string{strconv.Itoa(cmd.Process.Pid)}})
	j.wait.Add(1)
	go func() {
		defer j.wait.Done()
		n.follow(cmd, out)
		guard.Dismiss()
	}()
	return n, nil
}

// follow keeps what a child says, until it has ended.
func (n *job) follow(cmd *exec.Cmd, out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		n.mutex.Lock()
		n.lines = append(n.lines, escape.Line(lines.Text()))
		n.lines = n.lines[max(0, len(n.lines)-kept):]
		close(n.changed)
		n.changed = make(chan struct{})
		n.mutex.Unlock()
	}
	_, _ = io.Copy(io.Discard, out) // a line was too long: the child must not wait for a reader
	err := cmd.Wait()
	n.mutex.Lock()
	n.err = err
	n.mutex.Unlock()
	close(n.done)
}

// verdict reports whether a child ended with an answer: also one that is not proven is one (exit status 3), and a run that is
// void (4).
func verdict(err error) bool {
	var exit *exec.ExitError
	return err == nil || errors.As(err, &exit) && (exit.ExitCode() == 3 || exit.ExitCode() == 4)
}

// last is the last line that a child said, and what is closed when there is another.
func (n *job) last() (changed <-chan struct{}, line string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if len(n.lines) == 0 {
		return n.changed, "it begins"
	}
	return n.changed, n.lines[len(n.lines)-1]
}

// failure is why a child ended without an answer; nil where it has one.
func (n *job) failure() error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if verdict(n.err) {
		return nil
	}
	from := max(0, len(n.lines)-told)
	return fmt.Errorf("%s ended without an answer (%w): mend what it says, and call %s again:\n%s", n.id, n.err, n.kind, strings.Join(n.lines[from:], "\n"))
}

// find is a measurement by its id.
func (j *jobs) find(id string) (*job, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if n, ok := j.all[id]; ok {
		return n, nil
	}
	ids := []string{}
	for known := range j.all {
		ids = append(ids, known)
	}
	slices.Sort(ids)
	if len(ids) == 0 {
		return nil, fmt.Errorf("no measurement has the id %q: start one with find or prove; runs of before are in history", id)
	}
	return nil, fmt.Errorf("no measurement has the id %q: there are %s", id, strings.Join(ids, ", "))
}

// runs is the folder of runs.
func (c Config) runs() string {
	if filepath.IsAbs(c.Runs) {
		return c.Runs
	}
	return filepath.Join(c.Dir, c.Runs)
}
