package guard

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// log is a file that a test writes.
type log struct {
	t    *testing.T
	path string
}

func (l log) add(text string) {
	l.t.Helper()
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		l.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		l.t.Fatal(err)
	}
}

// TestFollowLog: what is appended, over moves and cuts, each line once.
func TestFollowLog(t *testing.T) {
	l := log{t, filepath.Join(t.TempDir(), "log")}
	l.add("old\n")
	f, err := follow(l.path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"nothing", func() {}, nil},
		{"a line", func() { l.add("one\r\n") }, []string{"one"}},
		{"a part", func() { l.add("tw") }, nil},
		{"its end", func() { l.add("o\nthree\n") }, []string{"two", "three"}},
		{"moved away", func() { l.add("last\n"); move(t, l.path) }, []string{"last"}},
		{"still none", func() {}, nil},
		{"made anew", func() { l.add("four\n") }, []string{"four"}},
		{"moved and made anew at once", func() { l.add("five\n"); move(t, l.path); l.add("six\n") }, []string{"five", "six"}},
		{"cut", func() { truncate(t, l.path); l.add("7\n") }, []string{"7"}},
		{"a line without end", func() { l.add(strings.Repeat("x", 3*longestLine)) }, nil},
		{"which is cut", func() { l.add("y\n") }, []string{strings.Repeat("x", longestLine) + "y"}},
	} {
		step.do()
		got, err := f.lines()
		if err != nil || !slices.Equal(got, step.want) {
			t.Errorf("%s: %.60q, %v, want %.60q", step.name, got, err, step.want)
		}
	}
}

func move(t *testing.T, path string) {
	t.Helper()
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string) {
	t.Helper()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
}

func TestFollowNothing(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir(), os.DevNull} {
		if f, err := follow(path); err == nil || !strings.Contains(err.Error(), "--log") {
			t.Errorf("%s: %v, %v", path, f, err)
		}
	}
	var none *follower
	if lines, err := none.lines(); lines != nil || err != nil || none.Close() != nil {
		t.Error(lines, err)
	}
}
