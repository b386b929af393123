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
	p := Unpark
	p.Known, p.Symbols = nil, nil // they are of the whole tree
	got, err := Check(os.DirFS("testdata/tree"), p)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, v := range got {
		line, _, _ := strings.Cut(v.String(), ": it sees") // what a package sees changes
		lines = append(lines, line)
	}
	want := []string{
		"cmd/unpark/main.go:5: cmd may not import labs/lookup: nothing imports labs",
		"internal/judge/diagnose/bad.go:6: internal/judge/diagnose may not import os/exec: it computes, others read and write",
		"internal/judge/diagnose/bad.go:8: internal/judge/diagnose may not import internal/measure/profile",
		"internal/judge/diagnose/bad_windows.go:3: internal/judge/diagnose may not import net/http: it computes, others read and write",
		"internal/measure/target/cgo.go:3: cgo: the tool must build wherever Go does",
		"internal/report/pprof.go:3: internal/report may not import github.com/google/pprof/profile: only internal/measure/profile does",
		"internal/stats/stats.go:3: internal/stats may not import golang.org/x/perf/benchmath: it uses the standard library only",
		"internal/store/types/types.go:1: package types: name it for what it does",
		"newcomer/newcomer.go:3: newcomer has no line in the policy: add one to internal/archtest/policy.go",
		"probe/agent/agent.go:4: probe may not import the root package",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(lines, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestAllowed(t *testing.T) {
	for _, tt := range []struct{ dir, imported string }{
		{".", "encoding/json"},
		{"internal/judge/diagnose", "github.com/unpark-go/unpark"},
		{"internal/judge/diagnose", "net/netip"},
		{"internal/measure/load", "golang.org/x/net/http2"},
		{"internal/measure/load/pace", "github.com/unpark-go/unpark/internal/measure/load"},
		{"internal/measure/target", "github.com/unpark-go/unpark/probe/agent"},
		{"internal/investigate", "github.com/unpark-go/unpark/internal/judge/diagnose"},
		{"cmd/unpark", "github.com/unpark-go/unpark/internal/lookup"},
		{"probe", "github.com/unpark-go/unpark/probe/agent"},
		{"internal/measure/profile", "github.com/google/pprof/profile"},
	} {
		if why := Unpark.forbids(tt.dir, tt.imported); why != "" {
			t.Errorf("%s → %s is forbidden: %s", tt.dir, tt.imported, why)
		}
	}
}

// What judges is a function of its arguments: it knows neither what keeps and shows
// its results nor what calls it.
func TestJudgesSeeNothingThatReadsOrWrites(t *testing.T) {
	judges := []string{"internal/judge/newcomer"}
	for _, pkg := range Unpark.Packages {
		if strings.HasPrefix(pkg.Path, "internal/judge/") {
			judges = append(judges, pkg.Path, pkg.Path+"/part")
		}
	}
	if len(judges) < 15 {
		t.Fatalf("the policy has lines for %v alone", judges)
	}
	for _, dir := range judges {
		for _, other := range []string{"internal/report", "internal/store", "internal/investigate", "internal/measure/window", "os", "net/http"} {
			imported := other
			if strings.Contains(other, "internal/") {
				imported = Unpark.Module + "/" + other
			}
			if Unpark.forbids(dir, imported) == "" {
				t.Errorf("%s → %s is allowed", dir, other)
			}
		}
	}
}

func TestBrokenFile(t *testing.T) {
	tree := fstest.MapFS{"internal/measure/load/a.go": {Data: []byte("pakcage load\n")}}
	if _, err := Check(tree, Unpark); err == nil || !strings.Contains(err.Error(), "internal/measure/load/a.go:1") {
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
	known := map[Excess]bool{}
	for _, e := range Unpark.Known {
		if n, _ := e.number(); n == 0 || e.name() == "file " || known[e.part()] {
			t.Errorf("%+v is not a part with its number, or is there twice", e)
		}
		known[e.part()] = true
	}
}
