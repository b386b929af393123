//go:build live

package investigate

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/build"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// TestLiveSlowdownTruth slows a real service down at a fault whose fix is known, and
// runs the fix: a lock held for 3 ms that 12 connections wait for, and two thirds of
// the CPU.
func TestLiveSlowdownTruth(t *testing.T) {
	for _, c := range []struct {
		path, place string
		class       unpark.Class
	}{
		{"/lock", "inside the critical section, behind Lock", unpark.ClassLock},
		{"/cpu", "at the beginning of the function", unpark.ClassCPU},
	} {
		t.Run(string(c.class), func(t *testing.T) {
			config := Config{
				Package: ".", WorkDir: slowdownModule(t), Path: c.path, Ready: 20 * time.Second, Dir: filepath.Join(t.TempDir(), "run"),
				Plan:  unpark.Plan{Mode: unpark.Closed, Connections: 12, Duration: 2, Warmup: 0.5, Timeout: 10, Seed: 1},
				Rates: window.DefaultRates(),
			}
			out, err := Run(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			if out.Run.IsVoid() {
				t.Fatalf("the run is void: %s", out.Run.Void[0].Message)
			}
			e := slowDown(t, config, out.Run, c.class)
			if e == nil || e.Where != c.place || e.Calls.Or(0) < 0.9 || e.Calls.Or(0) > 1.1 {
				t.Fatalf("%+v\n%+v", e, out.Run.Findings)
			}
			truth := speed(t, config, true) / speed(t, config, false)
			t.Logf("× %v (%v–%v), truth × %.2f, slope %+v", e.Throughput.Value, e.Throughput.Low, e.Throughput.High, truth, e.Slope)
			// What is measured is how much of the time between two answers the fault takes: of a lock that takes nearly all of it the
			// ratio is the inverse of a small rest. Four rounds among neighbours make an interval that is wide, not wrong.
			const beside = 0.08
			gone := func(ratio float64) float64 { return 1 - 1/ratio }
			low, high := gone(e.Throughput.Low.Or(math.NaN())), gone(e.Throughput.High.Or(math.NaN()))
			if !(gone(truth) >= low-beside && gone(truth) <= high+beside) {
				t.Errorf("× %v (%v–%v), truth × %.2f: %.2f of the time is gone, said %.2f to %.2f", e.Throughput.Value, e.Throughput.Low, e.Throughput.High, truth, gone(truth), low, high)
			}
		})
	}
}

// slowDown slows a class down, with arms that are as short as they can be.
func slowDown(t *testing.T, c Config, run unpark.Run, class unpark.Class) *unpark.Experiment {
	t.Helper()
	c.Slowdown, c.SlowdownWidth = 30*time.Second, 1
	c.Progress = func(e Event) {
		if e.Line != "" {
			t.Log(e.Line)
		}
	}
	x := &slowdown{
		c: c, rec: &record{run: run, progress: c.Progress}, window: run.Windows[0], began: time.Now(), most: 4, chance: rand.New(rand.NewPCG(1, 2)),
	}
	x.program = program{c: c, rec: x.rec, timed: Time, plan: c.Plan}
	x.program.plan.Warmup, x.program.plan.Duration = 0.3, 0.8
	err := x.carryOut(t.Context())
	if err := errors.Join(err, x.program.built.Remove()); err != nil {
		t.Fatal(err)
	}
	for _, f := range x.rec.run.Findings {
		if f.Class == class {
			return f.Experiment
		}
	}
	return nil
}

// speed is the throughput of the service with or without its fault.
func speed(t *testing.T, c Config, fixed bool) float64 {
	t.Helper()
	c.Built = filepath.Join(t.TempDir(), "target")
	if err := build.Program(t.Context(), build.Spec{Package: c.Package, Dir: c.WorkDir, Output: c.Built}); err != nil {
		t.Fatal(err)
	}
	if fixed {
		c.Command = []string{"-fixed"}
	}
	run, _, err := Time(t.Context(), c, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return run.Windows[0].Load.AchievedRPS
}
