package verdict

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/investigate"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
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

// watched investigates an arm under connections as run does; change, where it is not
// nil, is called with what is about to be done.
func watched(t *testing.T, binary string, arm expect.Arm, change func(*investigate.Config), extra ...string) (investigate.Outcome, error) {
	t.Helper()
	addr := freeAddr(t)
	c := investigate.Config{
		Command: append(append([]string{binary, "-addr", addr}, arm.Args...), extra...),
		Dir:     filepath.Join(t.TempDir(), "run"), Rates: window.DefaultRates(), Ready: 30 * time.Second,
		// As long as the scoreboard takes (labs/score).
		Plan: unpark.Plan{Mode: unpark.Closed, Connections: 50, Warmup: 1, Duration: 4, Timeout: 20, Seed: 1},
	}
	if i := slices.Index(arm.Load, "--connections"); i >= 0 {
		fmt.Sscan(arm.Load[i+1], &c.Plan.Connections)
	}
	c.Plan.Requests = requests("http://"+addr, arm.Path)
	if change != nil {
		change(&c)
	}
	return investigate.Run(t.Context(), c)
}

// requests are those of an arm's path.
func requests(base, path string) []unpark.Request {
	var out []unpark.Request
	for _, p := range arms.Paths(path) {
		out = append(out, unpark.Request{Method: http.MethodGet, URL: base + p})
	}
	return out
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
