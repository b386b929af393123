package verdict

import (
	"bytes"
	"context"
	"maps"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/expect"
	formats "github.com/unpark-go/unpark/load/requests"
	"github.com/unpark-go/unpark/target"
)

// TestPlace: three stages under a quota of one core, and the hazards of the last.
// What a fix is forecast to bring is told beside what it brought; a window of some
// seconds on a shared machine is too short to hold an interval against.
func TestPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("runs services under load")
	}
	lab, err := expect.Read("../place/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t, "place")
	runs := map[string]unpark.Run{}
	for _, name := range slices.Sorted(maps.Keys(lab.Arms)) {
		t.Run(name, func(t *testing.T) {
			arm := lab.Arms[name]
			outcome := run(t, binary, arm)
			if !outcome.Run.Target.Quota.Known() {
				t.Skip("this machine lets nobody set a CPU quota")
			}
			tell := t.Errorf
			if arm.Known != "" {
				tell = t.Logf
			}
			for _, problem := range arm.Check(outcome.Run) {
				tell("%s\nlimit: %s", problem, outcome.Run.Limit.Why)
			}
			runs[name] = outcome.Run
		})
	}
	for _, step := range lab.Steps {
		for _, f := range step.Forecasts(runs[step.Before], runs[step.After]) {
			t.Logf("%s → %s: %s ×%.2f, forecast ×%.2f (%.2f–%.2f), inside: %v", step.Before, step.After, f.Metric,
				f.Measured.Value.Or(0), f.Predicted.Value.Or(0), f.Predicted.Low.Or(0), f.Predicted.High.Or(0), f.Inside)
		}
	}
}

// listed reads a list of requests and sends them to base.
func listed(t *testing.T, base, file string) []unpark.Request {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := formats.Read(file, bytes.NewReader(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		u, err := url.Parse(out[i].URL)
		if err != nil {
			t.Fatal(err)
		}
		out[i].URL = base + u.RequestURI()
	}
	return out
}

// beside starts what an arm has beside the service, outside of the target and its
// quota, and returns what ends it.
func beside(t *testing.T, binary string, arm expect.Arm, base, address string) (stop func()) {
	t.Helper()
	if len(arm.Beside) == 0 {
		return func() {}
	}
	spec := target.Spec{Command: append([]string{binary}, arm.Located(base, address).Beside...)}
	p, err := target.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if arm.ServesBeside() {
		ready, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := p.WaitReady(ready, "http://"+address); err != nil {
			t.Error(err)
		}
	}
	return func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	}
}
