package investigate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
)

// slowService is a service whose rounds are made up: one processor, 1 ms of it a
// request, half of it at each of two places.
type slowService struct {
	before func(call int, delays []time.Duration) (busy float64, void bool, err error)
	logs   bool
	calls  int
	chance *rand.Rand
}

// timed returns a run of one second, and writes the logs that the delays would.
func (s *slowService) timed(_ context.Context, c Config, _ bool, _ Beside) (unpark.Run, bool, error) {
	s.calls++
	var spins []time.Duration
	var ids []string
	logs, busy := "", 0.0
	for _, e := range c.Env {
		name, value, _ := strings.Cut(e, "=")
		if id, ok := strings.CutPrefix(name, "UNPARK_DELAY_NS_"); ok {
			n, err := strconv.Atoi(value)
			if err != nil {
				return unpark.Run{}, false, err
			}
			spins, ids = append(spins, time.Duration(n)), append(ids, id)
		}
		if name == "UNPARK_DELAY_LOG" {
			logs = value
		}
	}
	run := unpark.Run{ID: "x"}
	if s.before != nil {
		var void bool
		var err error
		if busy, void, err = s.before(s.calls, spins); err != nil {
			return run, false, err
		}
		if void {
			run.Void = []unpark.Notice{{Code: "late", Message: "the generator was late", Cure: "lower the rate"}}
		}
	}
	start := time.Unix(1000, 0)
	each := 1e-3
	for _, d := range spins {
		each += d.Seconds()
	}
	noise := math.Exp(0.01 * s.chance.NormFloat64())
	n := int64(noise / each)
	for i, id := range ids {
		if !s.logs {
			break
		}
		line := func(at time.Time, calls int64) string {
			return fmt.Sprintf("%d %d %d\n", at.UnixNano(), calls, calls*int64(spins[i]))
		}
		text := line(start, 0) + line(start.Add(time.Second), n)
		if err := os.WriteFile(filepath.Join(logs, id+".7.log"), []byte(text), 0o600); err != nil {
			return run, false, err
		}
	}
	w := unpark.Window{
		Start: start, End: start.Add(time.Second), Machine: unpark.Machine{CPUs: 2, Busy: unpark.Num(1.75 + busy)},
		Load: &unpark.Load{
			Mode: unpark.Closed, AchievedRPS: float64(n), Requests: n, Response: unpark.Latency{P50: each, P99: each, Mean: each, N: n},
			GeneratorCPU: unpark.Num(0.1),
		},
		Processes: []unpark.Process{{Cores: unpark.Num(1)}},
	}
	run.Windows = []unpark.Window{w}
	return run, false, nil
}

// slowdownOf slows down a made-up service at n places.
func slowdownOf(t *testing.T, s *slowService, n int) *slowdown {
	t.Helper()
	s.chance = rand.New(rand.NewPCG(3, 3))
	x := &slowdown{c: Config{Package: "./x", Slowdown: time.Hour}, rec: &record{}, began: time.Now(), most: mostRounds, chance: rand.New(rand.NewPCG(1, 2))}
	x.program = program{c: x.c, rec: x.rec, timed: s.timed, dir: t.TempDir()}
	x.window.Machine.CPUs = 2
	for i := range n {
		site := unpark.Site{Function: "p.f" + strconv.Itoa(i), File: "/p.go", Line: 10 + i}
		f := unpark.Finding{Class: unpark.ClassCPU, Rank: i + 1, Site: site, Title: "f"}
		f.Cost.CPUPerRequest = unpark.Measured(0.5e-3, "s/req", 100)
		x.rec.run.Findings = append(x.rec.run.Findings, f)
		subject, why := slow.SubjectOf(x.rec.run, x.window, f, 1)
		if why != "" {
			t.Fatal(why)
		}
		x.places = append(x.places, &slowed{delay: slow.Spot{Site: site}.Delay(i+1, site.File), site: site, subjects: map[int]slow.Subject{i: subject}})
	}
	return x
}

// ends carries out the part of a slowdown behind the build.
func ends(t *testing.T, x *slowdown) error {
	t.Helper()
	if err := x.pilot(t.Context()); err != nil {
		x.failAll(err.Error())
		return err
	}
	x.afford()
	err := x.repeat(t.Context())
	for _, p := range x.places {
		x.conclude(p)
	}
	return err
}

