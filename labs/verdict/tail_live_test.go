//go:build live

package verdict

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/window"
	"github.com/unpark-go/unpark/labs/expect"
)

// tail investigates an arm at its calibrated rate with a trace of some seconds.
func tail(t *testing.T, binary string, arm expect.Arm, extra ...string) *unpark.Tracing {
	t.Helper()
	addr := freeAddr(t)
	c := investigate.Config{
		Command: append(append([]string{binary, "-addr", addr}, arm.Args...), extra...),
		Dir:     filepath.Join(t.TempDir(), "run"), Rates: window.DefaultRates(), Ready: 30 * time.Second,
		Trace: 5 * time.Second, Prepare: calibrated,
		Plan: unpark.Plan{Mode: unpark.Poisson, Connections: 512, Warmup: 1.5, Duration: 2, Timeout: 20, Seed: 1},
	}
	c.Plan.Requests = requests("http://"+addr, arm.Path)
	outcome, err := investigate.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	tr := outcome.Run.Windows[0].Tracing
	if tr == nil || tr.Tail.N == 0 {
		t.Fatalf("the trace shows no slowest requests: %+v; warnings %v", tr, outcome.Run.Warnings)
	}
	return tr
}

// TestLiveTail: at the knee the lock makes the slowest requests slow, and the trace
// names both its ends and what the holder does, with the middleware and without.
func TestLiveTail(t *testing.T) {
	lab, err := expect.Read("../lookup/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t, "lookup")
	for name, args := range map[string][]string{"inferred": nil, "marked": {"-middleware"}} {
		t.Run(name, func(t *testing.T) {
			tr := tail(t, binary, lab.Arms["slow"], args...)
			if tr.Inferred != (name == "inferred") {
				t.Errorf("inferred %t", tr.Inferred)
			}
			if tr.Explained.Or(0) < 0.95 {
				t.Errorf("explained %v of the slowest", tr.Explained)
			}
			top := tr.Excess[0]
			if top.Class != unpark.WaitLock || top.Share.Or(0) < 0.8 || !strings.HasSuffix(top.Site.Function, "lookup.(*Cache).Get") {
				t.Errorf("%v of the excess is %s in %s", top.Share, top.Class, top.Site)
			}
			e := tr.Edges[0]
			if !strings.HasSuffix(e.Waiter.Function, "lookup.(*Cache).Get") || !strings.HasSuffix(e.Holder.Function, "lookup.(*Cache).Get") {
				t.Errorf("%s waits for %s", e.Waiter, e.Holder)
			}
			if len(e.Held) == 0 || e.Held[0].Class != unpark.WaitSleep || e.Held[0].Share < 0.5 {
				t.Errorf("the holder: %+v", e.Held)
			}
		})
	}
}

// TestLiveTailOfGarbage: with the lock fixed and the garbage left, the collector is in
// the way of the slowest, and no lock is.
func TestLiveTailOfGarbage(t *testing.T) {
	lab, err := expect.Read("../lookup/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOGC", "10") // the products are few: a heap of a service has more to mark
	tr := tail(t, build(t, "lookup"), lab.Arms["lock-fixed"])
	var collector float64
	for _, s := range tr.States {
		switch s.Class {
		case unpark.WaitGC, unpark.WaitGCAssist, unpark.WaitSTW:
			collector += s.Tail - s.Middle
		}
	}
	if collector <= 0 {
		t.Errorf("the slowest have %g s/req more of the collector: %+v", collector, tr.States)
	}
	for _, row := range tr.Excess { // of the 25 slowest one may have met a holder without a processor
		if row.Class == unpark.WaitLock && row.More.Low.Or(0) > 0 && row.Tail-row.Middle > collector/10 {
			t.Errorf("the slowest have %g s/req more of the collector, %+v of locks: %+v", collector, row.More, tr.States)
		}
	}
}

// calibrated asks the lab for its rate.
func calibrated(ctx context.Context, base string, plan unpark.Plan) (unpark.Plan, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/calibration", nil)
	if err != nil {
		return plan, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return plan, err
	}
	defer resp.Body.Close()
	var cal struct {
		Rate float64 `json:"rate_at_rho_095"`
	}
	err = json.NewDecoder(resp.Body).Decode(&cal)
	plan.RateRPS = cal.Rate
	return plan, err
}
