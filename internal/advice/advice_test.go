package advice

import (
	"go/format"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var classes = set("cpu", "alloc", "gc", "lock", "channel", "pool", "io", "syscall", "downstream", "setup", "recompute", "leak", "ratelimit", "quota")

var remedies = map[Remedy]bool{
	Cheaper: true, Fewer: true, Once: true, Together: true, Unshared: true, Moved: true, Wider: true, Kept: true, Upgrade: true, Setting: true, Intended: true,
}

var (
	id     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	name   = regexp.MustCompile(`^[A-Za-z0-9_./%~-]+(\.\(\*?[A-Za-z0-9_]+(\[\.\.\.\])?\)|\.[A-Za-z0-9_]+)*\.?\*?$`)
	before = regexp.MustCompile(`^(1\.\d+|\S+\.\S+ v\d+\.\d+\.\d+(-\S+)?)$`)
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range All() {
		t.Run(a.ID, func(t *testing.T) {
			if !id.MatchString(a.ID) || seen[a.ID] {
				t.Errorf("id is not kebab-case or not unique")
			}
			seen[a.ID] = true
			if a.Title == "" || a.When == "" || a.Risk == "" {
				t.Errorf("title, when or risk is missing")
			}
			if strings.HasSuffix(a.Title, ".") || !strings.HasSuffix(a.When, ".") || !strings.HasSuffix(a.Risk, ".") {
				t.Errorf("a title has no full stop, when and risk have one")
			}
			if len(a.Classes) == 0 || len(a.Culprits) == 0 || len(a.Sources) == 0 {
				t.Errorf("a class, a culprit or a source is missing")
			}
			if n := len(a.Change); n < 1 || n > 8 {
				t.Errorf("change has %d lines", n)
			}
			for _, c := range a.Classes {
				if !classes[c] {
					t.Errorf("unknown class %q", c)
				}
			}
			if !remedies[a.Remedy] {
				t.Errorf("unknown remedy %q", a.Remedy)
			}
			if a.Before != "" && !before.MatchString(a.Before) {
				t.Errorf("before is neither a Go version nor a module version: %q", a.Before)
			}
			for _, list := range [][]string{a.Classes, a.Culprits, a.Under, a.Unless, a.Sources} {
				if len(set(list...)) != len(list) {
					t.Errorf("twice in one list: %q", list)
				}
			}
			for _, c := range slices.Concat(a.Culprits, a.Under, a.Unless) {
				if !name.MatchString(c) {
					t.Errorf("not a function as pprof prints it: %q", c)
				}
			}
			for _, s := range a.Sources {
				if u, err := url.Parse(s); err != nil || u.Scheme != "https" || u.Host == "" {
					t.Errorf("not a URL: %q", s)
				}
			}
		})
	}
}

// TestChangesParse reads those changes as Go that are statements; settings, other
// languages and lines that elide something are left out.
func TestChangesParse(t *testing.T) {
	for _, a := range All() {
		text := strings.Join(a.Change, "\n")
		if notGo(text) {
			continue
		}
		if _, err := format.Source([]byte("package p\n" + text)); err == nil {
			continue
		}
		if _, err := format.Source([]byte("package p\nfunc f() {\n" + text + "\n}")); err == nil {
			continue
		}
		if !parsesInParts(a.Change) {
			t.Errorf("%s: not Go:\n%s", a.ID, text)
		}
	}
}

// parsesInParts accepts declarations followed by statements, cut at any line.
func parsesInParts(lines []string) bool {
	for i := 1; i < len(lines); i++ {
		head := "package p\n" + strings.Join(lines[:i], "\n")
		tail := "package p\nfunc f() {\n" + strings.Join(lines[i:], "\n") + "\n}"
		if _, err := format.Source([]byte(head)); err != nil {
			continue
		}
		if _, err := format.Source([]byte(tail)); err == nil {
			return true
		}
	}
	return false
}

func notGo(text string) bool {
	return strings.Contains(text, "…") || strings.HasPrefix(text, "go 1.") || strings.HasPrefix(text, "message ")
}

func TestCounts(t *testing.T) {
	all := All()
	std := 0
	for _, a := range all {
		if first, _, _ := strings.Cut(a.Culprits[0], "/"); !strings.Contains(first, ".") || !strings.Contains(a.Culprits[0], "/") {
			std++
		}
	}
	if len(all) < 95 || std < 25 || len(all)-std < 60 {
		t.Errorf("%d entries, %d of them for the standard library and the runtime", len(all), std)
	}
}
