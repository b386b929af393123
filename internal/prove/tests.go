package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/proc"
)

// ofTests reports whether a file is the tests' own: a source of theirs, or their data.
func ofTests(rel string) bool {
	rel = filepath.ToSlash(rel)
	return strings.HasSuffix(rel, "_test.go") || slices.Contains(strings.Split(rel, "/"), "testdata")
}

// testFiles are the files of tests below a folder, with their content.
func testFiles(top string) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(top, path)
		if err != nil || !ofTests(rel) {
			return err
		}
		out[rel], err = os.ReadFile(path)
		return err
	})
	return out, err
}

// restore puts the tests of the tree before in place of those of the copy of the tree after, and says which differ.
func restore(before, after string) (replaced []string, err error) {
	was, err := testFiles(before)
	if err != nil {
		return nil, err
	}
	is, err := testFiles(after)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if text, ok := was[name]; !ok {
			replaced = append(replaced, name+" (added)")
			err = errors.Join(err, os.Remove(filepath.Join(after, name)))
		} else if !bytes.Equal(text, is[name]) {
			replaced = append(replaced, name+" (changed)")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if bytes.Equal(was[name], is[name]) && is[name] != nil {
			continue
		}
		if _, ok := is[name]; !ok {
			replaced = append(replaced, name+" (deleted)")
		}
		to := filepath.Join(after, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, was[name], 0o600))
	}
	return replaced, err
}

// tally is what one run of the tests came to.
type tally struct {
	named  bool // which tests there are is known: the command is go test
	passed map[string]bool
	failed map[string]bool
	err    error // how the command ended; nil: well
	output string
}

// tests runs the command of the tests on both trees.
func (s *Session) tests(ctx context.Context, command []string, tell func(string)) (unpark.ProofTests, []unpark.Notice, error) {
	out := unpark.ProofTests{Command: command}
	copied := func(t *Tree, role string) (*Tree, error) {
		c := *t
		c.Top = filepath.Join(s.folder.Path, role, filepath.Base(t.Top))
		rel, err := filepath.Rel(t.Top, t.Dir)
		c.Dir = filepath.Join(c.Top, rel)
		if err == nil {
			if err = os.MkdirAll(filepath.Dir(c.Top), 0o700); err == nil {
				err = os.CopyFS(c.Top, os.DirFS(t.Top))
			}
		}
		return &c, err
	}
	before, err := copied(s.Before, "tests-before")
	if err != nil {
		return out, nil, fmt.Errorf("copy the tree before for its tests: %w", err)
	}
	after, err := copied(s.After, "tests-after")
	if err == nil {
		out.Replaced, err = restore(before.Top, after.Top)
	}
	if err != nil {
		return out, nil, fmt.Errorf("copy the tree after for the tests: %w", err)
	}
	tell("tests     of the tree before: " + strings.Join(command, " "))
	was, err := test(ctx, before.Dir, command)
	if err != nil {
		return out, nil, err
	}
	tell("tests     of the tree before, on the tree after")
	is, err := test(ctx, after.Dir, command)
	if err != nil {
		return out, nil, err
	}
	if len(was.lost(is)) > 0 || !was.named && is.err != nil { // once more: tests fail by chance as well
		again, err := test(ctx, after.Dir, command)
		if err != nil {
			return out, nil, err
		}
		for name := range again.passed {
			is.passed[name] = true
		}
		is.err, is.output = again.err, again.output
	}
	return out, weigh(&out, was, is), nil
}

