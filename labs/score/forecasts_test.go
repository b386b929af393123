package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
)

// play is what a script in unpark's place answers to `run` and to `ab`, each time the
// same.
type play struct {
	run    *unpark.Run
	rounds *unpark.Comparison // nil: no round counts
}

// rehearsed returns a session with such an unpark.
func rehearsed(t *testing.T, work string, p play, resume bool) (*session, *bytes.Buffer) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	bin := filepath.Join(work, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, document := range map[string]any{"run.json": p.run, "ab.json": p.rounds} {
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := `#!/bin/sh
cd "` + work + `"
echo "$@" >> said
file=$1.json
while [ "$1" != --out ]; do shift; done
grep -q '^null' $file && { echo no round counts >&2; exit 4; }
mkdir -p "$2" && cp $file "$2/"
`
	for name, text := range map[string]string{"unpark": script, "shop": ""} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	o := options{
		forecasts: true, work: work, Settings: arms.Settings{Window: 8 * time.Second, Most: time.Minute},
		length: arms.Length{Rounds: 5, Duration: 4 * time.Second, Warmup: time.Second, Most: time.Minute},
	}
	j, err := openJournal(filepath.Join(work, "journal.jsonl"), resume)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	var log bytes.Buffer
	return &session{options: o, bench: arms.Open(work, bin), journal: j, log: &log}, &log
}

// measuredAs is a comparison whose throughput changed by a factor.
func measuredAs(ratio float64) *unpark.Comparison {
	return &unpark.Comparison{Schema: unpark.SchemaAB, Rounds: 5, Effects: []unpark.Effect{
		{Metric: "p99", Ratio: unpark.Between(0.3, 0.2, 0.4, "ratio", 5)},
		{Metric: "throughput", Ratio: unpark.Between(ratio, ratio-0.5, ratio+0.5, "ratio", 5)},
	}}
}

// A forecast of × 4, from 2 to 5, of throughput, and none of p99.
func TestJudge(t *testing.T) {
	disturbed, silent, empty := slowRun(), slowRun(), slowRun()
	disturbed.Warnings = []unpark.Notice{{Code: "busy-host"}}
	silent.Findings[0].Prediction = unpark.Prediction{Assumptions: []string{"no load was measured"}}
	empty.Findings = nil
	for name, tt := range map[string]struct {
		play  play
		says  string
		calls string // of unpark, a word each
		right bool
	}{
		"inside":        {play{slowRun(), measuredAs(3)}, "throughput ×3 (2.5–3.5) of ×4 (2–5) inside; p99 ×0.3 (0.2–0.4) of ~ not forecast", "run ab", true},
		"outside":       {play{slowRun(), measuredAs(8)}, "throughput ×8 (7.5–8.5) of ×4 (2–5) outside", "run ab", false},
		"no round":      {play{slowRun(), nil}, "not judged: no outcome: unpark ab ended with status 4: no round counts", "run ab ab", false},
		"disturbed":     {play{disturbed, measuredAs(3)}, "something else had the processors", "run run", false},
		"abstains":      {play{silent, measuredAs(3)}, "not judged: the finding abstains: no load was measured", "run", true},
		"nothing found": {play{empty, measuredAs(3)}, "not judged: no finding is lock waiter shop", "run", true},
		"other metrics": {play{slowRun(), &unpark.Comparison{}}, "throughput ~ of ×4 (2–5) not measured", "run ab", true},
		"no run at all": {play{nil, nil}, "not judged: no forecast: read what unpark wrote", "run", false},
	} {
		t.Run(name, func(t *testing.T) {
			work := t.TempDir()
			s, log := rehearsed(t, work, tt.play, false)
			steps := trials([]expect.Lab{shop()}, 1, nil)
			done, err := s.judge(t.Context(), steps)
			if err != nil || len(done) != 1 || !strings.Contains(log.String(), tt.says) {
				t.Errorf("%v, %s, want %s", err, log, tt.says)
			}
			if got := called(t, work); got != tt.calls {
				t.Errorf("called %s, want %s", got, tt.calls)
			}
			if c := (card{planned: 1, tried: done}); c.right() != tt.right {
				t.Errorf("right: %t", c.right())
			}
		})
	}
}

// called is which subcommands there were.
func called(t *testing.T, work string) string {
	t.Helper()
	said, err := os.ReadFile(filepath.Join(work, "said"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for line := range strings.Lines(string(said)) {
		word, _, _ := strings.Cut(line, " ")
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Steps from one arm share its run, and what was done before an interruption is
// there.
func TestJudgeResumes(t *testing.T) {
	lab := shop()
	lab.Arms["best"] = lab.Arms["fixed"]
	lab.Steps = append(lab.Steps, expect.Step{Before: "slow", After: "best", Finding: lab.Steps[0].Finding})
	steps, work := trials([]expect.Lab{lab}, 1, nil), t.TempDir()
	s, _ := rehearsed(t, work, play{slowRun(), measuredAs(3)}, false)
	if done, err := s.judge(t.Context(), steps[:1]); err != nil || len(done) != 1 {
		t.Fatal(done, err)
	}
	s.journal.close()
	for range 2 {
		s, _ = rehearsed(t, work, play{slowRun(), measuredAs(3)}, true)
		done, err := s.judge(t.Context(), steps)
		if err != nil || len(done) != 2 || len((card{tried: done}).scores()) != 2 {
			t.Fatal(done, err)
		}
		if got := called(t, work); got != "run ab ab" {
			t.Errorf("called %s", got)
		}
		s.journal.close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, _ = rehearsed(t, t.TempDir(), play{slowRun(), measuredAs(3)}, false)
	if done, err := s.judge(ctx, steps); !errors.Is(err, context.Canceled) || len(done) != 0 {
		t.Errorf("interrupted with %d: %v", len(done), err)
	}
}

// The whole page of a card.
func TestCardPage(t *testing.T) {
	step := shop().Steps[0]
	of := func(repeat int, outcome unpark.Quantity) tried {
		run := slowRun()
		run.Started = time.Date(2026, 1, repeat, 3, 4, 5, 0, time.UTC)
		out := tried{trial: trial{shop(), step, repeat}, run: run, forecasts: step.Promises(*run)}
		out.forecasts[0] = expect.Came(out.forecasts[0], outcome)
		return out
	}
	c := card{
		planned: 5, commit: "abc", Settings: arms.Settings{Window: 8 * time.Second, Warmup: time.Second, Trace: time.Second},
		length: arms.Length{Rounds: 5, Duration: 4 * time.Second, Warmup: time.Second},
	}
	c.tried = []tried{
		of(1, unpark.Between(3, 2.8, 3.2, "ratio", 5)), of(2, unpark.Between(5.5, 4.9, 6, "ratio", 5)), of(3, unpark.Between(8, 7, 9, "ratio", 5)),
		{trial: trial{shop(), step, 4}, left: "the finding abstains"},
	}
	var page, text bytes.Buffer
	if err := errors.Join(c.page(&page), c.text(&text)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 of 3 outcomes", "Of 2 outcomes that are outside, the interval of 1 reaches", "shop/slow → fixed #4: the finding abstains", "1 steps were not carried out"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	file := filepath.Join("testdata", "scorecard.md")
	if *update {
		if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || page.String() != string(want) {
		t.Errorf("%v: the page differs from %s (-update writes it):\n%s", err, file, page.String())
	}
	if c.right() {
		t.Error("the card is right")
	}
}

func TestTrials(t *testing.T) {
	var b strings.Builder
	list(&b, trials([]expect.Lab{shop()}, 2, nil))
	if got, want := b.String(), "shop/slow → fixed #1\nshop/slow → fixed #2\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
