package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTwice: what fails on a quiet machine has failed; among others it gets a second
// try, and no third.
func TestTwice(t *testing.T) {
	wrong := errors.New("exit status 1")
	quiet := result{err: wrong, busy: 1.9, others: 0.5, cpus: 2}
	crowded := result{err: wrong, busy: 1.9, others: 0.7, cpus: 2}
	idle := result{err: wrong, busy: 0.9, others: 0.8, cpus: 2} // busy others, with room beside them
	for name, c := range map[string]struct {
		results []result
		tries   int
		failed  bool
		word    string
	}{
		"passes":              {[]result{{}}, 1, false, "pass"},
		"passes among others": {[]result{{busy: 2, others: 2, cpus: 2}}, 1, false, "pass"},
		"skips":               {[]result{{said: "=== RUN TestLiveX\n--- SKIP: TestLiveX\nPASS"}}, 1, false, "skip"},
		"fails":               {[]result{quiet, {}}, 1, true, "FAIL"},
		"fails, room left":    {[]result{idle, {}}, 1, true, "FAIL"},
		"unknown machine":     {[]result{{err: wrong}, {}}, 1, true, "FAIL"},
		"disturbed once":      {[]result{crowded, {}}, 2, false, "pass, again after 0.7 of 1.9 busy cores were others'"},
		"disturbed twice":     {[]result{crowded, crowded, {}}, 2, true, "FAIL, disturbed, again after"},
	} {
		t.Run(name, func(t *testing.T) {
			tries := 0
			b := bench{out: io.Discard, attempt: func(context.Context, *exec.Cmd) result {
				tries++
				return c.results[tries-1]
			}}
			r, word := b.twice(t.Context(), test{"x", "TestLiveX"}, "x.test")
			if tries != c.tries || (r.err != nil) != c.failed || !strings.HasPrefix(word, c.word) {
				t.Errorf("%d tries, %v, %q; want %d, failed %v, %q", tries, r.err, word, c.tries, c.failed, c.word)
			}
		})
	}
}

// TestAttempt: a real command, its output and its end.
func TestAttempt(t *testing.T) {
	if r := attempt(t.Context(), exec.Command("sh", "-c", "echo here; exit 3")); r.said != "here\n" || r.err == nil || r.others > r.busy {
		t.Errorf("%+v", r)
	}
}

// TestFind: a live test that is not found is never run, and one without the tag is run
// by everybody.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"a/x_live_test.go":          "package a\nfunc TestLiveOne() {}\nfunc TestOther() {}\nfunc (t) TestLiveMethod() {}\nfunc TestLiveTwo() {}",
		"a/y_test.go":               "package a\nfunc TestLiveNot() {}",
		"a/testdata/z_live_test.go": "package z\nfunc TestLiveZ() {}",
		".b/z_live_test.go":         "package z\nfunc TestLiveZ() {}",
	} {
		file = filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := find(dir)
	if err != nil || len(got) != 2 || got[0].String() != "a.TestLiveOne" || got[1].name != "TestLiveTwo" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestTree: the tree's own live tests are behind the tag, and have its prefix.
func TestTree(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	tests, err := find(root)
	if err != nil || len(tests) == 0 {
		t.Fatal(tests, err)
	}
	err = filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, suffix) || strings.Contains(file, "testdata") {
			return err
		}
		text, err := os.ReadFile(file)
		if !strings.HasPrefix(string(text), "//go:build live\n") {
			t.Errorf("%s does not begin with the tag", file)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "func Test") && !strings.HasPrefix(line, "func "+prefix) {
				t.Errorf("%s: not found by its name: %s", file, line)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-days", "0"}, {"x"}, {"-only", "("}, {"-nosuch"}} {
		if status := run(t.Context(), args, io.Discard, io.Discard); status != 2 {
			t.Errorf("%q: status %d", args, status)
		}
	}
}
