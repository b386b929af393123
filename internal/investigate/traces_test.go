package investigate

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestDiagnoseTrace: an execution trace alone reaches a verdict, with waiter and
// holder; no rate was ever set.
func TestDiagnoseTrace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.out")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{sums: map[int]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { l.post(1) }))
	defer server.Close()
	if err := trace.Start(out); err != nil {
		t.Skip("the test itself is traced: ", err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				resp, err := http.Get(server.URL)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
	trace.Stop()
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	outcome, err := Diagnose([]string{file}, unpark.Version{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	run := outcome.Run
	if run.Limit.Kind != unpark.LimitLock || len(run.Findings) == 0 || run.Findings[0].Class != unpark.ClassLock {
		t.Fatalf("limit %s (%s), findings %+v", run.Limit.Kind, run.Limit.Why, run.Findings)
	}
	f := run.Findings[0]
	for name, site := range map[string]*unpark.Site{"waiter": f.Waiter, "holder": f.Holder} {
		if site == nil || !strings.HasSuffix(site.Function, "investigate.(*ledger).post") {
			t.Errorf("%s is %v", name, site)
		}
	}
	if !strings.Contains(f.Title, "across a sleep") {
		t.Error(f.Title)
	}
}
