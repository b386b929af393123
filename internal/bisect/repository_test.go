package bisect

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
)

// repository is a service's history. The program prints what a request costs.
type repository struct {
	t   *testing.T
	dir string
}

const program = `package main

// cost of a request
const cost = %d

func main() { println(cost) }
`

func newRepository(t *testing.T) *repository {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	r := &repository{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.write("go.mod", "module example.org/shop\n\ngo 1.22\n")
	r.write("cmd/server/main.go", fmt.Sprintf(program, 1000))
	r.commit("begin")
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.email=a@example.org", "-c", "user.name=a"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) commit(title string) string {
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", title)
	return r.git("rev-parse", "HEAD")
}

// costs is the program's text at a cost, with a part of its own that changes the binary.
func costs(cost, part int) string {
	return fmt.Sprintf(program, cost) + fmt.Sprintf("\nfunc init() { part = %d }\n\nvar part int\n", part)
}

// madeUp runs each program for what it costs, with noise; fails is asked before each.
type madeUp struct {
	random *rand.Rand
	noise  float64
	calls  int
	fails  func(call int, cost float64) error
	// functions asks for them; profiled counts the runs that had a profile.
	functions bool
	profiled  int
}

func (m *madeUp) timed(_ context.Context, c investigate.Config, _ bool, _ investigate.Beside) (unpark.Run, bool, error) {
	out, err := exec.Command(c.Built).CombinedOutput()
	if err != nil {
		return unpark.Run{}, false, err
	}
	cost, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		return unpark.Run{}, false, err
	}
	m.calls++
	if m.fails != nil {
		if err := m.fails(m.calls, cost); err != nil {
			return unpark.Run{}, false, err
		}
	}
	start := time.Unix(0, 0)
	const rate = 100.0
	var flames []unpark.Flame
	if c.Costs {
		m.profiled++
		flames = []unpark.Flame{profiled(cost)}
	}
	return unpark.Run{Target: unpark.Target{Module: "example.org/shop"}, Flames: flames, Windows: []unpark.Window{{
		Start: start, End: start.Add(time.Second),
		Load:      &unpark.Load{AchievedRPS: rate, Requests: 1000, Response: unpark.Latency{P50: 1, P99: 2, N: 1000}},
		Processes: []unpark.Process{{Cores: unpark.Num(cost * 1e-6 * rate * math.Exp(m.noise*m.random.NormFloat64()))}},
	}}}, false, nil
}

// profiled is the profile of a program: one function costs the same in all, another the rest.
func profiled(cost float64) unpark.Flame {
	same, rest := 700.0, cost-700
	return unpark.Flame{
		Kind: unpark.KindCPU, Unit: "s", Total: cost, Names: []string{"all\x00", "example.org/shop.parse\x00a.go:1", "example.org/shop.price\x00a.go:2"},
		Name: []int{0, 1, 2}, Depth: []int{0, 1, 1}, Value: []float64{cost, same, rest}, Self: []float64{0, same, rest}, Side: []byte("qqq"),
	}
}

// find searches for a change of CPU between two revisions.
func (r *repository) find(ctx context.Context, good, bad, dir string, m *madeUp) (unpark.Bisection, []string, error) {
	var lines []string
	s := newSearch(Config{
		Run: investigate.Config{WorkDir: r.dir, Plan: unpark.Plan{Mode: unpark.Closed, Connections: 1, Duration: 1}},
		// A folder as a user writes it: each commit has its own.
		Package: "./cmd/server", Good: good, Bad: bad, Metric: "cpu_per_request", Dir: dir, Functions: m.functions,
		Tell: func(line string, _ *investigate.Event) {
			if line != "" {
				lines = append(lines, line)
			}
		},
	})
	if m.random == nil {
		m.random = rand.New(rand.NewPCG(3, 7))
	}
	s.driver.Timed, s.driver.Yardstick = m.timed, nil
	b, err := s.all(ctx)
	return b, lines, err
}