// weigh completes the document, and says what is wrong.
func weigh(out *unpark.ProofTests, was, is tally) []unpark.Notice {
	var wrong []unpark.Notice
	refuse := func(code, message, cure string) {
		wrong = append(wrong, unpark.Notice{Code: code, Message: message, Cure: cure})
	}
	if !was.named {
		switch {
		case was.err != nil:
			out.Output = was.output
			refuse("tests-before", fmt.Sprintf("the tests fail on the tree before (%v), so that nothing holds the tree after to them", was.err), "mend them first, or name those that pass: --test 'go test ./...'")
		case is.err != nil:
			out.Output = is.output
			refuse("tests", fmt.Sprintf("the tests of the tree before fail on the tree after (%v)", is.err), "mend the change, not the tests")
		}
		return wrong
	}
	out.Before, out.Failed, out.Lost = unpark.Num(float64(len(was.passed))), slices.Sorted(maps.Keys(was.failed)), was.lost(is)
	out.After = unpark.Num(float64(len(was.passed) - len(out.Lost)))
	switch {
	case len(was.passed) == 0:
		out.Output = was.output
		refuse("tests-before", "no test passes on the tree before, so that nothing holds the tree after to what the service does", "write one first, or name those that there are: --test 'go test ./...'")
	case len(out.Lost) > 0:
		out.Output = is.output
		refuse("tests", fmt.Sprintf("%s that passed before did not pass after, the first %s", unpark.Counted(int64(len(out.Lost)), "test"), out.Lost[0]),
			"mend the change, not the tests: those of the tree before run; where an interface has to change, keep the old one beside it, or have a person decide")
	}
	return wrong
}

// lost are the tests that passed, and do not pass after.
func (t tally) lost(after tally) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(t.passed)) {
		if !after.passed[name] {
			out = append(out, name)
		}
	}
	return out
}

// test runs the tests in a folder. An error says that they could not be run.
func test(ctx context.Context, dir string, command []string) (tally, error) {
	t := tally{passed: map[string]bool{}, failed: map[string]bool{}}
	words := slices.Clone(command)
	if t.named = len(words) > 1 && words[0] == "go" && words[1] == "test"; t.named {
		words = slices.Insert(words, 2, "-json", "-count=1")
	}
	mark := "UNPARK_PROVE=" + dir
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), mark)
	events := &eventReader{to: &t}
	all := proc.NewOutput(proc.Tail, keptOutput, events)
	running, err := proc.Start(proc.Spec{Cmd: cmd, Stdout: all, Stderr: all, Mark: mark})
	if err != nil {
		return t, fmt.Errorf("run the tests (%s): %w: name what runs them: --test 'go test ./...'", strings.Join(command, " "), err)
	}
	defer running.Close()
	late := time.NewTimer(longestTests)
	defer late.Stop()
	select {
	case <-running.Done():
		t.err = running.Exit()
	case <-late.C:
		t.err = fmt.Errorf("not done after %v", longestTests)
	case <-ctx.Done():
	}
	if err := running.End(time.Second, syscall.SIGINT); err != nil {
		return t, fmt.Errorf("end the tests: %w", err)
	}
	t.output = events.tail(all)
	return t, ctx.Err()
}

// eventReader reads what go test -json prints.
type eventReader struct {
	to   *tally
	rest []byte
	said []string // the last lines of what tests print
}

var _ io.Writer = (*eventReader)(nil)

func (r *eventReader) Write(b []byte) (int, error) {
	r.rest = append(r.rest, b...)
	for {
		line, rest, found := bytes.Cut(r.rest, []byte("\n"))
		if !found {
			if len(r.rest) > mostBody {
				r.rest = nil // no event is so long
			}
			return len(b), nil
		}
		r.line(line)
		r.rest = append([]byte(nil), rest...)
	}
}

func (r *eventReader) line(line []byte) {
	var e struct{ Action, Package, Test, Output string }
	if !r.to.named || json.Unmarshal(line, &e) != nil {
		return
	}
	name := e.Package + " " + e.Test
	switch {
	case e.Action == "output" || e.Action == "build-output":
		r.said = append(r.said, e.Output)
		r.said = r.said[max(0, len(r.said)-40):]
	case e.Test == "":
		if e.Action == "fail" {
			r.to.failed[e.Package] = true
		}
	case e.Action == "pass":
		r.to.passed[name] = true
	case e.Action == "fail":
		r.to.failed[name] = true
	}
}

// tail is the end of what was printed.
func (r *eventReader) tail(all *proc.Output) string {
	if !r.to.named || len(r.said) == 0 {
		return all.Excerpt(15)
	}
	text := strings.Join(r.said, "")
	return text[max(0, len(text)-keptOutput):]
}
