package verdict

import (
	"bytes"
	"context"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/expect"
	formats "github.com/unpark-go/unpark/load/requests"
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
			if name == "ramp" {
				// The mean of a ramp is neither its idle begin nor its full end, so the
				// limit is right only by chance, and without forecasts so is the order.
				tell = t.Logf
			}
			for _, problem := range arm.Check(outcome.Run) {
				tell("%s\nlimit: %s", problem, outcome.Run.Limit.Why)
			}
			runs[name] = outcome.Run
		})
	}
	for _, step := range lab.Steps {
		if f, ok := step.Forecast(runs[step.Before], runs[step.After]); ok {
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

// beside starts the same program with other arguments, outside of the target and
// its quota, and returns what ends it.
func beside(t *testing.T, binary string, args []string, where string) (stop func()) {
	t.Helper()
	if len(args) == 0 {
		return func() {}
	}
	all := slices.Clone(args)
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "{url}", where)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := exec.CommandContext(ctx, binary, all...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		cancel()
		_ = c.Wait() // it was told to end
	}
}
