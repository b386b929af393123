//go:build linux

package prove

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/rota"
)

const testOfPrice = `package main

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

func TestPrice(t *testing.T) {
	if Price("/price/1") != worked("/price/1") {
		t.Error("another price")
	}
}

func TestNow(t *testing.T) {
	if now() == "" {
		t.Error("no time")
	}
}

func worked(path string) string {
	sum := sha256.Sum256([]byte(path))
	for range 200 {
		sum = sha256.Sum256(sum[:])
	}
	return fmt.Sprintf("%x", sum[:8])
}
`

// change is what an agent does to the tree after: old and new text of main.go, and files (empty: deleted).
type change struct {
	name     string
	old, new string
	files    map[string]string
	plan     func(*unpark.Plan)
	want     string // code of the first reason; empty: nothing is refused
	says     string // part of its message
}

func cheats() []change {
	return []change{
		{name: "an honest change", old: "sum := sha256", new: "// The same.\n\tsum := sha256"},
		{name: "no change", want: "same-tree"},
		{name: "drops the work", old: "range 200", new: "range 1", files: map[string]string{"main_test.go": ""}, want: "tests", says: "TestPrice"},
		{
			name: "skips the tests by a TestMain", old: "range 200", new: "range 1", want: "tests", says: "TestPrice",
			files: map[string]string{"skip_test.go": "package main\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n"},
		},
		{
			name: "skips the tests from inside", want: "tests", says: "2 tests",
			files: map[string]string{"skip.go": "package main\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc init() {\n\tif testing.Testing() {\n\t\tos.Exit(0)\n\t}\n}\n"},
		},
		{name: "drops the work where no test looks", old: "Price(r.URL.Path), counted()", new: "Price(\"/price/1\"), counted()", want: "answers", says: "$.price: before"},
		{
			name: "drops the work beside others", want: "answers", says: "beside others",
			old: "Price(r.URL.Path), counted(), now())", new: "beside(r.URL.Path), counted(), now())",
			files: map[string]string{"beside.go": "package main\n\nimport (\n\t\"sync/atomic\"\n\t\"time\"\n)\n\nvar inside atomic.Int32\n\nfunc beside(path string) string {\n\tdefer inside.Add(-1)\n\tif inside.Add(1) > 1 {\n\t\treturn \"0000000000000000\"\n\t}\n\ttime.Sleep(time.Millisecond)\n\treturn Price(path)\n}\n"},
		},
		{name: "keeps over a write", old: "defer mu.Unlock()\n\treturn count", new: "defer mu.Unlock()\n\treturn 0 * count", want: "answers", says: "(after a write)"},
		{name: "keeps a time", old: `return time.Now().UTC().Format("15:04:05.000000000") }`, new: "once.Do(func() { kept = time.Now().UTC().Format(\"15:04:05.000000000\") }); return kept }\n\nvar (\n\tonce sync.Once\n\tkept string\n)", want: "answers", says: "it is kept"},
		{name: "lowers the rate", plan: func(p *unpark.Plan) { p.RateRPS = 5 }, want: "weaker-load", says: "the rate is 5 req/s, and 50 req/s in the run before"},
		{name: "asks for less", plan: func(p *unpark.Plan) { p.Requests = p.Requests[:1] }, want: "weaker-load", says: "is not requested"},
		{
			name: "builds from elsewhere", want: "outside", says: "outside of it",
			old: "import (", new: "import (\n\t_ \"example.com/other\"",
			files: map[string]string{"go.mod": "module example.com/tiny\n\ngo 1.22\n\nrequire example.com/other v0.0.0\n\nreplace example.com/other => OTHER\n"},
		},
		{name: "a link to elsewhere", want: "outside", says: "is a link to", files: map[string]string{"data": "-> /etc/hostname"}},
		{name: "does not build", old: "func main() {", new: "func main() { x", want: "build"},
		{name: "does not start", old: "func main() {", new: "func main() {\n\tif true {\n\t\tpanic(\"no\")\n\t}", want: "answers", says: "panic: no"},
	}
}

// TestCheats: what is no improvement is refused for what it is, before anything is measured. Each has its day.
func TestCheats(t *testing.T) {
	t.Parallel()
	for i, c := range cheats() {
		if !rota.Long(i%4, 4) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			proof := c.prove(t, nil)
			switch {
			case c.want == "" && len(proof.Reasons) == 1 && proof.Reasons[0].Code == "same":
			case c.want == "" || len(proof.Reasons) == 0 || proof.Reasons[0].Code != c.want || !strings.Contains(proof.Reasons[0].Message, c.says):
				t.Errorf("%s: %q, want %s with %q", proof.Verdict, proof.Reasons, c.want, c.says)
			case proof.Verdict != unpark.VerdictRefused || proof.Rounds.File != "":
				t.Errorf("the verdict is %s, after %+v", proof.Verdict, proof.Rounds)
			}
		})
	}
}

