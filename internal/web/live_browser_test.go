package web

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/chromium"
	"github.com/unpark-go/unpark/internal/store"
)

// goesOn writes a run that is under way: its build, then some seconds.
func goesOn(t *testing.T, root, name string, seconds ...store.Live) {
	t.Helper()
	var text strings.Builder
	at := time.Now().Add(-time.Minute)
	for _, l := range append([]store.Live{{Phase: "build", Detail: "go build -overlay ./cmd/shop"}}, seconds...) {
		at = at.Add(time.Second)
		l.At = at
		if err := json.NewEncoder(&text).Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(root, name+partialSuffix)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, store.LiveFile), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestUnderWayInBrowser: a run that is under way is told above the list and is no row of it that cannot be read; its page says what
// the top of each chart is, and fits a phone.
func TestUnderWayInBrowser(t *testing.T) {
	b := chromium.Start(t)
	root := t.TempDir()
	save(t, filepath.Join(root, "run-1"), sample(1, 1))
	goesOn(t, root, "loaded", store.Live{Phase: "window", RPS: 2000, P99: 0.012, InFlight: 16}, store.Live{Phase: "window", RPS: 2600, P99: 0.009, InFlight: 15})
	goesOn(t, root, "attached", store.Live{Phase: "window", Cores: 0.5}, store.Live{Phase: "window", Cores: 0.8})
	dead := filepath.Join(root, "dead"+partialSuffix)
	goesOn(t, root, "dead")
	if err := os.Chtimes(filepath.Join(dead, store.LiveFile), time.Time{}, time.Now().Add(-2*silent)); err != nil {
		t.Fatal(err)
	}
	s := serve(t, root)
	visit(t, b, s, "/", 390, 850)
	b.Until(t, `document.body?.dataset.rows === '2' && document.querySelectorAll('.going').length === 2`)
	if got := b.Text(t, "#count"); !strings.HasPrefix(got, "2 runs") {
		t.Errorf("the list says %q", got)
	}
	if got := b.Text(t, "#list"); strings.Contains(got, "loaded") || strings.Contains(got, "attached") || !strings.Contains(got, "dead.partial") {
		t.Errorf("listed: %s", got)
	}
	for name, want := range map[string][]string{"loaded": {"#rps-high", "up to 2,600 req/s", "#p99-high", "up to 12.0 ms"}, "attached": {"#cores-high", "up to 0.80 cores"}} {
		for _, width := range []int{1280, 390} {
			visit(t, b, s, "/live/"+name, width, 850)
			b.Until(t, `document.body?.dataset.lines === '3'`)
			for i := 0; i < len(want); i += 2 {
				if got := b.Text(t, want[i]); got != want[i+1] {
					t.Errorf("%s at %d: %s says %q, want %q", name, width, want[i], got, want[i+1])
				}
			}
			if got := b.Eval(t, `[...document.querySelectorAll('#log b')].map(x => x.textContent).join()`); got != "build,window" {
				t.Errorf("%s: the log has %v", name, got)
			}
			wide := b.Eval(t, `Math.min(...[...document.querySelectorAll('.charts svg')].map(x => x.getBoundingClientRect().width).filter(Boolean)) / document.querySelector('main').clientWidth`).(float64)
			if least := map[bool]float64{true: 0.85, false: 0.4}[width == 390 || name == "attached"]; wide < least {
				t.Errorf("%s at %d: a chart has %.2f of the width", name, width, wide)
			}
			if over := b.Eval(t, `document.documentElement.scrollWidth - innerWidth`).(float64); over > 0 {
				t.Errorf("%s at %d: %v pixels too wide", name, width, over)
			}
		}
	}
}
