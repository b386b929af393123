package investigate

import (
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/probe/probetest"
)

// ledger is what the harness exercises: its lock is held over 2 ms.
type ledger struct {
	mu   sync.Mutex
	sums map[int]int
}

func (l *ledger) post(account int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	time.Sleep(2 * time.Millisecond)
	l.sums[account]++
}

// TestDiagnoseHarness: a directory that probetest wrote reaches the verdict.
func TestDiagnoseHarness(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a window")
	}
	dir := filepath.Join(t.TempDir(), "ledger")
	l := &ledger{sums: map[int]int{}}
	probetest.Run(t, "ledger", probetest.Options{Workers: 6, Warmup: 100 * time.Millisecond, Window: 3 * time.Second, Dir: dir}, l.post)
	outcome, err := Diagnose([]string{dir}, unpark.Version{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	run := outcome.Run
	if run.Limit.Kind != unpark.LimitLock {
		t.Errorf("limit %s: %s", run.Limit.Kind, run.Limit.Why)
	}
	if len(run.Findings) == 0 || run.Findings[0].Class != unpark.ClassLock {
		t.Fatalf("findings %+v", run.Findings)
	}
	f := run.Findings[0]
	for name, site := range map[string]*unpark.Site{"waiter": f.Waiter, "holder": f.Holder} {
		if site == nil || !strings.HasSuffix(site.Function, "investigate.(*ledger).post") {
			t.Errorf("%s is %v", name, site)
		}
	}
	if v := run.Target.Cores(run.Host, run.Windows[0]); !run.Target.Elsewhere || v != unpark.Num(float64(runtime.NumCPU())) {
		t.Errorf("by %v cores, elsewhere %v", v, run.Target.Elsewhere)
	}
	// Five of six workers wait at any time.
	if v, ok := f.Cost.MeanWaiters.Value.Get(); !ok || v < 4.5 || v > 5.5 {
		t.Errorf("mean waiters %v, want about 5", f.Cost.MeanWaiters)
	}
}

func TestDiagnoseRefuses(t *testing.T) {
	for _, paths := range [][]string{{"nosuch.pb.gz"}, {t.TempDir()}} {
		if _, err := Diagnose(paths, unpark.Version{}); err == nil || !strings.Contains(err.Error(), paths[0]) {
			t.Errorf("Diagnose(%q): %v", paths, err)
		}
	}
}
