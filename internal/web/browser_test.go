package web

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/chromium"
)

// visit opens a page of a site, let in by its key.
func visit(t *testing.T, b *chromium.Browser, s *site, path string, width, height int) {
	t.Helper()
	b.Must(t, "Network.setCookie", map[string]any{"name": s.cookie(), "value": s.session, "url": s.url, "httpOnly": true, "sameSite": "Strict"}, nil)
	b.Visit(t, s.url+path, width, height)
}

func TestInBrowser(t *testing.T) {
	b := chromium.Start(t)
	s := serve(t, shop(t))
	b.Visit(t, s.url+"/?key="+s.key, 1280, 900) // as a user does
	b.Until(t, `document.body?.dataset.rows === '28' && document.querySelector('#series')?.dataset.changes === 'done' && location.search === ''`)
	for name, test := range map[string]func(*testing.T, *chromium.Browser, *site){
		"series": pageSeries, "keys": pageKeys, "filters": pageFilters, "notes": pageNotes, "hostile names": pageNames, "widths": pageWidths,
	} {
		t.Run(name, func(t *testing.T) {
			visit(t, b, s, "/", 1280, 900)
			b.Until(t, `document.body?.dataset.rows === '28'`)
			test(t, b, s)
			if title := b.Eval(t, `document.title`); title == "owned" {
				t.Error("a name was executed")
			}
		})
	}
}

func pageSeries(t *testing.T, b *chromium.Browser, _ *site) {
	b.Until(t, `document.querySelector('#series')?.dataset.changes === 'done'`)
	if n := b.Eval(t, `document.querySelectorAll('.series figure svg .change').length`); n != 3.0 {
		t.Errorf("%v change points, want one in each of three metrics", n)
	}
	if got := b.Text(t, ".changes-of"); !strings.Contains(got, "+") || !strings.Contains(got, "since") {
		t.Errorf("a change says %q", got)
	}
	if n := b.Eval(t, `document.querySelectorAll('.found tr').length`); n != 1.0 {
		t.Errorf("%v findings", n)
	}
	b.Eval(t, `document.querySelector('.found button').click()`)
	b.Until(t, `new URLSearchParams(location.search).get('function').includes('Cache') && document.body?.dataset.rows === '26'`)
	b.Eval(t, `history.back()`)
	b.Until(t, `document.body?.dataset.rows === '28'`)
}

// pageKeys: the first rows are a document of a newer unpark and an experiment, which are not compared.
func pageKeys(t *testing.T, b *chromium.Browser, _ *site) {
	for _, key := range []string{"j", "j", "j", "j", "j", "j", "k", "x", "j", "x"} {
		b.Press(t, key)
	}
	b.Until(t, `document.querySelectorAll('#list input:checked').length === 2`)
	chosen := b.Eval(t, `new URLSearchParams(location.search).getAll('run').join()`).(string)
	b.Press(t, "c")
	b.Until(t, `location.pathname === '/compare' && document.readyState === 'complete'`)
	if got := b.Eval(t, `new URLSearchParams(location.search).getAll('run').join()`); got != chosen {
		t.Errorf("compared %v, chosen %s", got, chosen)
	}
	b.Leave(t, `document.querySelector('.around a').click()`)
	b.Until(t, `location.pathname === '/' && document.body?.dataset.rows === '28'`)
	for range 5 { // the first rows have nothing to open
		b.Press(t, "j")
	}
	b.Press(t, "Enter")
	b.Until(t, `location.pathname.startsWith('/run/')`)
}

func pageFilters(t *testing.T, b *chromium.Browser, s *site) {
	b.Press(t, "/")
	for _, c := range "nosuch" {
		b.Press(t, string(c))
	}
	b.Until(t, `document.body?.dataset.rows === '0' && location.search === '?function=nosuch'`)
	b.Press(t, "Escape")
	b.Press(t, "Escape")
	b.Until(t, `document.body?.dataset.rows === '28' && location.search === ''`)
	visit(t, b, s, "/?state=unreadable", 1280, 900)
	b.Until(t, `document.body?.dataset.rows === '1'`)
	visit(t, b, s, "/?text=run-0&service=example.com/shop%20./cmd/shop", 1280, 900)
	b.Until(t, `document.body?.dataset.rows === '10'`)
	if got := b.Eval(t, `document.getElementById('text').value`); got != "run-0" {
		t.Errorf("the field says %q", got)
	}
}

