package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/bench"
	"github.com/unpark-go/unpark/internal/measure/proc"
	"github.com/unpark-go/unpark/internal/measure/target/build"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/yardstick"
)

const (
	// mostOutput is how much of what a test binary prints is kept: a benchmark's line is a hundred bytes, its logs are
	// anything.
	mostOutput = 4 << 20
	// longest is how long one benchmark of one arm may take in one round; then it counts as failed.
	longest = 10 * time.Minute
	// grace is how long it may take to end by itself when it is asked to.
	grace = 2 * time.Second
)

// topLevel is the part of a pattern that names benchmarks, and not what they run inside (testing.newMatcher splits at
// slashes that stand in no brackets).
func topLevel(pattern string) string {
	top, _ := splitPattern(pattern)
	return top
}

// splitPattern splits a pattern at its first slash outside of brackets.
func splitPattern(pattern string) (top, rest string) {
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case '/':
			if depth <= 0 {
				return pattern[:i], pattern[i+1:]
			}
		}
	}
	return pattern, ""
}

// listed returns the benchmarks of a test binary that match, without the word Benchmark.
func listed(ctx context.Context, t build.Tested, pattern string) ([]string, error) {
	text, err := execute(ctx, t, "-test.list", pattern)
	if err != nil {
		return nil, fmt.Errorf("list the benchmarks of %s: %w", t.Package, err)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "Benchmark"); ok {
			out = append(out, name)
		}
	}
	return out, nil
}

// execute runs a test binary and returns what it printed. All that it started is ended when ctx is, and when this
// process is killed.
func execute(ctx context.Context, t build.Tested, args ...string) ([]byte, error) {
	cmd := exec.Command(t.Binary, args...) //nolint:gosec // the user's own tests
	cmd.Dir = t.Dir
	mark := fmt.Sprintf("UNPARK_BENCH=%d", time.Now().UnixNano())
	cmd.Env = append(cmd.Environ(), mark)
	out := proc.NewOutput(proc.Whole, mostOutput, nil)
	errs := proc.NewOutput(proc.TailOrPanic, 64<<10, nil)
	c, err := proc.Start(proc.Spec{Cmd: cmd, Stdout: out, Stderr: errs, Mark: mark})
	if err != nil {
		return nil, fmt.Errorf("start it: %w", err)
	}
	timer := time.NewTimer(longest)
	defer timer.Stop()
	var why error
	select {
	case <-c.Done():
		why = c.Exit()
	case <-ctx.Done():
		why = ctx.Err()
	case <-timer.C:
		why = fmt.Errorf("it ran for more than %v", longest)
	}
	ended := c.End(grace, syscall.SIGTERM)
	c.Close()
	text, more := out.Kept()
	if why == nil {
		why = ended
	}
	if why == nil && more {
		why = errors.New("it prints more than 4 MB")
	}
	if why != nil && ctx.Err() == nil {
		said := errs.Excerpt(12)
		if said == "" {
			said = lastLines(string(text), 12)
		}
		why = fmt.Errorf("%w:\n%s", why, said)
	}
	return text, why
}

func lastLines(text string, n int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-n):], "\n")
}

// round runs a benchmark of both arms, in an order that chance decides. What fails is noted and left out from then on; an
// error ends the experiment.
func (e *experiment) round(ctx context.Context, b benchmark) error {
	order := []int{0, 1}
	if e.chance.IntN(2) == 1 {
		order = []int{1, 0}
	}
	var results [2]map[string]bench.Sample
	for _, i := range order {
		text, stick, err := e.beside(ctx, b.binaries[i], e.arguments(b.id, e.c.Time)...)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			e.fail(b.id, i, err)
			return nil
		}
		if results[i], err = e.read(text, i, stick); err != nil {
			return err
		}
	}
	for name, before := range results[0] {
		after, ok := results[1][name]
		if !ok {
			continue
		}
		id := bench.ID{Package: b.id.Package, Name: name}
		for len(e.pairs[id]) < e.begun-1 {
			e.pairs[id] = append(e.pairs[id], bench.Pair{})
		}
		e.pairs[id] = append(e.pairs[id], bench.Pair{Before: before, After: after})
	}
	if len(results[0]) == 0 && len(results[1]) == 0 {
		e.fail(b.id, 0, errors.New("it printed no result: it was skipped, or its sub-benchmarks do not match"))
	}
	return nil
}

