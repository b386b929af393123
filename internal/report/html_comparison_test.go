package report

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/report/look"
)

// differential is the flame graphs of an arm in which the lock is gone and the
// buffers are larger, over those of the arm before, per request.
func differential(r unpark.Run) []unpark.Flame {
	var out []unpark.Flame
	for _, f := range flames(r) {
		const requests = 4280
		self := selfOf(f.Depth, f.Value)
		after := unpark.Flame{Kind: f.Kind, Unit: f.Unit, Names: f.Names, Name: f.Name, Depth: f.Depth, Side: f.Side, Per: "request"}
		after.Value, after.Before = make([]float64, len(f.Value)), make([]float64, len(f.Value))
		for i := len(f.Value) - 1; i >= 0; i-- {
			k := 1.0
			switch name := f.Names[f.Name[i]]; {
			case strings.Contains(name, "lockSlow"):
				k = 0
			case strings.Contains(name, "mallocgc"):
				k = 1.6
			case strings.Contains(name, "json"):
				k = 1.05
			}
			after.Value[i] += k * float64(self[i]) / requests
			after.Before[i] = f.Value[i] / requests
			for j := i - 1; j >= 0; j-- {
				if f.Depth[j] == f.Depth[i]-1 {
					after.Value[j] += after.Value[i]
					break
				}
			}
		}
		out = append(out, after)
	}
	return out
}

// proved is a comparison of twelve rounds with everything in it.
func proved() ComparisonPage {
	lock := lockAtTheKnee()
	p := ComparisonPage{
		Comparison: comparisons()["proof"], Before: "./cmd/server at main", After: "./cmd/server at the working tree",
		Plan: unpark.Plan{Mode: unpark.Constant, RateRPS: 428, Connections: 64, Duration: 5, Warmup: 2}, Flames: differential(lock),
	}
	for i := range 12 {
		noise := func(k float64) float64 { return 1 + 0.03*math.Sin(float64(i)*k) }
		same := i%4 == 3
		r := Round{Number: i + 1, Identical: same, Before: map[string]float64{}, After: map[string]float64{}}
		for j, e := range p.Comparison.Effects {
			before, ratio := e.Before.Value.Or(1), e.Ratio.Value.Or(1)
			if same {
				ratio = 1
			}
			r.Before[e.Metric], r.After[e.Metric] = before*noise(1.3+float64(j)), before*ratio*noise(2.1+float64(j))
		}
		p.Rounds = append(p.Rounds, r)
	}
	return p
}

// hostileComparison has names that would act if they were not escaped.
func hostileComparison() ComparisonPage {
	evil := hostile().Findings[0].Title
	c := comparisons()["hostile"]
	c.Why = evil
	c.Refused = []unpark.Notice{{Code: evil, Message: evil, Cure: evil}}
	c.Effects[0].Before, c.Effects[0].After = unpark.Measured(1, evil, 3), unpark.Measured(2, evil, 3)
	return ComparisonPage{
		Comparison: c, Before: evil, After: evil, Flames: hostile().Flames,
		Rounds: []Round{{Number: 1, Before: map[string]float64{c.Effects[0].Metric: 1, evil: 2}, After: map[string]float64{c.Effects[0].Metric: 1, evil: 2}}},
	}
}

