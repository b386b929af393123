package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

func score(target string, measured float64) unpark.Score {
	return unpark.Score{
		Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Unpark: "v1", Target: target, Metric: "throughput",
		Class: unpark.ClassLock, Rule: "lock", Function: "a/b.(*C).Get",
		Predicted: unpark.Between(1.5, 1.4, 1.7, "ratio", 0), Measured: unpark.Between(measured, measured, measured, "ratio", 20),
		Inside: measured >= 1.4 && measured <= 1.7,
	}
}

func TestScoresReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "er", "scorecard.jsonl")
	if err := store.AppendScore(path, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Scores(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without scores the file is made: %v", err)
	}
	for i := range 3 {
		if err := store.AppendScore(path, []unpark.Score{score("a", 1.5), score(fmt.Sprint("b\n", i), 2)}); err != nil {
			t.Fatal(err)
		}
	}
	got, notices, err := store.Scores(path)
	if err != nil || len(got) != 6 || len(notices) != 0 || got[5] != score("b\n2", 2) || got[0] != score("a", 1.5) {
		t.Errorf("%+v, %v, %v", got, notices, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestScoresAtOnce: what many append at the same time stays whole, without a lock.
func TestScoresAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scorecard.jsonl")
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for range 20 {
				if err := store.AppendScore(path, []unpark.Score{score(strings.Repeat("x", 100*i), 1.5), score("last", 1.5)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	got, notices, err := store.Scores(path)
	if err != nil || len(got) != 16*20*2 || len(notices) != 0 {
		t.Errorf("%d scores, %v, %v", len(got), notices, err)
	}
}

// TestCutScores: a line that a crash cut short costs itself and no other, also when
// more is appended later.
func TestCutScores(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scorecard.jsonl")
	line, err := json.Marshal(score("a", 1.5))
	if err != nil {
		t.Fatal(err)
	}
	text := string(line) + "\n\n" + string(line[:len(line)/2])
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, notices, err := store.Scores(path)
	if err != nil || len(got) != 1 || len(notices) != 1 || !strings.Contains(notices[0].Message, "scorecard.jsonl:3 is no score") {
		t.Errorf("%d scores, %v, %v", len(got), notices, err)
	}
	if err := store.AppendScore(path, []unpark.Score{score("b", 1.5)}); err != nil {
		t.Fatal(err)
	}
	if got, notices, err = store.Scores(path); err != nil || len(got) != 2 || len(notices) != 1 || got[1].Target != "b" {
		t.Errorf("%+v, %v, %v", got, notices, err)
	}
}

func TestScoresOfAFolder(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"scorecard.jsonl", "lab/scorecard.jsonl", "lab/other.jsonl"} {
		if err := store.AppendScore(filepath.Join(dir, name), []unpark.Score{score(fmt.Sprint(i), 1.5)}); err != nil {
			t.Fatal(err)
		}
	}
	got, _, err := store.Scores(dir)
	if err != nil || len(got) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, _, err := store.Scores(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestScoresOfNoScorecard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(strings.Repeat("hello\n", 20)+"null\n{}\n[]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, notices, err := store.Scores(path)
	if err != nil || len(got) != 0 || len(notices) != 6 || !strings.Contains(notices[5].Message, "18 more lines") {
		t.Errorf("%+v, %v, %v", got, notices, err)
	}
	blocked := filepath.Join(path, "scorecard.jsonl")
	if err := store.AppendScore(blocked, []unpark.Score{score("a", 1.5)}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("below a file: %v", err)
	}
}

func TestScorecardPath(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/data")
	if got, err := store.ScorecardPath(); err != nil || got != "/data/unpark/scorecard.jsonl" {
		t.Errorf("%s, %v", got, err)
	}
	t.Setenv("XDG_DATA_HOME", "relative")
	t.Setenv("HOME", "/users/u")
	if got, err := store.ScorecardPath(); err != nil || got != "/users/u/.local/share/unpark/scorecard.jsonl" {
		t.Errorf("%s, %v", got, err)
	}
}

// FuzzScores: no file makes it panic, and every score that it yields can be judged.
func FuzzScores(f *testing.F) {
	line, err := json.Marshal(score("a", 1.5))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(line, '\n'))
	f.Add(line[:40])
	f.Add([]byte(`{"metric":"p99","predicted":{"value":1,"low":2,"high":1},"measured":{"value":1}}` + "\n\x00\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "scorecard.jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got, _, err := store.Scores(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range got {
			if !s.Judgeable() {
				t.Errorf("%+v", s)
			}
		}
	})
}
