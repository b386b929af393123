package dump

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// built returns the program of testdata/target, built once.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "unpark-dump")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "target")
	c := exec.Command("go", "build", "-o", path, "./testdata/target")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	// The programs that are dumped wait most of the time.
	_ = flag.Set("test.parallel", "8")
	code := m.Run()
	if path, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// target starts a scenario and returns how to read it.
func target(t *testing.T, scenario string) Source {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "-do", scenario)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + strings.TrimSpace(line) + "/debug/pprof/"
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	return Source{Endpoint: base, Stacks: func(ctx context.Context) ([]byte, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"goroutine?debug=2", nil)
		if err != nil {
			return nil, err
		}
		resp, err := client.Do(r)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		return io.ReadAll(resp.Body)
	}}
}

// await takes dumps until so many goroutines wait at a function.
func await(t *testing.T, s Source, function string, n int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		text, err := s.Stacks(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p := newProcess(testCatalogue(), nil)
		if _, err := p.add(epoch, text); err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, g := range p.tracks {
			if strings.HasPrefix(g.at.site.Function, function) && !g.at.runs() && !g.at.idle {
				found++
			}
		}
		if found >= n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d goroutines wait at %s", found, n, function)
		}
	}
}

// TestRealPrograms: what is said of programs that have one thing right or wrong.
func TestRealPrograms(t *testing.T) {
	for _, test := range []struct {
		scenario         string
		dumps            int
		stuck            int
		site             string // of the first group that is stuck
		deadlocks, leaks int
	}{
		{"deadlock", 4, 2, "main.(*account).receive", 1, 0},
		{"contended", 9, 0, "", 0, 0},
		{"forgotten", 4, 3, "main.(*account).receive", 1, 0},
		{"lostsend", 4, 5, "main.ask.func1", 0, 0},
		{"pipeline", 5, 0, "", 0, 0},
		{"leak", 6, -1, "main.ask.func1", 0, 1},
		{"burst", 6, 0, "", 0, 0},
		{"cond", 4, 1, "main.condWait.func1", 0, 0},
		{"lostrecv", 4, 1, "main.lostReceive.func1", 0, 0},
		{"nilchan", 4, 2, "main.nilChannel", 0, 0},
		{"gather", 4, 4, "main.gather.func1", 1, 0},
		{"slow", 8, 0, "", 0, 0},
		{"healthy", 5, 0, "", 0, 0},
	} {
		t.Run(test.scenario, func(t *testing.T) {
			if testing.Short() && test.scenario != "deadlock" && test.scenario != "healthy" {
				t.Skip("each program is watched for seconds")
			}
			t.Parallel()
			s := target(t, test.scenario)
			if test.site != "" {
				await(t, s, test.site, max(1, test.stuck))
			}
			w, err := Run(context.Background(), Config{Sources: []Source{s}, Every: 100 * time.Millisecond, Count: test.dumps})
			if err != nil {
				t.Fatal(err)
			}
			if test.stuck >= 0 && w.Totals.Stuck != test.stuck || len(w.Deadlocks) != test.deadlocks || len(w.Leaks) != test.leaks || w.Holds(false) != (test.site == "") {
				t.Errorf("%d stuck, deadlocks %+v, leaks %+v\n%s", w.Totals.Stuck, w.Deadlocks, w.Leaks, describe(w))
			}
			if g := w.Groups[0]; test.site != "" && (g.Motion != unpark.MotionStuck || !strings.HasPrefix(g.Site.Function, test.site)) {
				t.Errorf("first is %s %s, want %s stuck", g.Motion, g.Site, test.site)
			}
			if test.scenario == "healthy" && w.Totals.Parked < 200 {
				t.Errorf("%d parked of 200 workers\n%s", w.Totals.Parked, describe(w))
			}
		})
	}
}

func describe(w unpark.Watch) string {
	var b strings.Builder
	for _, g := range w.Groups {
		fmt.Fprintf(&b, "%-10s %4d %-20s %s: %s %v\n", g.Motion, g.Goroutines, g.State, g.Site, g.Why, g.Series)
	}
	return b.String()
}

// BenchmarkRead reads a dump of 100 000 goroutines, which is 64 MB.
func BenchmarkRead(b *testing.B) {
	var all []gor
	for i := range 100_000 {
		g := transfer(1000+i, "0xc000020030", "0xc000010000", "0xc000020020")
		g.calls = append(g.calls, handling(fmt.Sprintf("0xc%09x", i))...)
		all = append(all, g)
	}
	text := dumpOf(all...)
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		p := newProcess(profile.NewCatalogue(""), nil)
		if _, err := p.add(epoch, text); err != nil {
			b.Fatal(err)
		}
	}
}