// arguments run one benchmark once.
func (e *experiment) arguments(id bench.ID, length time.Duration) []string {
	pattern := "^Benchmark" + regexp.QuoteMeta(id.Name) + "$"
	if _, rest := splitPattern(e.c.Pattern); rest != "" {
		pattern += "/" + rest
	}
	return []string{"-test.run", "^$", "-test.bench", pattern, "-test.benchtime", length.String(), "-test.count", "1", "-test.benchmem"}
}

// fail leaves a benchmark out.
func (e *experiment) fail(id bench.ID, arm int, err error) {
	e.broken[id] = true
	e.failed = append(e.failed, id.String())
	message := fmt.Sprintf("%s fails in the arm %s: %v", id, e.arms[arm].name, err)
	e.say("%s", message)
	e.warn("benchmark-failed", unpark.RedactText(message), fmt.Sprintf("see go test -run '^$' -bench '^Benchmark%s$' %s in that revision", id.Name, id.Package))
}

// beside runs a test binary with the yardstick beside it, which tells how long a piece of its work took; 0 where it is too
// short for one or there is none.
func (e *experiment) beside(ctx context.Context, t build.Tested, args ...string) ([]byte, float64, error) {
	stick, failed := yardstick.Start(confine.Allowed(), yardstick.Often, longest)
	began := time.Now()
	text, err := execute(ctx, t, args...)
	if failed != nil {
		return text, 0, err
	}
	stick.Stop()
	took, _, ok := stick.Within(began, time.Now())
	if !ok {
		return text, 0, err
	}
	return text, took.Seconds(), err
}

// read parses results, and adds them to the arm's file.
func (e *experiment) read(text []byte, arm int, stick float64) (map[string]bench.Sample, error) {
	out := map[string]bench.Sample{}
	var kept bytes.Buffer
	w := benchfmt.NewWriter(&kept)
	r := benchfmt.NewReader(bytes.NewReader(text), e.arms[arm].name)
	for r.Scan() {
		result, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue // a line that is something else
		}
		if err := w.Write(result); err != nil {
			return nil, fmt.Errorf("write %s.txt: %w", e.arms[arm].name, err)
		}
		values := map[string]float64{}
		for _, v := range result.Values {
			values[unitOf(v.Unit)] = v.Value
		}
		out[nameOf(result.Name)] = bench.Sample{Values: values, Yardstick: stick}
	}
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("read what the benchmarks of the arm %s printed: %w", e.arms[arm].name, err)
	}
	if _, err := e.out.files[arm].Write(kept.Bytes()); err != nil {
		return nil, fmt.Errorf("write %s.txt: %w: free some space on the disk", e.arms[arm].name, err)
	}
	return out, nil
}

// unitOf is a unit as documents have it.
func unitOf(unit string) string {
	if rest, ok := strings.CutPrefix(unit, "sec/"); ok {
		return "s/" + rest
	}
	return unit
}

// nameOf is the name of a benchmark without the number of processors.
func nameOf(n benchfmt.Name) string {
	base, parts := n.Parts()
	var b strings.Builder
	b.Write(base)
	for _, p := range parts {
		if p[0] != '-' {
			b.Write(p)
		}
	}
	return b.String()
}

// valuesOf reads the figures of one benchmark, by unit.
func valuesOf(text []byte, name string) map[string]float64 {
	r := benchfmt.NewReader(bytes.NewReader(text), "profile")
	for r.Scan() {
		result, ok := r.Result().(*benchfmt.Result)
		if !ok || nameOf(result.Name) != name {
			continue
		}
		values := map[string]float64{}
		for _, v := range result.Values {
			values[unitOf(v.Unit)] = v.Value
		}
		return values
	}
	return nil
}
