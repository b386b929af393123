package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

// bench compiles tests and runs them.
type bench struct {
	root, bin string
	out       io.Writer
	attempt   func(context.Context, *exec.Cmd) result
}

// result is what became of one run of one test.
type result struct {
	err     error
	said    string
	seconds float64
	// others are the cores that neither the test nor what it started used, of busy ones
	// on cpus; busy is 0 where the machine does not tell.
	others, busy float64
	cpus         int
}

// disturbed reports that something else had the processors: the rule of the warning
// busy-host (investigate), so that a test is repeated where a run would be.
func (r result) disturbed() bool {
	return r.busy >= 0.8*float64(r.cpus) && r.others >= unpark.MaxOtherShare*r.busy && r.busy > 0
}

// all runs tests, each twice at most, and counts those that failed. An error means that
// the others were not run.
func (b bench) all(ctx context.Context, tests []test) (failed int, err error) {
	for i, t := range tests {
		binary, err := b.compiled(ctx, t.folder)
		if err != nil {
			return failed + len(tests) - i, err
		}
		r, word := b.twice(ctx, t, binary)
		if ctx.Err() != nil {
			return failed + len(tests) - i, ctx.Err()
		}
		fmt.Fprintf(b.out, "%3d/%d  %-44s %5.1f s  %s\n", i+1, len(tests), t, r.seconds, word)
		if r.err != nil {
			failed++
			fmt.Fprintf(b.out, "%s\n%v\n", indented(r.said), r.err)
		}
	}
	return failed, nil
}

// twice runs a test, and once more when it failed while something else had the
// processors. It says in a word what became of it.
func (b bench) twice(ctx context.Context, t test, binary string) (result, string) {
	again := ""
	for {
		r := b.attempt(ctx, b.command(ctx, t, binary))
		switch {
		case r.err != nil && again == "" && r.disturbed() && ctx.Err() == nil:
			again = fmt.Sprintf(", again after %.1f of %.1f busy cores were others'", r.others, r.busy)
			continue
		case r.err != nil && r.disturbed():
			return r, "FAIL, disturbed" + again
		case r.err != nil:
			return r, "FAIL" + again
		case strings.Contains(r.said, "\n--- SKIP: ") || strings.HasPrefix(r.said, "--- SKIP: "):
			return r, "skip" + again
		default:
			return r, "pass" + again
		}
	}
}

// compiled makes the test binary of a folder, once.
func (b bench) compiled(ctx context.Context, folder string) (string, error) {
	file := filepath.Join(b.bin, strings.ReplaceAll(folder, "/", "-")+".test")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	c := exec.CommandContext(ctx, "go", "test", "-c", "-tags", "live", "-o", file, "./"+folder)
	c.Dir = b.root
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile the live tests of %s: %w\n%s", folder, err, said)
	}
	return file, nil
}

// most is how long a test may take; a service that hangs is ended by the test's own
// clean-up when it panics at this time.
const most = 4 * time.Minute

func (b bench) command(ctx context.Context, t test, binary string) *exec.Cmd {
	c := exec.CommandContext(ctx, binary, "-test.run", "^"+t.name+"$", "-test.v", "-test.timeout", most.String())
	c.Dir = filepath.Join(b.root, filepath.FromSlash(t.folder))
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	return c
}

// attempt runs a command and looks at the machine around it.
func attempt(_ context.Context, c *exec.Cmd) result {
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	before, cpus := machine()
	began := time.Now()
	r := result{err: c.Run(), cpus: cpus}
	r.seconds, r.said = time.Since(began).Seconds(), said.String()
	after, _ := machine()
	if state := c.ProcessState; state != nil && after > before {
		r.busy = (after - before) / r.seconds
		// Its children's are in it when they were waited for.
		r.others = r.busy - (state.UserTime()+state.SystemTime()).Seconds()/r.seconds
	}
	return r
}

// indented is the end of a text, apart from the lines around it.
func indented(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	lines = lines[max(0, len(lines)-40):]
	return "         " + strings.Join(lines, "\n         ")
}
