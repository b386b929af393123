package bisect

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/rota"
)

// TestFindsTheCommit: 64 commits, half of which do not change the program, one of 5 %.
func TestFindsTheCommit(t *testing.T) {
	if !rota.Long(3, 7) {
		t.Skip("it builds a dozen programs, once a week")
	}
	r := newRepository(t)
	good, culprit := r.git("rev-parse", "HEAD"), ""
	cost := 1000
	for i := range 64 {
		if i%2 == 0 {
			r.write("README.md", strconv.Itoa(i))
			r.write("cmd/server/main_test.go", fmt.Sprintf("package main // %d\n", i))
			r.commit("words")
			continue
		}
		if i == 41 {
			cost = 1050
		}
		r.write("cmd/server/main.go", costs(cost, i))
		hash := r.commit("step " + strconv.Itoa(i))
		if i == 41 {
			culprit = hash
		}
	}
	b, lines, err := r.find(t.Context(), good, "main", filepath.Join(t.TempDir(), "search"), &madeUp{noise: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	if b.Outcome != "found" || len(b.Culprits) != 1 || b.Culprits[0] != culprit || b.Builds > 12 {
		t.Errorf("%s %v (%s) by %d builds, want %s\n%s", b.Outcome, b.Culprits, b.Why, b.Builds, culprit, strings.Join(lines, "\n"))
	}
	if low, high := b.Effect.Low.Or(0), b.Effect.High.Or(0); low > 1.05 || high < 1.05 || b.Probability.Or(0) < 0.95 {
		t.Errorf("effect %+v with %v", b.Effect, b.Probability)
	}
	unused := 0
	for _, c := range b.Commits {
		if c.State == unpark.CommitUnused {
			unused++
		}
	}
	if unused != 32 || len(b.Commits) != 64 {
		t.Errorf("%d of %d commits change nothing", unused, len(b.Commits))
	}
	if left := r.git("worktree", "list"); strings.Count(left, "\n") > 0 {
		t.Errorf("worktrees are left:\n%s", left)
	}
}

func TestEndsThatDoNotDiffer(t *testing.T) {
	r := newRepository(t)
	good := r.git("rev-parse", "HEAD")
	r.write("cmd/server/main.go", costs(1000, 1))
	same := r.commit("another part")
	b, _, err := r.find(t.Context(), good, same, filepath.Join(t.TempDir(), "a"), &madeUp{noise: 0.02})
	if err != nil || b.Outcome != "same" || len(b.Culprits) != 0 || b.Rounds != 48 {
		t.Errorf("%v: %s after %d rounds, %v", err, b.Outcome, b.Rounds, b.Culprits)
	}
	r.write("README.md", "words")
	words := r.commit("words")
	if b, _, err := r.find(t.Context(), same, words, filepath.Join(t.TempDir(), "b"), &madeUp{}); err != nil || b.Outcome != "identical" || b.Rounds != 0 {
		t.Errorf("%v: %s after %d rounds", err, b.Outcome, b.Rounds)
	}
}

// TestCommitsThatDoNotBuild: two that do not compile, and one whose program is that of the one before.
func TestCommitsThatDoNotBuild(t *testing.T) {
	r := newRepository(t)
	good := r.git("rev-parse", "HEAD")
	for i, text := range []string{
		costs(1000, 1), "package main\n\nfunc main() {", "package main\n\nfunc main() { missing() }", costs(1000, 4),
		strings.Replace(costs(1000, 4), "// cost of a request", "// cost of every request", 1), costs(1300, 6), costs(1300, 7),
	} {
		r.write("cmd/server/main.go", text)
		r.commit("step " + strconv.Itoa(i+1))
	}
	b, lines, err := r.find(t.Context(), good, "main", filepath.Join(t.TempDir(), "s"), &madeUp{noise: 0.02})
	if err != nil || b.Outcome != "found" || len(b.Culprits) != 1 || b.Culprits[0] != r.git("rev-parse", "main~1") {
		t.Errorf("%v: %s %v (%s)\n%s", err, b.Outcome, b.Culprits, b.Why, strings.Join(lines, "\n"))
	}
}

// TestGoesOn: a search that was stopped is gone on with, and one of something else is not.
func TestGoesOn(t *testing.T) {
	r := newRepository(t)
	good := r.git("rev-parse", "HEAD")
	for i := range 8 {
		r.write("cmd/server/main.go", costs(1000+200*(i/5), i))
		r.commit("step " + strconv.Itoa(i))
	}
	dir := filepath.Join(t.TempDir(), "s")
	ctx, stop := context.WithCancel(t.Context())
	_, _, err := r.find(ctx, good, "main", dir, &madeUp{noise: 0.02, fails: func(call int, _ float64) error {
		if call == 12 {
			stop()
		}
		return ctx.Err()
	}})
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Fatalf("stopped: %v", err)
	}
	again := &madeUp{noise: 0.02}
	b, lines, err := r.find(t.Context(), good, "main", dir, again)
	if err != nil || b.Outcome != "found" || b.Culprits[0] != r.git("rev-parse", "main~2") {
		t.Errorf("%v: %s %v\n%s", err, b.Outcome, b.Culprits, strings.Join(lines, "\n"))
	}
	if again.calls != 2*(b.Rounds-5) { // five rounds were whole
		t.Errorf("%d programs run for the %d rounds that were missing", again.calls, b.Rounds-5)
	}
	if _, _, err := r.find(t.Context(), good, "main~1", dir, &madeUp{}); err == nil || !strings.Contains(err.Error(), "another search") {
		t.Errorf("another search in the same folder: %v", err)
	}
	if _, _, err := r.find(t.Context(), good, "main", t.TempDir(), &madeUp{}); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Errorf("a folder of something else: %v", err)
	}
}