// TestTreeChanges: a tree that changes while it is measured is refused.
func TestTreeChanges(t *testing.T) {
	t.Parallel()
	if !rota.Long(2, 4) {
		t.Skip("builds a service twice, and asks it")
	}
	c := cheats()[0]
	proof := c.prove(t, func(dir string) {
		if err := os.WriteFile(filepath.Join(dir, "more.go"), []byte("package main\n"), 0o600); err != nil {
			t.Error(err)
		}
	})
	if proof.Verdict != unpark.VerdictRefused || proof.Reasons[0].Code != "changed" {
		t.Errorf("%s: %+v", proof.Verdict, proof.Reasons)
	}
}

// prove makes both trees and proves the change; nothing is measured. meanwhile gets the folder of the tree after.
func (c change) prove(t *testing.T, meanwhile func(dir string)) unpark.Proof {
	t.Helper()
	root := t.TempDir()
	before, after := filepath.Join(root, "before"), filepath.Join(root, "after")
	text, err := os.ReadFile(filepath.Join("testdata", "service.txt"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"main.go": string(text), "go.mod": "module example.com/tiny\n\ngo 1.22\n", "main_test.go": testOfPrice}
	lay(t, before, files)
	files["main.go"] = strings.Replace(files["main.go"], c.old, c.new, 1)
	for name, text := range c.files {
		files[name] = strings.ReplaceAll(text, "OTHER", filepath.Join(root, "other"))
	}
	if c.plan != nil {
		files["main.go"] = string(text) + "\n// The same.\n"
	}
	lay(t, after, files)
	lay(t, filepath.Join(root, "other"), map[string]string{"go.mod": "module example.com/other\n\ngo 1.22\n", "other.go": "package other\n"})
	s, err := Open(t.Context(), Spec{Dir: root, Before: "./before", After: "./after"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	config := c.config(filepath.Join(root, "result"))
	config.measure = func(context.Context, ab.Config) (ab.Outcome, error) {
		if meanwhile != nil {
			meanwhile(after)
		}
		return nothing(config.Dir)
	}
	proof, err := s.Prove(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := Read(config.Dir); err != nil || back.Verdict != proof.Verdict || back.After.Hash != s.After.Hash {
		t.Errorf("what was written is %+v, %v", back, err)
	}
	return proof
}

// nothing stands for rounds that show nothing.
func nothing(dir string) (ab.Outcome, error) {
	out := ab.Outcome{Dir: filepath.Join(dir, roundsFolder), Comparison: unpark.Comparison{Rounds: 1}}
	err := errors.Join(os.Mkdir(out.Dir, 0o700), os.WriteFile(filepath.Join(out.Dir, ab.File), []byte("{}"), 0o600))
	return out, err
}

func (c change) config(dir string) Config {
	requests := func(base string) []unpark.Request {
		return []unpark.Request{
			{Method: http.MethodGet, URL: base + "/price/1", Weight: 9},
			{Method: http.MethodGet, URL: base + "/price/2", Weight: 9},
			{Method: http.MethodPost, URL: base + "/count"},
		}
	}
	plan := unpark.Plan{Mode: unpark.Constant, RateRPS: 50, Connections: 4, Duration: 1, Warmup: 0.1, Timeout: 10, Seed: 1}
	held := plan
	prepare := func(weaken func(*unpark.Plan)) func(context.Context, string, unpark.Plan) (unpark.Plan, error) {
		return func(_ context.Context, base string, plan unpark.Plan) (unpark.Plan, error) {
			plan.Requests = requests(base)
			if weaken != nil {
				weaken(&plan)
			}
			return plan, nil
		}
	}
	run := investigate.Defaults()
	run.Plan, run.Prepare = plan, prepare(c.plan)
	return Config{
		Measure: ab.Config{Run: run, Rounds: 1}, Package: ".", Tests: []string{"go", "test", "./..."}, Dir: dir,
		Held: []Held{{Name: "the run before", Plan: held, Prepare: prepare(nil)}},
	}
}

// lay writes files; "-> target" is a link.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		switch target, link := strings.CutPrefix(text, "-> "); {
		case err != nil || text == "":
		case link:
			err = os.Symlink(target, path)
		default:
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
