package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/score/twin"
)

// said is what is read of a line of the guard's JSON.
type said struct {
	Event   string          `json:"event"`
	Dir     string          `json:"dir"`
	Error   string          `json:"error"`
	Finding *unpark.Finding `json:"finding"`
}

// guard is an unpark that is armed.
type guard struct {
	cmd   *exec.Cmd
	lines chan said
}

func arm(ctx context.Context, f flags, args ...string) (*guard, error) {
	all := append([]string{"guard", "--json", "--limit", "none", "--duration", f.duration.String(), "--flight", f.flight.String()}, args...)
	g := &guard{cmd: exec.CommandContext(ctx, f.unpark, all...), lines: make(chan said, 100)}
	g.cmd.Stderr = os.Stderr
	out, err := g.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := g.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(g.lines)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var s said
			if json.Unmarshal(lines.Bytes(), &s) == nil {
				g.lines <- s
			}
		}
	}()
	if _, ok := g.next(time.Minute, "armed"); !ok {
		return nil, errors.Join(errors.New("the guard was not armed"), g.end())
	}
	return g, nil
}

// next waits for an event.
func (g *guard) next(patience time.Duration, events ...string) (said, bool) {
	late := time.After(patience)
	for {
		select {
		case s, ok := <-g.lines:
			if !ok {
				return s, false
			}
			for _, e := range events {
				if s.Event == e {
					return s, true
				}
			}
		case <-late:
			return said{}, false
		}
	}
}

func (g *guard) end() error {
	_ = g.cmd.Process.Signal(syscall.SIGINT)
	for range g.lines {
	}
	return g.cmd.Wait()
}

// catches has the service stall, and counts the catches and those that name the line.
func catches(ctx context.Context, f flags, folder string, out io.Writer) error {
	s, err := start(ctx, folder)
	if err != nil {
		return err
	}
	defer s.End()
	loading, stop := context.WithCancel(ctx)
	wait := load(loading, s.URL, 16, 20*time.Millisecond)
	defer wait()
	defer stop()
	log := filepath.Join(folder, "log")
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		return err
	}
	target := []string{"--when", f.when, "--pprof", "unix://" + s.socket}
	if f.byPID {
		target = []string{"--when", "log~stalled", "--log", log, "--pid", fmt.Sprint(s.PID)}
	}
	g, err := arm(ctx, f, append(target, "--out", filepath.Join(folder, "catches"))...)
	if err != nil {
		return err
	}
	caught, named, first := 0, 0, 0
	for i := range f.stalls {
		next := time.Now().Add(f.every)
		if i == 0 {
			time.Sleep(3 * time.Second) // a moment of the usual traffic
		}
		if _, err := twin.Get(ctx, s.URL+"/stall?d="+f.stall.String()); err != nil {
			return err
		}
		if err := appendLine(log, "stalled"); err != nil {
			return err
		}
		event, ok := g.next(f.every-time.Second, "caught", "failed")
		line := "not caught " + event.Error
		if ok && event.Event == "caught" {
			caught++
			inFirst, inAny := names(event)
			first, named = first+inFirst, named+inAny
			line = fmt.Sprintf("caught; first finding: %s", title(event))
		}
		fmt.Fprintf(out, "stall %d: %s\n", i+1, line)
		time.Sleep(time.Until(next))
	}
	fmt.Fprintf(out, "%d of %d stalls of %v caught; the line that kept the lock is named by the first finding in %d, by any in %d (%d processors, %s)\n",
		caught, f.stalls, f.stall, first, named, runtime.NumCPU(), runtime.Version())
	return g.end()
}

func appendLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

func title(s said) string {
	if s.Finding == nil {
		return "none"
	}
	return s.Finding.Title + " at " + s.Finding.Site.String()
}

// names reports whether the verdict names the function that kept the lock, as the first and as any finding.
func names(s said) (first, any int) {
	b, err := os.ReadFile(filepath.Join(s.Dir, "run.json"))
	var run unpark.Run
	if err != nil || json.Unmarshal(b, &run) != nil {
		return 0, 0
	}
	for i, f := range run.Findings {
		for _, at := range []*unpark.Site{f.Holder, &f.Site, f.Culprit} {
			if at != nil && strings.HasSuffix(at.Function, "stall") && at.Line > 0 {
				any = 1
				if i == 0 {
					first = 1
				}
			}
		}
	}
	return first, any
}
