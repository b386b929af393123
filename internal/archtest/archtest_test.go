package archtest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestUnpark(t *testing.T) {
	violations, err := Check(os.DirFS("../.."), Unpark)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Error(v)
	}
}

// A check that finds nothing proves nothing until it has found something.
func TestViolationsAreFound(t *testing.T) {
	got, err := Check(os.DirFS("testdata/tree"), Unpark)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, v := range got {
		lines = append(lines, v.String())
	}
	want := []string{
		"cmd/unpark/main.go:5: cmd may not import labs/lookup: nothing imports labs",
		"diagnose/bad.go:6: diagnose may not import os/exec: it computes, others read and write",
		"diagnose/bad.go:8: diagnose may not import profile: it sees the root package",
		"diagnose/bad_windows.go:3: diagnose may not import net/http: it computes, others read and write",
		"newcomer/newcomer.go:3: newcomer has no line in the policy: add one to internal/archtest/policy.go",
		"probe/agent/agent.go:4: probe may not import the root package: it sees no other package of this tree",
		"report/pprof.go:3: report may not import github.com/google/pprof/profile: only profile does",
		"stats/stats.go:3: stats may not import golang.org/x/perf/benchmath: it uses the standard library only",
		"store/types/types.go:1: package types: name it for what it does",
		"target/cgo.go:3: cgo: the tool must build wherever Go does",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(lines, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestAllowed(t *testing.T) {
	for _, tt := range []struct{ dir, imported string }{
		{".", "encoding/json"},
		{"diagnose", "github.com/unpark-go/unpark"},
		{"diagnose", "net/netip"},
		{"load", "golang.org/x/net/http2"},
		{"load/pace", "github.com/unpark-go/unpark/load"},
		{"target", "github.com/unpark-go/unpark/probe/agent"},
		{"investigate", "github.com/unpark-go/unpark/diagnose"},
		{"cmd/unpark", "github.com/unpark-go/unpark/internal/lookup"},
		{"probe", "github.com/unpark-go/unpark/probe/agent"},
		{"profile", "github.com/google/pprof/profile"},
	} {
		if why := Unpark.forbids(tt.dir, tt.imported); why != "" {
			t.Errorf("%s → %s is forbidden: %s", tt.dir, tt.imported, why)
		}
	}
}

func TestLongFile(t *testing.T) {
	tree := fstest.MapFS{
		"load/a.go": {Data: []byte("package load\n" + strings.Repeat("\n", Unpark.MaxLines))},
		"load/b.go": {Data: []byte("package load\n" + strings.Repeat("\n", Unpark.MaxLines-1))},
	}
	got, err := Check(tree, Unpark)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].File != "load/a.go" || !strings.Contains(got[0].What, "451 lines") {
		t.Errorf("got %v", got)
	}
}

func TestBrokenFile(t *testing.T) {
	tree := fstest.MapFS{"load/a.go": {Data: []byte("pakcage load\n")}}
	if _, err := Check(tree, Unpark); err == nil || !strings.Contains(err.Error(), "load/a.go:1") {
		t.Errorf("error %v, want the file and line", err)
	}
}

// A line for a package that is gone would let a later one in unseen.
func TestPolicyIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, pkg := range Unpark.Packages {
		if seen[pkg.Path] {
			t.Errorf("two lines for %s", pkg.Path)
		}
		seen[pkg.Path] = true
	}
	for _, pkg := range Unpark.Packages {
		for _, s := range pkg.Sees {
			if _, ok := Unpark.find(s); s != "*" && !ok {
				t.Errorf("%s sees %s, which has no line", pkg.Path, s)
			}
		}
	}
}