// TestFunctionsOfTheCommit: of the commit that is found the functions that changed are told, by rounds against the one
// before it, and are not measured again by a search that goes on.
func TestFunctionsOfTheCommit(t *testing.T) {
	r := newRepository(t)
	good := r.git("rev-parse", "HEAD")
	for i := range 5 {
		r.write("cmd/server/main.go", costs(1000+200*(i/3), i))
		r.commit("step " + strconv.Itoa(i))
	}
	dir := filepath.Join(t.TempDir(), "s")
	m := &madeUp{noise: 0.01, functions: true}
	b, lines, err := r.find(t.Context(), good, "main", dir, m)
	if err != nil || b.Outcome != "found" || b.FunctionsTested == nil || b.FunctionsTested.Rounds != functionRounds || m.profiled != 2*functionRounds {
		t.Fatalf("%v: %s, %+v of %d profiles\n%s", err, b.Outcome, b.FunctionsTested, m.profiled, strings.Join(lines, "\n"))
	}
	if len(b.Functions) != 1 || b.Functions[0].Function != "example.org/shop.price" || b.Functions[0].Verdict != "worse" {
		t.Errorf("functions %+v", b.Functions)
	}
	again := &madeUp{functions: true}
	if b, _, err = r.find(t.Context(), good, "main", dir, again); err != nil || len(b.Functions) != 1 || again.calls != 0 {
		t.Errorf("gone on with: %v, %+v, %d runs", err, b.Functions, again.calls)
	}
	// A commit that fails when it is profiled is still the one that was found.
	broken := &madeUp{noise: 0.01, functions: true}
	broken.fails = func(int, float64) error {
		if broken.profiled > 3 {
			return errors.New("it did not start")
		}
		return nil
	}
	b, _, err = r.find(t.Context(), good, "main", filepath.Join(t.TempDir(), "s"), broken)
	if err != nil || b.Outcome != "found" || b.FunctionsTested != nil || len(b.Warnings) != 1 || !strings.Contains(b.Warnings[0].Message, "did not start") {
		t.Errorf("broken: %v, %s, %+v, %+v", err, b.Outcome, b.FunctionsTested, b.Warnings)
	}
}

// TestMerges: what a merge brought is one step, and a good end on the branch is told.
func TestMerges(t *testing.T) {
	r := newRepository(t)
	good := r.git("rev-parse", "HEAD")
	r.git("switch", "-q", "-c", "side")
	r.write("cmd/server/main.go", costs(1500, 1))
	side := r.commit("on the side")
	r.write("cmd/server/more.go", "package main\n")
	r.commit("and more")
	r.git("switch", "-q", "main")
	r.write("docs.md", "words")
	r.commit("words")
	r.git("merge", "-q", "--no-ff", "-m", "bring it in", "side")
	r.write("cmd/server/other.go", "package main\n\nfunc init() { println2 = 1 }\n\nvar println2 int\n")
	r.commit("after it")
	b, lines, err := r.find(t.Context(), good, "main", filepath.Join(t.TempDir(), "s"), &madeUp{noise: 0.02})
	if err != nil || len(b.Culprits) != 1 || b.Culprits[0] != r.git("rev-parse", "main~1") || !b.Commits[1].Merge {
		t.Errorf("%v: %+v\n%s", err, b.Culprits, strings.Join(lines, "\n"))
	}
	for _, test := range []struct{ good, bad, want string }{
		{side, "main", "branch that was merged"},
		{"main", good, "newer"},
		{"main", "main", "same commit"},
		{"nowhere", "main", "no such commit"},
	} {
		if _, _, err := r.find(t.Context(), test.good, test.bad, filepath.Join(t.TempDir(), "x"), &madeUp{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s to %s: %v, want %q", test.good, test.bad, err, test.want)
		}
	}
	shallow := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "-q", "--depth", "1", "file://"+r.dir, shallow)
	if _, _, err := (&repository{t, shallow}).find(t.Context(), good, "HEAD", filepath.Join(t.TempDir(), "y"), &madeUp{}); err == nil || !strings.Contains(err.Error(), "unshallow") {
		t.Errorf("a shallow clone: %v", err)
	}
}
