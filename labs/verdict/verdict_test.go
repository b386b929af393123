package verdict

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/window"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
)

// folder holds what build makes.
var folder string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if folder, err = os.MkdirTemp("", "unpark-verdict-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(folder)
		return m.Run()
	}())
}

// build compiles a lab once.
func build(t *testing.T, name string) string {
	t.Helper()
	binary := filepath.Join(folder, name)
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
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

// watched investigates an arm under connections in a short window; change, where it is not
// nil, is called with what is about to be done.
func watched(t *testing.T, binary string, arm expect.Arm, change func(*investigate.Config), extra ...string) (investigate.Outcome, error) {
	t.Helper()
	addr := freeAddr(t)
	c := investigate.Config{
		Command: append(append([]string{binary, "-addr", addr}, arm.Args...), extra...),
		Dir:     filepath.Join(t.TempDir(), "run"), Rates: window.DefaultRates(), Ready: 30 * time.Second,
		Plan: unpark.Plan{Mode: unpark.Closed, Connections: 50, Warmup: 0.5, Duration: 1, Timeout: 20, Seed: 1},
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