func pageNotes(t *testing.T, b *chromium.Browser, _ *site) {
	b.Press(t, "j")
	b.Press(t, "n")
	b.Until(t, `document.getElementById('note')?.open`)
	b.Eval(t, `document.getElementById('note-tags').value = 'release, <b>slow</b>'; document.getElementById('note-text').value = 'why'; document.getElementById('note-save').click()`)
	b.Until(t, `[...document.querySelectorAll('#list .tag')].map(x => x.textContent).join() === 'release,<b>slow</b>'`)
	b.Eval(t, `document.querySelector('#list .tag').click()`)
	b.Until(t, `document.body?.dataset.rows === '1'`)
}

func pageNames(t *testing.T, b *chromium.Browser, s *site) {
	for _, path := range []string{"/?function=cache", "/run/run-03", "/compare?run=run-03&run=run-04", "/compare?run=run-03&run=run-04&run=run-05", "/experiment/proof", "/run/" + "%3Cimg%20src=x%3E"} {
		visit(t, b, s, path, 1280, 900)
		b.Until(t, `(document.querySelector('main')?.textContent ?? '').trim() !== ''`)
		if n := b.Eval(t, `document.querySelectorAll('img, iframe, object').length`); n != 0.0 || b.Eval(t, `document.title`) == "owned" {
			t.Errorf("%s: a name became an element", path)
		}
	}
}

func pageWidths(t *testing.T, b *chromium.Browser, s *site) {
	for _, path := range []string{"/", "/run/run-03", "/compare?run=run-03&run=run-20", "/compare?run=run-03&run=run-20&run=run-21", "/experiment/proof", "/nothing", "/live/x"} {
		for _, width := range []int{1280, 390} {
			visit(t, b, s, path, width, 850)
			b.Until(t, `(document.querySelector('main')?.textContent ?? '').trim() !== ''`)
			if path == "/" {
				b.Until(t, `document.querySelector('#series')?.dataset.changes === 'done'`)
			}
			if over := b.Eval(t, `document.documentElement.scrollWidth - innerWidth`).(float64); over > 0 {
				t.Errorf("%s at %d: %v pixels too wide", path, width, over)
			}
		}
	}
}

// TestManyRuns: two thousand runs are listed in one go. The time is in docs/benchmarks.md; here it has a bound that only something
// quadratic would break.
func TestManyRuns(t *testing.T) {
	b := chromium.Start(t)
	root := t.TempDir()
	for i := range 2000 {
		save(t, filepath.Join(root, fmt.Sprintf("run-%04d", i)), sample(i, noise(i)))
	}
	s := serve(t, root)
	visit(t, b, s, "/", 1280, 900)
	b.Until(t, `document.body?.dataset.rows === '2000' && document.querySelectorAll('#list tbody tr').length > 20`)
	ms := b.Eval(t, `(async () => { const all = []; for (let i = 0; i < 15; i++) { await document.getElementById("list").load(); all.push(Number(document.body.dataset.ms)); } return all.sort((a, b) => a - b).join(' ') })()`)
	t.Logf("2,000 runs asked for, answered and drawn, in ms, 15 times: %v", ms)
	if worst := b.Eval(t, `Number(document.body?.dataset.ms)`).(float64); worst > 10_000 {
		t.Errorf("listed in %v ms", worst)
	}
}

// TestScreenshots writes pictures into the directory that UNPARK_SHOTS names, for a person to look at.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("UNPARK_SHOTS")
	if dir == "" {
		t.Skip("UNPARK_SHOTS names no directory")
	}
	b := chromium.Start(t)
	root := shop(t)
	for i := range 24 {
		saveWandering(t, root, i)
	}
	saveTraced(t, filepath.Join(root, "traced"), waits)
	s := serve(t, root)
	for i, path := range []string{"/", "/run/run-03", "/compare?run=run-03&run=run-20", "/compare?run=run-03&run=run-20&run=run-21", "/?service=example.com/wander%20./cmd/shop", "/slowest/traced#at=0.00-0.08", "/live/x"} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int{1280, 390} {
				b.Must(t, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
				visit(t, b, s, path, width, 900)
				b.Until(t, `(document.querySelector('main')?.textContent ?? '').trim() !== ''`)
				if strings.HasPrefix(path, "/?") {
					b.Until(t, `document.querySelector('#series')?.dataset.changes === 'done'`)
				}
				if strings.HasPrefix(path, "/slowest") {
					b.Until(t, `document.getElementById('flame').dataset.drawn > 0`)
				}
				var picture struct {
					Data string `json:"data"`
				}
				b.Must(t, "Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &picture)
				png, err := base64.StdEncoding.DecodeString(picture.Data)
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("ui-%d-%s-%d.png", i, scheme, width)), png, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