func html(t testing.TB, p ComparisonPage) string {
	t.Helper()
	var b bytes.Buffer
	if err := ComparisonHTML(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestComparisonPage(t *testing.T) {
	text := html(t, proved())
	for _, want := range []string{
		">MIXED<", "./cmd/server at main → ./cmd/server at the working tree", "p99 0.14 times what it was", `class="gone-word"`,
		"&#43;9.1 % (&#43;6.9 to &#43;11.4)", "±2.3 %", "12 rounds, and 3 of identical arms", `"per":"req"`, `"rps":[428,427.6]`, "data-width=\"before\"",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	style := between(t, text, "<style>", "</style>")
	if !strings.Contains(text, strings.ReplaceAll(digest([]byte(style)), "+", "&#43;")) {
		t.Error("the policy does not allow the page's own style")
	}
}

func TestComparisonPageOfNothing(t *testing.T) {
	for name, c := range comparisons() {
		text := html(t, ComparisonPage{Comparison: c})
		if !strings.Contains(text, "</html>") || strings.Contains(text, `id="dots"`) || strings.Contains(text, "data-graph=") {
			t.Errorf("%s: what has no rounds and no graphs draws some", name)
		}
	}
}

// TestComparisonPageWithoutTimes: where times are not compared, no graph of them is.
func TestComparisonPageWithoutTimes(t *testing.T) {
	p := proved()
	p.Comparison = comparisons()["apart"]
	text := html(t, p)
	for _, want := range []string{">NOT COMPARABLE<", "Times not compared", "During the run before, processes", "took 0.90 of 2 cores (45\u00a0%).", `data-graph="allocs"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, bad := range []string{`data-graph="cpu"`, `data-graph="block"`, "Times are not compared: as above"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

func TestComparisonPageEscapes(t *testing.T) {
	text := html(t, hostileComparison())
	for _, bad := range []string{"<img", "<script>document", "\x1b", "\u202e", "\x00"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q came through", bad)
		}
	}
}

func TestColumnsOfADifference(t *testing.T) {
	f := unpark.Flame{
		Kind: unpark.KindCPU, Unit: "s", Names: []string{"all\x00", "a\x00a.go:1", "b\x00b.go:2"},
		Name: []int{0, 1, 2}, Depth: []int{0, 1, 1}, Side: []byte("qqq"),
		Value: []float64{0, 0, 0}, Before: []float64{5, 2, 1},
	}
	g, err := graphs([]unpark.Flame{f})
	if err != nil || len(g) != 1 {
		t.Fatalf("a graph with nothing after: %d, %v", len(g), err)
	}
	c, err := toColumns(f)
	if err != nil || len(c.before) != 3 || c.before[0] != 2 || c.before[1] != 2 || c.before[2] != 1 || c.self[0] != 0 {
		t.Errorf("columns %+v, %v", c, err)
	}
	f.Before = f.Before[:2]
	if _, err := toColumns(f); err == nil {
		t.Error("columns of different lengths are accepted")
	}
}

// viewComparison opens a comparison in the browser.
func (b *browser) viewComparison(t *testing.T, p ComparisonPage, hash string, width, height int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(ComparisonHTML(f, p), f.Close()); err != nil {
		t.Fatal(err)
	}
	b.Must(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.Must(t, "Page.navigate", map[string]any{"url": "about:blank"}, nil)
	b.Must(t, "Page.navigate", map[string]any{"url": "file://" + file + hash}, nil)
	b.Until(t, `document.readyState === 'complete' && location.protocol === 'file:'`)
	if len(p.Flames) > 0 {
		b.Until(t, `document.getElementById('flame')?.dataset.ms !== undefined && document.getElementById('flame').dataset.drawn > 0`)
	}
}

func TestComparisonInBrowser(t *testing.T) {
	b := newBrowser(t)
	for _, width := range []int{390, 1280} {
		b.viewComparison(t, proved(), "#kind=cpu", width, 900)
		b.shoot(t, fmt.Sprintf("ab-%d", width))
		if w := b.Eval(t, `document.documentElement.scrollWidth`).(float64); int(w) > width {
			t.Errorf("the page is %v px wide on %d", w, width)
		}
	}
	if n := b.Eval(t, `document.querySelectorAll('#dots figure').length`).(float64); n != 5 {
		t.Errorf("%v metrics are drawn", n)
	}
	// Two dots a round on the left, one on the right, and the centre.
	if n := b.Eval(t, `document.querySelector('#dots figure').querySelectorAll('circle').length`).(float64); n != 12*3+1 {
		t.Errorf("%v dots", n)
	}
	if n := b.Eval(t, `document.querySelectorAll('#dots rect.floor').length`).(float64); n != 5 {
		t.Errorf("%v floors", n)
	}
	status := b.Text(t, "#flame-status")
	if !strings.Contains(status, "CPU time: 25.5 ms/req → ") || !strings.Contains(status, "×0.") {
		t.Errorf("status %q", status)
	}
	if got := b.Text(t, "#heaviest tbody tr"); !strings.Contains(got, "lockSlow") || !strings.Contains(got, "gone") {
		t.Errorf("what changed most: %q", got)
	}
	if w := b.flameNumber(t, "total"); !near(w, (109.1+0.6*9.4+0.05*16)/4280) {
		t.Errorf("the larger of both is %v", w)
	}
	b.Eval(t, `document.querySelector('[data-width=after]').click()`)
	b.Until(t, `location.hash.includes('width=after') && document.querySelector('[data-width=after]').getAttribute('aria-pressed') === 'true'`)
	if w := b.flameNumber(t, "total"); !near(w, (109.1-62.1+0.6*9.4+0.05*16)/4280) {
		t.Errorf("the arm after is %v", w)
	}
	b.Eval(t, `document.getElementById('per-second').click()`)
	b.Until(t, `location.hash.includes('per=second') && document.getElementById('flame-status').textContent.includes('/s →')`)
	if w := b.flameNumber(t, "before"); !near(w, 428*109.1/4280) {
		t.Errorf("before, per second: %v", w)
	}
	for name, want := range map[string]string{
		"example.com/a/pkg.(*Map[example.com/b.Key,go.shape.[]uint8]).Get": "pkg.(*Map[...]).Get",
		"net/http.(*conn).serve": "http.(*conn).serve", "a/b.cut[x/y": "b.cut[x/y", "a/b.Sum[...]": "b.Sum[...]",
	} {
		if got := b.Eval(t, fmt.Sprintf("(%s)(%q)", function(t, "flame.js", "shorten"), name)); got != want {
			t.Errorf("%s is shortened to %q, want %q", name, got, want)
		}
	}
	for _, width := range []int{1280, 420} {
		b.viewComparison(t, proved(), "", width, 900)
		if w := b.Eval(t, `document.documentElement.scrollWidth - innerWidth`).(float64); w > 0 {
			t.Errorf("%v pixels too wide at %d", w, width)
		}
	}
	b.viewComparison(t, hostileComparison(), "#hide=", 420, 900)
	if title := b.Eval(t, `document.title`).(string); !strings.HasSuffix(title, "· unpark") {
		t.Errorf("a name was executed: title %q", title)
	}
	if n := b.Eval(t, `document.querySelectorAll('img, iframe, object, a[href]').length`).(float64); n != 0 {
		t.Errorf("%v elements that are not ours", n)
	}
}

// TestScriptsLoopOverData: the arguments of a call are on the stack, which a run of a day
// overflows.
func TestScriptsLoopOverData(t *testing.T) {
	scripts := append(scriptNames(), comparisonScripts()...)
	slices.Sort(scripts)
	spread := regexp.MustCompile(`(Math\.\w+|push|unshift|concat|apply|fromCharCode)\([^\n]*\.\.\.[^\n]*`)
	for _, name := range slices.Compact(scripts) {
		text, err := look.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range spread.FindAllString(string(text), -1) {
			// The marks of a distribution are its percentiles.
			if !strings.HasPrefix(line, "push(") || !strings.Contains(line, "...h.marks.map(m => m.at)") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	b := newBrowser(t)
	b.Must(t, "Page.navigate", map[string]any{"url": "about:blank"}, nil)
	for name, want := range map[string]float64{"largest": 999_999, "lowest": -999_999} {
		source := function(t, "base.js", name)
		got := b.Eval(t, fmt.Sprintf("(%s)(Array.from({length: 2e6}, (_, i) => i === 7 ? NaN : i - 1e6 + (i === 0 ? 1 : 0)), 0)", source))
		if got != want {
			t.Errorf("%s of two million values: %v, want %v", name, got, want)
		}
	}
}

// function returns the source of a function of the page's script.
func function(t *testing.T, file, name string) string {
	t.Helper()
	source, err := look.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(source), "function "+name+"(")
	body, _, closed := strings.Cut(after, "\n}\n")
	if !found || !closed {
		t.Fatalf("%s has no function %s", file, name)
	}
	return "function(" + body + "\n}"
}

// TestComparisonScreenshots writes pictures for a person to look at.
func TestComparisonScreenshots(t *testing.T) {
	dir := os.Getenv("UNPARK_SHOTS")
	if dir == "" {
		t.Skip("UNPARK_SHOTS names no directory")
	}
	b := newBrowser(t)
	for _, shot := range []struct {
		name, scheme  string
		p             ComparisonPage
		width, height int
	}{
		{"proved", "light", proved(), 1280, 2900},
		{"proved-dark", "dark", proved(), 1280, 2900},
		{"proved-narrow", "light", proved(), 420, 4600},
		{"hostile", "light", hostileComparison(), 900, 2400},
		{"refused", "dark", ComparisonPage{Comparison: comparisons()["refused"], Before: "monday", After: "friday"}, 1000, 900},
	} {
		b.Must(t, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": shot.scheme}}}, nil)
		b.viewComparison(t, shot.p, "", shot.width, shot.height)
		b.Eval(t, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
		var picture struct {
			Data string `json:"data"`
		}
		b.Must(t, "Page.captureScreenshot", map[string]any{"format": "png"}, &picture)
		png, err := base64.StdEncoding.DecodeString(picture.Data)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("compare-%s.png", shot.name)), png, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
