package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/chromium"
	"github.com/unpark-go/unpark/internal/store"
)

// saveTraced stores a run with the trace of a server of its own, beside which each request does something.
func saveTraced(t *testing.T, dir string, does func()) {
	t.Helper()
	d, err := store.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Create("window-01/1/trace.out")
	if err != nil {
		t.Fatal(err)
	}
	if err := trace.Start(out); err != nil {
		t.Skip("another trace is on: ", err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		does()
		_, _ = io.WriteString(w, "done")
	}))
	time.Sleep(50 * time.Millisecond) // at first nothing is asked
	for range 60 {
		r, err := s.Client().Get(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	s.Close()
	trace.Stop()
	r := sample(1, 1)
	r.Windows[0].Profiles = []unpark.ProfileFile{{Kind: unpark.KindTrace, File: "window-01/1/trace.out", PID: 1, State: unpark.Present}}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Commit(r); err != nil {
		t.Fatal(err)
	}
}

func TestSlowestInBrowser(t *testing.T) {
	b := chromium.Start(t)
	root := t.TempDir()
	saveTraced(t, filepath.Join(root, "run"), waits)
	s := serve(t, root)
	visit(t, b, s, "/run/run", 1280, 900)
	b.Leave(t, `[...document.querySelectorAll('.around a')].find(a => a.textContent === 'slowest requests').click()`)
	b.Until(t, `document.querySelectorAll('.requests details').length > 20 && document.getElementById('heat')?.dataset.cells > 0 && document.querySelectorAll('#heat-table tr').length > 0 && document.querySelector('[data-heat]').dataset.stacks && document.getElementById('flame').dataset.drawn > 1`)
	if got := b.Text(t, "#flame .tabs"); got != "waiting" {
		t.Errorf("graphs %q", got)
	}
	if got := b.Text(t, "#flame-status"); !strings.Contains(got, "goroutines") {
		t.Errorf("the graph says %q", got)
	}
	was := b.Text(t, "#heat-when")
	b.Eval(t, `document.getElementById('heat').focus()`)
	b.Press(t, "ArrowDown")
	b.Press(t, "ArrowUp")
	b.Press(t, "ArrowUp")
	b.Until(t, `/^#at=\d\.\d\d-\d\.\d\d/.test(location.hash)`)
	if now := b.Text(t, "#heat-when"); !strings.Contains(was, "requests under way") || !strings.Contains(now, "requests under way") {
		t.Errorf("%q, then %q", was, now)
	}
	shown := `document.getElementById('heat-table').hidden + ' ' + document.querySelectorAll('#heat-table tr').length`
	if got := b.Eval(t, shown).(string); !strings.HasPrefix(got, "false ") {
		t.Errorf("the table of what requests did is hidden, and its rows: %s", got)
	}
	visit(t, b, s, "/slowest/run#at=0.00-0.02", 1280, 900)
	b.Until(t, `document.getElementById('heat-when')?.textContent.startsWith('0 s to 20')`)
	if got := b.Eval(t, shown).(string); got != "true 0" {
		t.Errorf("of an interval without a request the table is hidden, and its rows: %s", got)
	}
	for _, width := range []int{1280, 390} {
		visit(t, b, s, "/slowest/run#at=0.00-0.06&q=main", width, 900)
		b.Until(t, `document.getElementById('heat')?.dataset.cells > 0 && document.querySelector('[data-heat]').dataset.stacks === '0-2' && document.getElementById('flame').dataset.drawn > 0`)
		if over := b.Eval(t, `document.documentElement.scrollWidth - innerWidth`).(float64); over > 0 {
			t.Errorf("at %d: %v pixels too wide", width, over)
		}
	}
}

// What ran in an interval is shown where a CPU profile was recorded beside the trace.
func TestMomentInBrowser(t *testing.T) {
	b := chromium.Start(t)
	root := t.TempDir()
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip("another profile is on: ", err)
	}
	saveTraced(t, filepath.Join(root, "run"), func() { compute(5 * time.Millisecond) })
	pprof.StopCPUProfile()
	s := serve(t, root)
	visit(t, b, s, "/slowest/run#at=0.00-60.00&q=compute", 1280, 900)
	b.Until(t, `document.querySelector('[data-heat]')?.dataset.stacks && document.getElementById('flame').dataset.matched > 0.2`)
	if got := b.Text(t, "#flame .tabs"); got != "runningwaiting" && got != "running waiting" {
		t.Errorf("graphs %q", got)
	}
	if shown := b.Eval(t, `document.getElementById('unsampled').hidden === false`).(bool); shown {
		t.Error("it says that what ran is not told")
	}
}

func waits() { time.Sleep(time.Millisecond) }

// compute keeps a processor busy.
func compute(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		continue
	}
}

func TestSlowestIsRefused(t *testing.T) {
	s := serve(t, shop(t))
	if status, text := s.get(t, "/api/heat/run-03"); status != 422 || !strings.Contains(text, "no execution trace") {
		t.Errorf("of a run without a trace: %d %s", status, text)
	}
	for path, want := range map[string]string{"/api/moment/run-03?from=0&to=1": "no execution trace", "/api/moment/run-03?from=1&to=0": "name it as", "/api/moment/run-03": "name it as", "/api/moment/run-03?from=NaN&to=1": "name it as"} {
		if status, text := s.get(t, path); status < 400 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, text := s.get(t, "/slowest/run-03"); status != 422 || !strings.Contains(text, "no execution trace with requests") {
		t.Errorf("of a run without a trace: %d %s", status, text)
	}
}
