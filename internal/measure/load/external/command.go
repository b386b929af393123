package external

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/proc"
)

// Spec is a load command to start.
type Spec struct {
	// Line is handed to `sh -c`. {url} in it is replaced by URL and {seconds} by
	// Length; the environment has the same as UNPARK_URL and UNPARK_SECONDS.
	Line   string
	URL    string        // of the target; may be empty
	Length time.Duration // how long load is wanted, told in whole seconds, rounded up
}

// Command is a load generator that was started. Its methods may be called from
// several goroutines.
type Command struct {
	spec  Spec
	shell *exec.Cmd
	procs *proc.Command // the shell and its descendants
	dir   string        // for files of the command, removed at the end
	grace time.Duration // after each signal
	began time.Time
	out   *proc.Output
	errs  *proc.Output
	usage usage

	done  chan struct{} // the shell and all of its descendants have ended
	ended time.Time     // written before done is closed

	summary []byte // what k6 wrote, read by Stop
	once    sync.Once
	stopErr error
}

// follow is how often the command's processes are looked at.
const follow = 500 * time.Millisecond

// Start starts the command in a session of its own: Ctrl-C on the terminal is not
// for it. Call Stop in any case.
func Start(s Spec) (*Command, error) { return start(s, grace) }

func start(s Spec, grace time.Duration) (*Command, error) {
	if strings.TrimSpace(s.Line) == "" {
		return nil, errors.New("start the load command: it is empty: write it like 'wrk -d60 {url}'")
	}
	if s.URL == "" && strings.Contains(s.Line, wordURL) {
		return nil, errors.New("start the load command: it asks for " + wordURL + ", which is unknown: name the target's address with --url")
	}
	dir, err := os.MkdirTemp("", "unpark-load-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the load command: %w: set TMPDIR to a place with space", err)
	}
	c := &Command{spec: s, dir: dir, grace: grace, done: make(chan struct{})}
	if err := c.launch(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	c.usage.add(c.began, 0)
	go c.watch()
	return c, nil
}

func (c *Command) launch() error {
	c.out = proc.NewOutput(proc.Whole, maxOutput, nil)
	c.errs = proc.NewOutput(proc.Tail, 8<<10, nil)
	c.shell = exec.Command("sh", "-c", expand(c.spec.Line, c.spec.URL, wholeSeconds(c.spec.Length)))
	mark := markName + "=" + c.dir
	c.shell.Env = c.environment(mark)
	c.began = time.Now()
	var err error
	c.procs, err = proc.Start(proc.Spec{Cmd: c.shell, Stdout: c.out, Stderr: c.errs, Mark: mark, Folder: c.dir})
	if err != nil {
		return fmt.Errorf("start the load command: %w: it is run by a shell: sh must be in PATH", err)
	}
	return nil
}

// markName is the environment variable by which the command's descendants are
// known, whatever session they put themselves into.
const markName = "UNPARK_LOAD"

// environment tells the command where the target is, and k6 to write its summary as
// JSON with the quantiles that unpark wants.
func (c *Command) environment(mark string) []string {
	env := append(os.Environ(),
		mark, envURL+"="+c.spec.URL, envSeconds+"="+wholeSeconds(c.spec.Length))
	for _, v := range []struct{ name, value string }{
		{"K6_SUMMARY_EXPORT", c.export()}, {"K6_SUMMARY_TREND_STATS", TrendStats},
	} {
		if os.Getenv(v.name) == "" {
			env = append(env, v.name+"="+v.value)
		}
	}
	return env
}

// export is where k6 writes its summary: where it was told to, or into our folder.
func (c *Command) export() string {
	if file := summaryExport(c.spec.Line); file != "" {
		return file
	}
	if file := os.Getenv("K6_SUMMARY_EXPORT"); file != "" {
		return file
	}
	return filepath.Join(c.dir, "k6-summary.json")
}

// watch follows the command until no process of it is left.
func (c *Command) watch() {
	tick := time.NewTicker(follow)
	defer tick.Stop()
	reaped := c.procs.Done()
	var quiet time.Time // when none was found the first time
	for {
		select {
		case <-tick.C:
		case <-reaped:
			reaped = nil
			tick.Reset(follow / 10) // what is left are its descendants
		}
		alive, cpu := c.procs.Look()
		now := time.Now()
		if reaped == nil {
			// wait4(2) counts the children that the shell waited for, too.
			state := c.shell.ProcessState
			cpu = unpark.Num(max(cpu.Or(0), (state.UserTime() + state.SystemTime()).Seconds()))
		}
		if v, ok := cpu.Get(); ok {
			c.usage.add(now, v)
		}
		switch {
		case reaped != nil || alive:
			quiet = time.Time{}
		case quiet.IsZero():
			quiet = now // one that is between fork and exec cannot be known: look again
		default:
			c.ended = quiet
			close(c.done)
			return
		}
	}
}

// Done is closed when the command and all of its descendants have ended.
func (c *Command) Done() <-chan struct{} { return c.done }

// Cores returns the mean number of cores that the command and its descendants used
// between two instants; unknown where the system does not tell.
func (c *Command) Cores(from, to time.Time) unpark.Number { return c.usage.cores(from, to) }

// Ended returns when the last process of the command ended; zero while one runs.
func (c *Command) Ended() time.Time {
	select {
	case <-c.done:
		return c.ended
	default:
		return time.Time{}
	}
}

// Failure returns an error when the command has ended: how, after what time, and the
// last that it printed. It is nil while the command runs.
func (c *Command) Failure() error {
	select {
	case <-c.done:
	default:
		return nil
	}
	how := "it ended by itself"
	if err := c.Exit(); err != nil {
		how = "it failed: " + err.Error()
	}
	return fmt.Errorf("the load command %s after %s: %s; %s", c.Name(), span(c.Ran().Seconds()), how, c.said())
}

// Ran returns how long the command has been running, or ran.
func (c *Command) Ran() time.Duration {
	if at := c.Ended(); !at.IsZero() {
		return at.Sub(c.began)
	}
	return time.Since(c.began)
}

// Exit returns how the shell ended; nil while it runs and when its status was 0.
func (c *Command) Exit() error { return c.procs.Exit() }

// Name returns the command for a message, on one line.
func (c *Command) Name() string {
	const most = 80
	text := strings.Join(strings.Fields(strings.ToValidUTF8(c.spec.Line, "�")), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return "`" + text + "`"
}

// LastLine returns the last line that the command printed, errors first; it may be
// empty.
func (c *Command) LastLine() string {
	for _, stream := range []*proc.Output{c.errs, c.out} {
		if text := stream.Excerpt(1); text != "" {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// said returns the last that the command printed, errors first.
func (c *Command) said() string {
	var parts []string
	for _, stream := range []*proc.Output{c.errs, c.out} {
		if text := stream.Excerpt(12); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return "it printed nothing"
	}
	return "its last output:\n" + strings.Join(slices.Compact(parts), "\n")
}

// Parse reads what the command has printed, or k6's summary where k6 wrote it. Call
// it after Stop.
func (c *Command) Parse() (Result, error) {
	if r, err := Parse(c.summary); !errors.Is(err, ErrUnknown) {
		return r, err
	}
	out, over := c.out.Kept()
	if over {
		return Result{}, fmt.Errorf("read the load command's output: it is larger than %d MB: let the tool print its summary only", maxOutput>>20)
	}
	return Parse(out)
}
