package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// capture is what is captured of the processes on this machine.
type capture struct {
	task      *wire.Task
	endpoints []*window.Endpoint
	done      []func() error // of processes that were attached to
	dir       string         // where files wait until they are handed in
	remove    func()         // dir; nil before there is one

	mu    sync.Mutex
	files []string // by their names in the run directory
}

// captured is a window as this machine saw it.
type captured struct {
	window   unpark.Window
	warnings []unpark.Notice
}

func (a *Agent) newCapture(ctx context.Context, t *wire.Task) (c *capture, err error) {
	c = &capture{task: t}
	defer func() {
		if err != nil {
			c.close()
			c = nil
		}
	}()
	for _, what := range t.Capture {
		address, err := a.address(ctx, c, what)
		if err != nil {
			return c, err
		}
		e, err := window.NewEndpoint(address, a.o.Token)
		if err != nil {
			return c, err
		}
		c.endpoints = append(c.endpoints, e)
		if hp := e.Hostport(); hp != "" {
			host, _, err := net.SplitHostPort(hp)
			if err != nil {
				host = hp
			}
			if _, err := a.permit(ctx, host); err != nil {
				return c, fmt.Errorf("capture %w", err)
			}
		}
		if err := e.Probe(ctx); err != nil {
			return c, fmt.Errorf("capture %s there: %w: does the service run on that machine, with net/http/pprof or unpark's probe at this address?", e.Address, err)
		}
		e.Locate(ctx)
	}
	window.Number(c.endpoints)
	c.dir, c.remove, err = hub.TempFolder("unpark-agent-")
	return c, err
}

// address is where a process that is named answers.
func (a *Agent) address(ctx context.Context, c *capture, what string) (string, error) {
	number, ok := strings.CutPrefix(what, "pid:")
	if !ok {
		return what, nil
	}
	pid, err := strconv.Atoi(number)
	if err != nil || pid <= 0 {
		return "", fmt.Errorf("capture %q: it is no number of a process: write pid:4711", what)
	}
	if a.o.Attach == nil {
		return "", fmt.Errorf("capture process %d: refused: it reads no process from outside: start that agent with --allow-attach", pid)
	}
	address, done, err := a.o.Attach(ctx, pid)
	if err != nil {
		return "", err
	}
	c.done = append(c.done, done)
	return address, nil
}

func (c *capture) pids() []int {
	var out []int
	for _, e := range c.endpoints {
		out = append(out, e.PID)
	}
	return out
}

// close lets go of the processes and removes what was not handed in; nil is none.
func (c *capture) close() {
	if c == nil {
		return
	}
	for _, e := range c.endpoints {
		e.Close()
	}
	for _, done := range c.done {
		_ = done() // its process may have ended
	}
	if c.remove != nil {
		c.remove()
	}
}

// take measures the window at the instants of the task.
func (c *capture) take(ctx context.Context, start time.Time, numbers map[int]int) (*captured, error) {
	for _, e := range c.endpoints {
		if n, ok := numbers[e.PID]; ok {
			e.PID = n
		}
	}
	w, _ := c.task.Phase("window")
	trace, _ := c.task.Phase("trace")
	standing := window.Stand(ctx, c.endpoints, window.Rates{Mutex: c.task.Mutex}, c.task.End()+time.Minute)
	defer standing.Release()
	// What is set before the window needs its time before the instant.
	if !sleepUntil(ctx, start.Add(max(0, w.At-Slack))) {
		return nil, errStopped
	}
	late := time.Duration(0)
	contents, err := window.Measure(ctx, window.Options{
		Name: c.task.Window, Duration: w.Length, Trace: trace.Length, Traced: c.task.Traced,
		Rates: window.Rates{Block: c.task.Block, Mutex: c.task.Mutex}, Level: c.task.Level,
		Endpoints: c.endpoints, Create: c.create,
		Pace: func(ctx context.Context, phase string, ahead time.Duration) (time.Duration, error) {
			p, ok := c.task.Phase(phase)
			if !ok {
				return 0, nil
			}
			at := start.Add(p.At)
			if phase == "window" {
				late = max(0, time.Since(at))
			}
			if !sleepUntil(ctx, at.Add(-ahead)) {
				return 0, ctx.Err()
			}
			return time.Until(at), nil
		},
	})
	out := &captured{window: contents.Window, warnings: contents.Warnings}
	if err == nil && late > mostLate {
		err = fmt.Errorf("its processes took %v longer to be made ready than there was time: the window began late", late.Round(time.Millisecond))
	}
	return out, err
}

// Slack is the time that an agent has before the window and before the trace to make
// processes ready and to read what they have.
const (
	Slack    = 2 * time.Second
	mostLate = 5 * time.Millisecond // the bound of the start itself
)

// create makes a file of the run in the folder of the capture.
func (c *capture) create(name string) (io.WriteCloser, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("create %s: %w", name, os.ErrInvalid)
	}
	path := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &kept{f, c, name}, nil
}

// kept is a file that is handed in once it is closed.
type kept struct {
	*os.File
	c    *capture
	name string
}

func (k *kept) Close() error {
	err := k.File.Close()
	if errors.Is(err, os.ErrClosed) {
		return err
	}
	k.c.mu.Lock()
	defer k.c.mu.Unlock()
	k.c.files = append(k.c.files, k.name)
	return err
}
