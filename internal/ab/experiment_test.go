package ab

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/turns"
)

// arms are services whose rounds are made up: by command, the CPU per request.
type arms struct {
	cost   map[string]float64
	before func(call int, command string) (void bool, err error)
	calls  []string
	chance *rand.Rand
	stick  *madeUp // nil: no yardstick can be started
}

// timed returns a run of one second at 1000 req/s with a noise of 3 %; with a
// yardstick the machine's speed varies by 6 % beside that.
func (a *arms) timed(_ context.Context, c investigate.Config, _ bool, beside investigate.Beside) (unpark.Run, bool, error) {
	command := c.Command[0]
	a.calls = append(a.calls, command)
	run := unpark.Run{ID: command}
	if a.before != nil {
		void, err := a.before(len(a.calls), command)
		if err != nil {
			return run, false, err
		}
		if void {
			run.Void = []unpark.Notice{{Code: "generator-late", Message: "the generator was late", Cure: "lower the rate"}}
		}
	}
	noise := func() float64 { return math.Exp(0.03 * a.chance.NormFloat64()) }
	slow := 1.0
	if a.stick != nil {
		slow = math.Exp(0.06 * a.chance.NormFloat64())
		a.stick.slow = slow
	}
	start := time.Unix(0, 0)
	rps := 1000 * noise()
	beside.Begin([]int{0, 1}, time.Second)
	run.Windows = []unpark.Window{{
		Start: start, End: start.Add(time.Second),
		Load: &unpark.Load{
			AchievedRPS: rps, Requests: int64(rps),
			Response: unpark.Latency{P50: 0.001 * noise(), P99: 0.01 * noise(), N: int64(rps)},
		},
		Processes: []unpark.Process{{Cores: unpark.Num(a.cost[command] * rps * slow * noise())}},
	}}
	beside.End(run.Windows[0])
	return run, false, nil
}

// trial makes an experiment with made-up rounds and carries out its rounds.
func trial(t *testing.T, ctx context.Context, a *arms, c Config) (Outcome, error) {
	t.Helper()
	a.chance = rand.New(rand.NewPCG(7, 7))
	if a.cost == nil {
		a.cost = map[string]float64{"old": 100e-6, "new": 100e-6}
	}
	c.Before, c.After = turns.Arm{Command: []string{"old"}}, turns.Arm{Command: []string{"new"}}
	c.Dir, c.Seed = filepath.Join(t.TempDir(), "ab"), 3
	c.Run.Plan = unpark.Plan{Mode: unpark.Closed, Connections: 1, Duration: 1}
	e := newExperiment(c)
	e.turns.Timed, e.turns.Yardstick = a.timed, a.stick.start
	if err := e.build(ctx); err != nil {
		t.Fatal(err)
	}
	var err error
	if e.out, err = newFolder(c.Dir); err != nil {
		t.Fatal(err)
	}
	return e.conclude(e.rounds(ctx))
}

func verdicts(c unpark.Comparison) map[string]string {
	out := map[string]string{}
	for _, e := range c.Effects {
		out[e.Metric] = e.Verdict
	}
	return out
}

func codes(notices []unpark.Notice) string {
	var out []string
	for _, n := range notices {
		out = append(out, n.Code)
		if n.Message == "" || n.Cure == "" {
			out = append(out, "(incomplete)")
		}
	}
	return strings.Join(out, " ")
}

func TestFindsAChange(t *testing.T) {
	a := &arms{cost: map[string]float64{"old": 100e-6, "new": 120e-6}}
	out, err := trial(t, t.Context(), a, Config{Identical: 3})
	if err != nil {
		t.Fatal(err)
	}
	v := verdicts(out.Comparison)
	if v["cpu_per_request"] != "worse" || v["throughput"] != "same" || v["p99"] != "same" {
		t.Errorf("verdicts %v after %d rounds", v, out.Comparison.Rounds)
	}
	if n, usual := out.Comparison.Rounds, 11; n < usual || n > 20 {
		t.Errorf("%d rounds", n)
	}
	if out.Comparison.Floor["cpu_per_request"].Value.Or(1) > 0.1 {
		t.Errorf("floor %+v", out.Comparison.Floor)
	}
	// Both arms as often, and the three rounds of identical ones.
	count := map[string]int{}
	for _, c := range a.calls {
		count[c]++
	}
	if count["new"] != out.Comparison.Rounds || count["old"] != out.Comparison.Rounds+6 {
		t.Errorf("runs %v in %d rounds", count, out.Comparison.Rounds)
	}
}

func TestOrder(t *testing.T) {
	order := func() (first []bool, identical []int) {
		a := &arms{}
		out, err := trial(t, t.Context(), a, Config{Rounds: 12, Identical: 3})
		if err != nil {
			t.Fatal(err)
		}
		for i, tr := range out.Trials {
			if tr.Identical {
				identical = append(identical, i)
			} else {
				first = append(first, tr.AfterFirst)
			}
		}
		return first, identical
	}
	first, identical := order()
	again, _ := order()
	if !slices.Equal(first, again) {
		t.Error("one seed gives two orders")
	}
	if !slices.Contains(first, true) || !slices.Contains(first, false) || len(first) != 12 {
		t.Errorf("order %v", first)
	}
	if !slices.Equal(identical, []int{1, 5, 9}) {
		t.Errorf("identical rounds at %v, want them spread", identical)
	}
}