func noticeCodes(notices []unpark.Notice) string {
	var out []string
	for _, n := range notices {
		out = append(out, n.Code)
	}
	return strings.Join(out, " ")
}

// about reports whether a value is within a tenth of what is true.
func about(q unpark.Quantity, want float64) bool {
	return math.Abs(q.Value.Or(0)/want-1) < 0.1
}

func TestSlowdownRounds(t *testing.T) {
	s := &slowService{logs: true}
	x := slowdownOf(t, s, 2)
	if err := ends(t, x); err != nil {
		t.Fatal(err)
	}
	if want := 1 + 5*mostRounds; s.calls != want {
		t.Errorf("%d runs, want %d", s.calls, want)
	}
	for _, f := range x.rec.run.Findings {
		e := f.Experiment
		if e == nil || e.Why != "" || e.Rounds != mostRounds || !about(e.Throughput, 2) || e.Throughput.High.Or(9)/e.Throughput.Low.Or(1) > 1.6 || e.Place.IsZero() {
			t.Errorf("%+v", e)
		}
		if !about(e.CPUPerRequest, 0.5) {
			t.Errorf("CPU %+v", e.CPUPerRequest)
		}
	}
}

func TestSlowdownFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		logs   bool
		before func(call int, delays []time.Duration) (float64, bool, error)
		want   [2]string // why, of each finding; empty: there is a result
	}{
		"no logs": {false, nil, [2]string{"wrote no log of the delay at p.go:10", "wrote no log"}},
		"it dies in any case": {
			true, func(int, []time.Duration) (float64, bool, error) { return 0, false, errors.New("exit status 3") },
			[2]string{"and none to be made: exit status 3", "exit status 3"},
		},
		"it dies with one delay": {true, func(_ int, d []time.Duration) (float64, bool, error) {
			if len(d) > 1 && d[1] > 0 {
				return 0, false, errors.New("the target died under load")
			}
			return 0, false, nil
		}, [2]string{"", "with the delay in it the service failed: the target died"}},
		"always void": {
			true, func(call int, _ []time.Duration) (float64, bool, error) { return 0, call > 1, nil },
			[2]string{"0 rounds were completed", "0 rounds were completed"},
		},
		"void once": {true, func(call int, _ []time.Duration) (float64, bool, error) { return 0, call == 4, nil }, [2]string{}},
		"a neighbour now and then": {true, func(call int, _ []time.Duration) (float64, bool, error) {
			return map[bool]float64{true: 0.6}[call%9 == 0], false, nil
		}, [2]string{}},
		"a neighbour that never rests": {true, func(int, []time.Duration) (float64, bool, error) { return 0.6, false, nil }, [2]string{}},
		"a neighbour in every other arm": {true, func(call int, _ []time.Duration) (float64, bool, error) {
			return 0.6 * float64(call), false, nil
		}, [2]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			x := slowdownOf(t, &slowService{logs: c.logs, before: c.before}, 2)
			_ = ends(t, x)
			if told := strings.Contains(noticeCodes(x.rec.run.Warnings), "experiment-disturbed"); told != (name == "a neighbour in every other arm") {
				t.Errorf("warnings %s", noticeCodes(x.rec.run.Warnings))
			}
			for i, f := range x.rec.run.Findings {
				why := "no experiment"
				if f.Experiment != nil {
					why = f.Experiment.Why
				}
				if !strings.Contains(why, c.want[i]) || (why == "") != (c.want[i] == "") {
					t.Errorf("finding %d: %q, want %q", i, why, c.want[i])
				}
				if why == "" && !about(f.Experiment.Throughput, 2) {
					t.Errorf("finding %d: %+v", i, f.Experiment.Throughput)
				}
			}
		})
	}
}

