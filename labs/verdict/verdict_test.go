package verdict

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/investigate"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/load"
	"github.com/unpark-go/unpark/target"
	"github.com/unpark-go/unpark/window"
)

// build compiles a lab once.
func build(t *testing.T, name string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), name)
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../"+name).CombinedOutput()
	if err != nil {
		t.Fatalf("build %s: %v\n%s", name, err, out)
	}
	return binary
}

// freeAddr returns an address on which nobody listens now.
func freeAddr(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// run investigates one arm in a short window.
func run(t *testing.T, binary string, arm expect.Arm, extra ...string) investigate.Outcome {
	t.Helper()
	outcome, err := watched(t, binary, arm, nil, extra...)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// watched investigates an arm as run does; change, where it is not nil, is called
// with what is about to be done.
func watched(t *testing.T, binary string, arm expect.Arm, change func(*investigate.Config), extra ...string) (investigate.Outcome, error) {
	t.Helper()
	addr := freeAddr(t)
	// The folder of the probe's sockets is made here: t.TempDir can be too long
	// for the address of a unix socket.
	aside := freeAddr(t)
	defer beside(t, binary, arm, "http://"+addr, aside)()
	arm = arm.Located("http://"+addr, aside)
	c := investigate.Config{
		Command: append(append([]string{binary, "-addr", addr}, arm.Args...), extra...),
		Dir:     filepath.Join(t.TempDir(), "run"), Rates: window.DefaultRates(), Ready: 30 * time.Second,
		Prepare: calibrated(arm),
		// As long as the scoreboard takes (labs/score).
		Plan: unpark.Plan{Mode: unpark.Closed, Connections: 50, Warmup: 1, Duration: 4, Timeout: 20, Seed: 1},
	}
	for i := 0; i+1 < len(arm.Load); i += 2 {
		switch arm.Load[i] {
		case "--connections":
			fmt.Sscan(arm.Load[i+1], &c.Plan.Connections)
		case "--rate":
			if rate, err := load.ParseRate(arm.Load[i+1]); err == nil {
				c.Plan.Mode, c.Plan.RateRPS, c.Plan.Connections = rate.Mode, rate.RateRPS, 0
			}
		case "--cpus":
			fmt.Sscan(arm.Load[i+1], &c.Quota)
		}
	}
	c.Plan.Requests = requests("http://"+addr, arm.Path)
	if arm.Targets != "" {
		c.Plan.Requests = listed(t, "http://"+addr, filepath.Join("..", filepath.Base(binary), arm.Targets))
	}
	if change != nil {
		change(&c)
	}
	return investigate.Run(t.Context(), c)
}

// requests expands "/lookup/{0..63}".
func requests(base, path string) []unpark.Request {
	var low, high int
	before, rest, ok := strings.Cut(path, "{")
	if _, err := fmt.Sscanf(rest, "%d..%d}", &low, &high); !ok || err != nil {
		return []unpark.Request{{Method: http.MethodGet, URL: base + path}}
	}
	var out []unpark.Request
	for i := low; i <= high; i++ {
		out = append(out, unpark.Request{Method: http.MethodGet, URL: fmt.Sprintf("%s%s%d", base, before, i)})
	}
	return out
}

// calibrated asks the lab for its rate when the arm wants that.
func calibrated(arm expect.Arm) func(context.Context, string, unpark.Plan) (unpark.Plan, error) {
	if !strings.Contains(strings.Join(arm.Load, " "), "calibration") {
		return nil
	}
	return func(ctx context.Context, base string, plan unpark.Plan) (unpark.Plan, error) {
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
			From float64 `json:"ramp_from_rps"`
			To   float64 `json:"ramp_to_rps"`
		}
		err = json.NewDecoder(resp.Body).Decode(&cal)
		plan.Mode, plan.RateRPS, plan.Connections = unpark.Poisson, cal.Rate, 512
		if cal.To > 0 {
			plan.Mode, plan.Stages = unpark.Ramp, []unpark.Stage{{From: cal.From, To: cal.To, Duration: plan.Duration}}
		}
		return plan, err
	}
}

// TestLookup: the slow arm is limited by the lock of its cache, the fixed arm is
// not, and the forecast made before the fix holds after it.
func TestLookup(t *testing.T) {
	if testing.Short() {
		t.Skip("runs two services under load")
	}
	lab, err := expect.Read("../lookup/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t, "lookup")
	for _, name := range []string{"slow", "fixed"} {
		arm := lab.Arms[name]
		outcome := run(t, binary, arm)
		for _, problem := range arm.Check(outcome.Run) {
			t.Errorf("%s: %s\nlimit: %s", name, problem, outcome.Run.Limit.Why)
		}
		if outcome.Run.IsVoid() {
			t.Errorf("%s is void: %v", name, outcome.Run.Void)
		}
	}
}

// TestCatalog: the lock that is all of the blocking is named with its price, and
// what binds is something else.
func TestCatalog(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a service under load")
	}
	lab, err := expect.Read("../catalog/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t, "catalog")
	for _, name := range []string{"faker", "index"} {
		arm := lab.Arms[name]
		outcome := run(t, binary, arm)
		for _, problem := range arm.Check(outcome.Run) {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// TestControls: services where the right answer is "nothing", "not here", or one
// plain fault each.
func TestControls(t *testing.T) {
	if testing.Short() {
		t.Skip("runs services under load")
	}
	lab, err := expect.Read("../controls/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	binary := withProbe(t, "controls")
	for _, name := range slices.Sorted(maps.Keys(lab.Arms)) {
		t.Run(name, func(t *testing.T) {
			arm := lab.Arms[name]
			outcome := run(t, binary, arm)
			tell := t.Errorf
			if arm.Known != "" {
				tell = t.Logf
			}
			for _, problem := range arm.Check(outcome.Run) {
				tell("%s\nlimit: %s", problem, outcome.Run.Limit.Why)
			}
		})
	}
}

// withProbe builds a lab that has no profiling code, as `unpark run --pkg` does.
func withProbe(t *testing.T, name string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), name)
	if err := target.Build(t.Context(), target.BuildSpec{Package: "../" + name, Output: binary}); err != nil {
		t.Fatal(err)
	}
	return binary
}
