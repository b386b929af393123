//go:build live

package ab

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/turns"
	"github.com/unpark-go/unpark/probe/agent"
)

// TestMain runs the test binary as the service of an arm when it is started as one.
func TestMain(m *testing.M) {
	if os.Getenv("UNPARK_TEST_SERVICE") == "" {
		os.Exit(m.Run())
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve answers requests with work for a processor, as much as its environment says.
func serve() error {
	if _, err := agent.Start(agent.Options{}); err != nil {
		return err
	}
	rounds, err := strconv.Atoi(os.Getenv("UNPARK_TEST_BURN"))
	if err != nil {
		return err
	}
	data := make([]byte, 1024)
	mux := http.NewServeMux()
	mux.HandleFunc("/burn", func(w http.ResponseWriter, _ *http.Request) {
		sum := sha256.Sum256(data)
		for range rounds {
			sum = sha256.Sum256(append(sum[:], data...))
		}
		fmt.Fprintf(w, "%x", sum)
	})
	server := &http.Server{Addr: os.Getenv("UNPARK_TEST_ADDR"), Handler: mux, ReadHeaderTimeout: time.Second}
	return server.ListenAndServe()
}

// TestLiveBurn runs real services: the arm after does four times the work per request.
func TestLiveBurn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("UNPARK_TEST_SERVICE", "http") // of the services that this process starts
	t.Setenv("UNPARK_TEST_ADDR", "127.0.0.1:0")
	c := Config{
		Run: investigate.Config{
			Plan:  unpark.Plan{Mode: unpark.Constant, RateRPS: 60, Connections: 16, Duration: 1, Warmup: 0.3, Timeout: 10, Seed: 1},
			Path:  "/burn",
			Ready: 20 * time.Second,
		},
		Before: turns.Arm{Command: []string{self}, Env: []string{"UNPARK_TEST_BURN=1000"}},
		After:  turns.Arm{Command: []string{self}, Env: []string{"UNPARK_TEST_BURN=4000"}},
		Dir:    filepath.Join(t.TempDir(), "ab"), Rounds: 6, Identical: 2, Seed: 1,
		// Six rounds can show a change at this error.
		Options: compare.Options{Alpha: 0.2},
	}
	out, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if out.Comparison.Rounds == 0 && out.Void != "" {
		t.Fatalf("no round: %s", out.Void)
	}
	for _, e := range out.Comparison.Effects {
		t.Logf("%s: %v → %v, p %v, floor %v: %s", e.Metric, e.Before.Value, e.After.Value, e.P, out.Comparison.Floor[e.Metric].Value, e.Verdict)
		if e.Metric == "cpu_per_request" && (e.Verdict != "worse" || e.Ratio.Value.Or(0) < 1.4) {
			t.Errorf("four times the work: %s, %v", e.Verdict, e.Ratio)
		}
		if e.Metric == "bytes_per_request" && !e.Before.Known() {
			t.Error("the probe's metrics were not read")
		}
	}
	if left, _ := filepath.Glob(filepath.Join(out.Dir, "before*")); len(left) > 0 {
		t.Errorf("a profiled run that was not asked for: %v", left)
	}
}