func TestSlowdownBudget(t *testing.T) {
	x := slowdownOf(t, &slowService{logs: true}, 2)
	if err := x.pilot(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Arms of 10 s: four rounds of three take 120 s, of five 200 s.
	x.program.took, x.c.Slowdown = []time.Duration{10 * time.Second}, 150*time.Second
	x.afford()
	if len(x.places) != 1 || !strings.Contains(x.rec.run.Findings[1].Experiment.Why, "room for 2 rounds with it, an interval takes 4: --experiment-budget 5m") {
		t.Errorf("%d places, %+v", len(x.places), x.rec.run.Findings[1].Experiment)
	}
	x.c.Slowdown = 100 * time.Second
	x.afford()
	if len(x.places) != 0 || !strings.Contains(x.rec.run.Findings[0].Experiment.Why, "room for 3 rounds") {
		t.Errorf("%d places, %+v", len(x.places), x.rec.run.Findings[0].Experiment)
	}
}

func TestSlowdownInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &slowService{logs: true}
	s.before = func(call int, _ []time.Duration) (float64, bool, error) {
		if call == 20 {
			cancel()
			return 0, false, ctx.Err()
		}
		return 0, false, nil
	}
	x := slowdownOf(t, s, 1)
	if err := x.pilot(ctx); err != nil {
		t.Fatal(err)
	}
	if err := x.repeat(ctx); err == nil || err.Error() != "interrupted" || len(x.places[0].rounds) != 6 {
		t.Errorf("%v after %d rounds", err, len(x.places[0].rounds))
	}
}

func TestSlowdownNeeds(t *testing.T) {
	for want, c := range map[string]Config{
		"name its package":    {Command: []string{"x"}, Slowdown: time.Minute},
		"let unpark drive it": {Package: "./x", LoadCommand: "wrk {url}", Slowdown: time.Minute},
	} {
		c.Dir = filepath.Join(t.TempDir(), "run")
		if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	// In an open loop the throughput is what is offered.
	x := slowdownOf(t, &slowService{logs: true}, 1)
	x.window.Load = &unpark.Load{OfferedRPS: 100, AchievedRPS: 100, Requests: 100}
	if why := x.unfit(unpark.Plan{Mode: unpark.Constant}); !strings.Contains(why, "stays what is offered") {
		t.Errorf("got %q", why)
	}
	x.rec.run.Void = []unpark.Notice{{Message: "the generator was late"}}
	if why := x.unfit(unpark.Plan{Mode: unpark.Closed}); !strings.Contains(why, "void: the generator was late") {
		t.Errorf("got %q", why)
	}
}

// TestSlowdownDoesNotCompile: a name in the package that the delay would take.
func TestSlowdownDoesNotCompile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := slowdownModule(t)
	x := slowdownOf(t, &slowService{logs: true}, 0)
	x.c.WorkDir, x.c.Package = dir, "."
	add := func(function, file string, line int) {
		f := unpark.Finding{Class: unpark.ClassCPU, Rank: len(x.rec.run.Findings) + 1, Site: unpark.Site{Function: function, File: file, Line: line}}
		f.Cost.CPUPerRequest = unpark.Measured(1e-3, "s/req", 9)
		x.rec.run.Findings = append(x.rec.run.Findings, f)
	}
	add("main.stretch", filepath.Join(dir, "main.go"), lineOf(t, dir, "func stretch"))
	add("main.rest", filepath.Join(dir, "main.go"), lineOf(t, dir, "func rest"))
	add("runtime.mallocgc", "/nowhere/malloc.go", 3)
	if err := x.locate(t.Context()); err != nil || len(x.places) != 2 {
		t.Fatalf("%d places, %v", len(x.places), err)
	}
	if why := x.rec.run.Findings[2].Experiment.Why; !strings.Contains(why, "2 places are slowed down") {
		t.Errorf("%q", why)
	}
	taken := "package main\n\nfunc " + x.places[1].delay.Call() + "() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "taken.go"), []byte(taken), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := x.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(x.places) != 1 || !strings.Contains(x.rec.run.Findings[1].Experiment.Why, "does not compile") {
		t.Errorf("%d places, %+v", len(x.places), x.rec.run.Findings[1].Experiment)
	}
	if _, err := os.Stat(x.program.binary()); err != nil {
		t.Error(err)
	}
}

func slowdownModule(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "slowdown")
	if err := os.CopyFS(dir, os.DirFS("testdata/slowdown")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func lineOf(t *testing.T, dir, text string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(b), text)
	if !ok {
		t.Fatalf("no %q", text)
	}
	return 1 + strings.Count(before, "\n")
}
