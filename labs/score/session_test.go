package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
)

// answers is what a script in unpark's place writes, one run after the other; nil
// is one that fails, and after the last it hangs.
type answers []*unpark.Run

// acted returns a session whose unpark gives these answers.
func acted(t *testing.T, work string, given answers, resume bool) (*session, plan, *bytes.Buffer) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	bin := filepath.Join(work, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	script := `#!/bin/sh
cd "` + work + `"
n=$(($(cat n 2>/dev/null || echo 0) + 1))
echo $n > n
while [ "$1" != --out ]; do shift; done
[ -e "given-$n" ] || exec sleep 600
[ -s "given-$n" ] || { echo no port >&2; exit 1; }
mkdir -p "$2/window-01" && cp "given-$n" "$2/run.json" && ! grep -q '"code": *"generator"' "$2/run.json" || exit 4
`
	lab := expect.Lab{Name: "shop", Package: "./labs/shop", Arms: map[string]expect.Arm{
		"only": {Limit: []unpark.LimitKind{unpark.LimitLock}, Path: "/"},
	}}
	write := func(file, text string) {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(bin, "unpark"), script)
	write(filepath.Join(bin, "shop"), "")
	write(filepath.Join(work, "n"), "0")
	for i, run := range given {
		data := []byte{}
		if run != nil {
			var err error
			if data, err = json.Marshal(run); err != nil {
				t.Fatal(err)
			}
		}
		write(filepath.Join(work, fmt.Sprintf("given-%d", i+1)), string(data))
	}
	o := options{repeats: 2, work: work, Settings: arms.Settings{Window: time.Second, Most: time.Minute}}
	j, err := openJournal(filepath.Join(work, "journal.jsonl"), resume)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	var log bytes.Buffer
	return &session{options: o, bench: arms.Open(work, bin), journal: j, log: &log}, schedule([]expect.Lab{lab}, o), &log
}

func bound(limit unpark.LimitKind, void bool, warnings ...string) *unpark.Run {
	run := loaded(1, 1, limit)
	if void {
		run.Void = []unpark.Notice{{Code: "generator"}}
	}
	for _, code := range warnings {
		run.Warnings = append(run.Warnings, unpark.Notice{Code: code})
	}
	return run
}

// A run that is no answer is repeated once, and a wrong answer is not.
func TestSession(t *testing.T) {
	good, wrong, void, busy := bound(unpark.LimitLock, false), bound(unpark.LimitCPU, false), bound(unpark.LimitLock, true), bound(unpark.LimitLock, false, "busy-host")
	for name, tt := range map[string]struct {
		given answers
		want  string // of each repeat: tries, and right, wrong or failed
	}{
		"right":               {answers{good, good}, "1 right, 1 right"},
		"wrong stays wrong":   {answers{wrong, good}, "1 wrong, 1 right"},
		"void once":           {answers{void, good, good}, "2 right, 1 right"},
		"void twice":          {answers{void, void, good}, "2 wrong, 1 right"},
		"disturbed":           {answers{busy, good, good}, "2 right, 1 right"},
		"disturbed and wrong": {answers{busy, wrong, good}, "2 wrong, 1 right"},
		"fails":               {answers{nil, good}, "1 failed, 1 right"},
	} {
		t.Run(name, func(t *testing.T) {
			s, p, log := acted(t, t.TempDir(), tt.given, false)
			outcomes, err := s.carryOut(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, o := range outcomes {
				word := "failed"
				if o.run != nil {
					word = map[bool]string{true: "right", false: "wrong"}[p[i].arm.Judge(*o.run).Right()]
					kept := exists(filepath.Join(o.Dir, "window-01"))
					if kept == (word == "right") {
						t.Errorf("repeat %d is %s, its files are kept: %t", o.Repeat, word, kept)
					}
				}
				got = append(got, fmt.Sprint(o.Tries, " ", word))
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("%s, want %s\n%s", got, tt.want, log)
			}
		})
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// What was done before an interruption is there, and is not done again.
func TestResume(t *testing.T) {
	good := bound(unpark.LimitLock, false)
	work := t.TempDir()
	s, p, _ := acted(t, work, answers{good}, false)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ; !exists(filepath.Join(work, "n")) || !hangs(work); time.Sleep(5 * time.Millisecond) {
			if ctx.Err() != nil {
				return
			}
		}
		cancel()
	}()
	outcomes, err := s.carryOut(ctx, p)
	if !errors.Is(err, context.Canceled) || len(outcomes) != 1 {
		t.Fatalf("interrupted with %d outcomes: %v", len(outcomes), err)
	}
	if b := tally([]expect.Lab{p[0].lab}, p, outcomes); b.totals().unfinished != 1 || b.right() {
		t.Errorf("the board of half of it: %+v", b.totals())
	}
	if err := os.MkdirAll(filepath.Join(work, "runs", "shop-only-2.partial"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, p, log := acted(t, work, answers{good}, true)
	outcomes, err = s.carryOut(t.Context(), p)
	if err != nil || len(outcomes) != 2 || outcomes[1].run == nil {
		t.Fatalf("resumed with %+v: %v", outcomes, err)
	}
	if strings.Contains(log.String(), "#1") || !strings.Contains(log.String(), "shop/only #2") || exists(filepath.Join(work, "runs", "shop-only-2.partial")) {
		t.Errorf("it said %q", log)
	}
}

// hangs reports that the script was called a second time.
func hangs(work string) bool {
	n, err := os.ReadFile(filepath.Join(work, "n"))
	return err == nil && strings.TrimSpace(string(n)) == "2"
}
