package index

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

// sample is a run that has an end, a figure and a finding.
func sample(i int) unpark.Run {
	at := time.Date(2026, 3, 1, 12, i, 0, 0, time.UTC)
	return unpark.Run{
		ID: fmt.Sprintf("run-%d", i), Started: at, Target: unpark.Target{Package: "./cmd/shop", Module: "example.com/shop"},
		Plan:  unpark.Plan{Mode: unpark.Closed, Connections: 8, Requests: []unpark.Request{{Method: "GET", URL: fmt.Sprintf("http://127.0.0.1:%d/items", 1000+i)}}},
		Limit: unpark.Limit{Kind: unpark.LimitLock, Why: "a lock"},
		Findings: []unpark.Finding{{
			Class: unpark.ClassLock, Title: "requests queue", Site: unpark.Site{Function: "example.com/shop.(*Cache).Get"},
			Cost: unpark.Cost{WaitPerRequest: unpark.Measured(0.02, "s/req", 9)},
		}},
		Windows: []unpark.Window{{
			Start: at, End: at.Add(time.Second),
			Load: &unpark.Load{Requests: 900, AchievedRPS: 900, Response: unpark.Latency{P50: 0.001, P99: 0.01, N: 900}},
		}},
	}
}

func save(t *testing.T, dir string, r unpark.Run) {
	t.Helper()
	d, err := store.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Commit(r); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, root, file string) *Index {
	t.Helper()
	x, err := Open(context.Background(), root, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func refresh(t *testing.T, x *Index) bool {
	t.Helper()
	changed, err := x.Refresh(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func rows(t *testing.T, x *Index, q Query) []Row {
	t.Helper()
	out, err := x.Rows(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func paths(all []Row) string {
	var out []string
	for _, r := range all {
		out = append(out, r.Path+":"+r.Kind+":"+r.State)
	}
	return strings.Join(out, " ")
}

func notices(x *Index) string {
	var out []string
	for _, n := range x.Notices() {
		out = append(out, n.Code)
	}
	return strings.Join(out, " ")
}

func TestRows(t *testing.T) {
	root := t.TempDir()
	save(t, filepath.Join(root, "a"), sample(1))
	save(t, filepath.Join(root, "shop", "b"), sample(2))
	other := sample(3)
	other.Target.Module, other.Findings[0].Site.Function = "example.com/other", "example.com/other.under_score%"
	save(t, filepath.Join(root, "c"), other)
	file := filepath.Join(t.TempDir(), "x", "index.sqlite")
	x := open(t, root, file)
	if !refresh(t, x) || refresh(t, x) {
		t.Error("changes are told when there are none, or not when there are")
	}
	if got := paths(rows(t, x, Query{})); got != "c:run:whole shop/b:run:whole a:run:whole" {
		t.Errorf("rows %s", got)
	}
	if got := paths(rows(t, x, Query{Service: "example.com/shop ./cmd/shop", Limit: 1})); got != "shop/b:run:whole" {
		t.Errorf("of a service %s", got)
	}
	for _, tt := range []struct{ function, want string }{
		{"(*CACHE).get", "shop/b:run:whole a:run:whole"}, {"under_score%", "c:run:whole"}, {"underXscore", ""}, {"%", "c:run:whole"}, {`\`, ""}, {"'; DROP TABLE rows", ""},
	} {
		if got := paths(rows(t, x, Query{Function: tt.function})); got != tt.want {
			t.Errorf("with %q: %q, want %q", tt.function, got, tt.want)
		}
	}
	a := rows(t, x, Query{})[2]
	if a.Metrics["throughput"] != 900 || a.Findings[0].Cost != 0.02 || a.Findings[0].Unit != "s/req" || a.Load != "closed 8 · GET /items" || a.Limit != "lock" {
		t.Errorf("row %+v", a)
	}
	if b := rows(t, x, Query{Series: a.Series}); len(b) != 2 {
		t.Errorf("%d runs in a series of two: a port is no other load", len(b))
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the index is %v, %v", info.Mode(), err)
	}
}

// A directory that is new, changed or gone is so in the index after the next look, and in one that is opened later.
func TestRefresh(t *testing.T) {
	root, file := t.TempDir(), filepath.Join(t.TempDir(), "index.sqlite")
	save(t, filepath.Join(root, "a"), sample(1))
	x := open(t, root, file)
	refresh(t, x)
	save(t, filepath.Join(root, "b"), sample(2))
	write(t, filepath.Join(root, "a", "run.json"), "{")
	if !refresh(t, x) {
		t.Error("no change is told")
	}
	if got := rows(t, x, Query{}); paths(got) == "" || len(rows(t, x, Query{Function: "Cache"})) != 1 {
		t.Errorf("rows %s", paths(got))
	}
	if err := os.RemoveAll(filepath.Join(root, "a")); err != nil {
		t.Fatal(err)
	}
	later := open(t, root, file)
	if refresh(t, later); paths(rows(t, later, Query{})) != "b:run:whole" {
		t.Errorf("after a removal %s", paths(rows(t, later, Query{})))
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if _, err := later.Refresh(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "name the folder") {
		t.Errorf("of a folder that is gone: %v", err)
	}
	if got := paths(rows(t, later, Query{})); got != "b:run:whole" {
		t.Errorf("a folder that is gone for a while empties the index: %q", got)
	}
}

func TestStates(t *testing.T) {
	root := t.TempDir()
	void := sample(1)
	void.Void = []unpark.Notice{{Code: "lag", Message: "the generator lagged", Cure: "less"}}
	save(t, filepath.Join(root, "void"), void)
	for name, text := range map[string]string{
		"newer/run.json":       `{"schema":"unpark.run/v9"}`,
		"other/run.json":       `{"schema":"unpark.run/v1","windows":7}`,
		"noise/run.json":       "\x00\x01",
		"ab/ab.json":           `{"schema":"unpark.ab/v1","rounds":12,"effects":[{"metric":"p99","verdict":"better"},{"metric":"p50","verdict":"same"}]}`,
		"ab2/ab.json":          `{"schema":"unpark.ab/v2"}`,
		"going/rounds.jsonl":   "{}\n",
		"bi/bisect.json":       `{"schema":"unpark.bisect/v1","package":"./cmd/shop","outcome":"found","why":"abc did it"}`,
		"dead.partial/x":       "",
		"cut/run.json":         `{"schema":"unpark.run/v1",`,
		"none/readme.txt":      "no run",
		".git/run.json":        "hidden",
		"1/2/3/4/5/6/run.json": "too deep",
	} {
		write(t, filepath.Join(root, filepath.FromSlash(name)), text)
	}
	save(t, filepath.Join(root, "ab", "before"), sample(5))
	x := open(t, root, "")
	refresh(t, x)
	got := map[string]Row{}
	for _, r := range rows(t, x, Query{}) {
		got[r.Path] = r
	}
	for path, want := range map[string]string{
		"void": "run void the generator lagged", "newer": "run unreadable a newer one", "other": "run unreadable windows", "noise": "run unreadable read run.json: byte 1",
		"ab": "ab whole p99 better in 12 rounds", "ab/before": "run whole ", "ab2": "ab unreadable a newer one", "going": "ab partial not ended", "bi": "bisect whole abc did it",
		"dead.partial": "run unreadable neither run.json nor a profile", "cut": "run unreadable neither run.json",
	} {
		r, ok := got[path]
		kind, rest, _ := strings.Cut(want, " ")
		state, why, _ := strings.Cut(rest, " ")
		if !ok || r.Kind != kind || r.State != state || !strings.Contains(r.Why+r.Outcome, why) || r.Started.IsZero() && path != "dead.partial" && path != "cut" {
			t.Errorf("%s: %+v, want %s", path, r, want)
		}
		delete(got, path)
	}
	if len(got) > 0 {
		t.Errorf("more than there are: %v", got)
	}
	if p := rows(t, x, Query{Function: "Cache"}); len(p) != 2 || p[0].Parent != "ab" {
		t.Errorf("runs of an experiment: %+v", p)
	}
}

// What is no index is replaced and what cannot be used is worked around; runs are listed all the same.
func TestBrokenIndex(t *testing.T) {
	root := t.TempDir()
	save(t, filepath.Join(root, "a"), sample(1))
	for _, tt := range []struct {
		name   string
		spoil  func(t *testing.T, file string)
		notice string
	}{
		{"noise", func(t *testing.T, file string) { write(t, file, strings.Repeat("no database ", 500)) }, "index-replaced"},
		{"another layout", func(t *testing.T, file string) { direct(t, file, "PRAGMA user_version = 99") }, "index-replaced"},
		{"a folder", func(t *testing.T, file string) { os.MkdirAll(filepath.Join(file, "x"), 0o700) }, "index-in-memory"},
		{"sound", func(t *testing.T, file string) { x := open(t, root, file); refresh(t, x); x.Close() }, ""},
		{"a broken page", func(t *testing.T, file string) {
			x := open(t, root, file)
			refresh(t, x)
			x.Close()
			f, err := os.OpenFile(file, os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteAt([]byte(strings.Repeat("\xff", 4096)), 4096)
				f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}, "index-replaced"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "index.sqlite")
			tt.spoil(t, file)
			x := open(t, root, file)
			refresh(t, x)
			if got := paths(rows(t, x, Query{})); got != "a:run:whole" {
				t.Errorf("rows %s", got)
			}
			if got := notices(x); got != tt.notice {
				t.Errorf("notices %q, want %q", got, tt.notice)
			}
		})
	}
	if _, err := Open(context.Background(), filepath.Join(root, "nothing"), ""); err == nil || !strings.Contains(err.Error(), "name the folder") {
		t.Errorf("of no folder: %v", err)
	}
	if _, err := Open(context.Background(), filepath.Join(root, "a", "run.json"), ""); err == nil || !strings.Contains(err.Error(), "it is a file") {
		t.Errorf("of a file: %v", err)
	}
}

func direct(t *testing.T, file, command string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err == nil {
		_, err = db.Exec(command)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// An index that another process holds is left to it, before it is opened and afterwards.
func TestLocked(t *testing.T) {
	root, file := t.TempDir(), filepath.Join(t.TempDir(), "index.sqlite")
	save(t, filepath.Join(root, "a"), sample(1))
	x := open(t, root, file)
	refresh(t, x)
	holder := direct(t, file, "PRAGMA locking_mode = EXCLUSIVE")
	holder.SetMaxOpenConns(1)
	if _, err := holder.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	save(t, filepath.Join(root, "b"), sample(2))
	second := open(t, root, file)
	for _, x := range []*Index{x, second} {
		refresh(t, x)
		if got := paths(rows(t, x, Query{})); got != "b:run:whole a:run:whole" || notices(x) != "index-in-memory" {
			t.Errorf("rows %s, notices %q", got, notices(x))
		}
	}
}

func TestProgress(t *testing.T) {
	root := t.TempDir()
	for i := range batch + 1 {
		write(t, filepath.Join(root, fmt.Sprint(i), "run.json"), `{"schema":"unpark.run/v1","started":"2026-01-01T00:00:00Z"}`)
	}
	x := open(t, root, "")
	var told []string
	if _, err := x.Refresh(context.Background(), func(done, of int) { told = append(told, fmt.Sprint(done, "/", of)) }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(told, " "); got != "0/101 100/101 101/101" {
		t.Errorf("told %s", got)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Refresh(ended, nil); err == nil {
		t.Error("a refresh goes on after its end")
	}
}

// TestVerdictOfFunctions: an experiment in which functions alone are worse is not listed as one without a difference.
func TestVerdictOfFunctions(t *testing.T) {
	c := unpark.Comparison{Rounds: 8}
	if got := verdict(c); got != "no metric differs in 8 rounds" {
		t.Errorf("%q", got)
	}
	c.Functions = []unpark.FunctionChange{{Metric: "cpu_per_request", Verdict: "worse", Share: unpark.Measured(0.28, "ratio", 8), Change: unpark.Measured(0.00003, "s/req", 8)}}
	if got := verdict(c); got != "no metric differs, functions take more CPU in 8 rounds" {
		t.Errorf("%q", got)
	}
}