func TestIdenticalArms(t *testing.T) {
	out, err := trial(t, t.Context(), &arms{}, Config{Rounds: 12, Identical: 3})
	if err != nil {
		t.Fatal(err)
	}
	for metric, v := range verdicts(out.Comparison) {
		if v != "same" {
			t.Errorf("%s is %s", metric, v)
		}
	}
}

func TestVoidRounds(t *testing.T) {
	// The third call is void, and its repetition is not.
	once := &arms{before: func(call int, _ string) (bool, error) { return call == 3, nil }}
	out, err := trial(t, t.Context(), once, Config{Rounds: 3})
	if err != nil || out.Comparison.Rounds != 3 || strings.Contains(codes(out.Comparison.Warnings), "left-out") {
		t.Errorf("%d rounds, %v, %s", out.Comparison.Rounds, err, codes(out.Comparison.Warnings))
	}
	// The second round is void twice.
	twice := &arms{before: func(call int, _ string) (bool, error) { return call == 3 || call == 4, nil }}
	out, err = trial(t, t.Context(), twice, Config{Rounds: 3})
	if err != nil || out.Comparison.Rounds != 3 || !strings.Contains(codes(out.Comparison.Warnings), "round-left-out") {
		t.Errorf("%d rounds, %v, %s", out.Comparison.Rounds, err, codes(out.Comparison.Warnings))
	}
	// All of them are.
	always := &arms{before: func(int, string) (bool, error) { return true, nil }}
	out, err = trial(t, t.Context(), always, Config{Rounds: 3})
	if err != nil || out.Comparison.Rounds != 0 || !strings.Contains(out.Void, "the generator was late: lower the rate") {
		t.Errorf("%d rounds, %v, void %q", out.Comparison.Rounds, err, out.Void)
	}
	if len(always.calls) != leftOutMost*turns.Attempts {
		t.Errorf("%d runs", len(always.calls))
	}
}

func TestCrash(t *testing.T) {
	crash := &arms{before: func(call int, command string) (bool, error) {
		if call > 4 && command == "new" {
			return false, errors.New("the target died under load: exit status 3")
		}
		return false, nil
	}}
	out, err := trial(t, t.Context(), crash, Config{Rounds: 10})
	if err == nil || !strings.Contains(err.Error(), "round 3 failed twice: the arm after: the target died") {
		t.Fatalf("got %v", err)
	}
	if out.Comparison.Rounds != 2 || !strings.Contains(codes(out.Comparison.Warnings), "ended-early") {
		t.Errorf("%d rounds, %s", out.Comparison.Rounds, codes(out.Comparison.Warnings))
	}
	for _, name := range []string{File, investigate.ReportFile, roundsFile} {
		info, err := os.Stat(filepath.Join(out.Dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	b, err := os.ReadFile(filepath.Join(out.Dir, File))
	var saved unpark.Comparison
	if err == nil {
		err = json.Unmarshal(b, &saved)
	}
	if err != nil || saved.Schema != unpark.SchemaAB || saved.Rounds != 2 {
		t.Errorf("saved %+v, %v", saved, err)
	}
	checkLines(t, filepath.Join(out.Dir, roundsFile), len(crash.calls))
}

// checkLines reads every line of a rounds file.
func checkLines(t *testing.T, name string, want int) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if len(lines) != want {
		t.Errorf("%d lines of %d runs", len(lines), want)
	}
	for _, line := range lines {
		var s sampleLine
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if (s.Error == "") != (s.Sample["throughput"] > 0) || s.Seed != 3 || s.Round < 1 || s.Arm == "" {
			t.Errorf("line %s", line)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := &arms{}
	a.before = func(call int, _ string) (bool, error) {
		if call == 6 {
			cancel()
			return false, ctx.Err()
		}
		return false, nil
	}
	out, err := trial(t, ctx, a, Config{Rounds: 10})
	if err == nil || out.Comparison.Rounds != 2 || len(a.calls) != 6 {
		t.Errorf("%d rounds, %d runs, %v", out.Comparison.Rounds, len(a.calls), err)
	}
}

func TestBudget(t *testing.T) {
	var said []string
	c := Config{Budget: time.Millisecond, Progress: func(e Event) { said = append(said, e.Line) }}
	out, err := trial(t, t.Context(), &arms{}, c)
	if err == nil || !strings.Contains(err.Error(), "not one round fits") || out.Dir != "" {
		t.Errorf("%v, kept in %q", err, out.Dir)
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, "has room for about 0 rounds") || !strings.Contains(all, "--budget 1m") {
		t.Errorf("said %q", all)
	}
}

func TestFolderExists(t *testing.T) {
	dir := t.TempDir()
	_, err := Run(t.Context(), Config{Dir: dir, Before: turns.Arm{Command: []string{"a"}}, After: turns.Arm{Command: []string{"b"}}})
	if err == nil || !strings.Contains(err.Error(), "choose another --out") {
		t.Errorf("got %v", err)
	}
}

func TestBudgetInBetween(t *testing.T) {
	began := time.Now()
	e := &experiment{c: Config{Budget: 10 * time.Second}, began: began, took: []time.Duration{3 * time.Second, 5 * time.Second}}
	if e.spent() {
		t.Error("a round of 4 s does not fit into 10 s")
	}
	e.began = began.Add(-7 * time.Second)
	if !e.spent() {
		t.Error("a round of 4 s fits into 3 s")
	}
}
