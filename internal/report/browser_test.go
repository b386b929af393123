package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/report/look"
	"github.com/unpark-go/unpark/internal/units"
)

// flame returns a data attribute of the flame graph.
func (b *browser) flame(t *testing.T, key string) string {
	t.Helper()
	v, _ := b.Eval(t, `document.getElementById('flame').dataset.`+key).(string)
	return v
}

func (b *browser) flameNumber(t *testing.T, key string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(b.flame(t, key), 64)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return v
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-4*math.Abs(b)+1e-12 }

func TestPageInBrowser(t *testing.T) {
	b := newBrowser(t)
	for _, test := range []struct {
		name string
		run  func(t *testing.T, b *browser)
	}{
		{"verdict and figures", pageVerdict},
		{"figures as in text", pageFigures},
		{"state in the address", pageAddress},
		{"bad address", pageBadAddress},
		{"costs", pageCosts},
		{"zoom by mouse and keys", pageZoom},
		{"search", pageSearch},
		{"callers and callees", pageAround},
		{"callers of what calls itself", pageRecursion},
		{"sides", pageSides},
		{"tooltip", pageTooltip},
		{"walk by keys", pageWalk},
		{"hostile names", pageHostile},
		{"many nodes", pageManyNodes},
		{"deep stacks", pageDeep},
		{"every example", pageEveryExample},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, b) })
	}
}

func pageVerdict(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "", 1280, 900)
	if got := b.Text(t, "h1"); !strings.Contains(got, "lock") || !strings.Contains(got, "78 ms is waiting") {
		t.Errorf("headline %q", got)
	}
	if got := b.Text(t, ".card .line"); got != "example.com/shop/lookup/internal/cache.(*Cache).Get cache.go:58" {
		t.Errorf("culprit %q", got)
	}
	if got := b.Text(t, ".gain"); !strings.Contains(got, "92.1 ms → 13.8 ms") {
		t.Errorf("gain %q", got)
	}
	if got := b.flame(t, "kind"); got != "block" {
		t.Errorf("a lock shows %q first", got)
	}
	if n := b.Eval(t, `document.querySelectorAll('#latency-chart path, #timeline-chart path').length`).(float64); n < 6 {
		t.Errorf("%v lines in the charts", n)
	}
	if got := b.Text(t, "#latency-chart"); !strings.Contains(got, "p99 92.1 ms") {
		t.Errorf("latency chart says %q", got)
	}
	if w := b.Eval(t, `document.documentElement.scrollWidth - innerWidth`).(float64); w > 0 {
		t.Errorf("%v pixels too wide", w)
	}
}

// pageFigures: the scripts print figures as units does.
func pageFigures(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "", 1280, 900)
	source, err := look.Read("base.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"s", "B", "count", "cores", "waiters", "ratio", ""} {
		for e := -12; e <= 17; e++ {
			for _, digits := range []float64{0, 1, 1.003, 4.567, 9.996, -2.34} {
				v := digits * math.Pow10(e)
				call := fmt.Sprintf("figure(%g, %q)", v, unit)
				if unit == "ratio" {
					call = fmt.Sprintf("percent(%g)", v)
				}
				if got := b.Eval(t, "(() => {"+string(source)+"\nreturn "+call+"})()"); got != units.Figure(v, unit) {
					t.Errorf("%s is %q, want %q", call, got, units.Figure(v, unit))
				}
			}
		}
	}
}

func pageAddress(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "#kind=mutex&zoom=4&q=json&hide=bo", 1280, 900)
	if k, z, n := b.flame(t, "kind"), b.flame(t, "zoom"), b.flame(t, "zoomName"); k != "mutex" || z != "4" || !strings.HasSuffix(n, "cache.(*Cache).Get") {
		t.Errorf("kind %s, zoom %s, %s", k, z, n)
	}
	// Below Get: 62.1 s of Lock and 16 s of decode, all of that in json.
	if m := b.flameNumber(t, "matched"); !near(m, 16/78.1) {
		t.Errorf("matched %v, want %v", m, 16/78.1)
	}
	status := b.Text(t, "#flame-status")
	for _, want := range []string{"cache.(*Cache).Get: 78.1 s, 18.2 ms/req, 79.6 % of 98.1 s", "“json” matches 20.5 %, 16.0 s", "13.3 % of the raw profile is hidden"} {
		if !strings.Contains(status, want) {
			t.Errorf("status %q has no %q", status, want)
		}
	}
	if got := b.Eval(t, `document.getElementById('q').value`); got != "json" {
		t.Errorf("search field %q", got)
	}
	if got := b.Eval(t, `[...document.querySelectorAll('#crumbs button')].map(c => c.textContent).join(' ')`); got !=
		"all http.(*conn).serve http.HandlerFunc.ServeHTTP web.(*Server).item cache.(*Cache).Get" {
		t.Errorf("crumbs %q", got)
	}
}

func pageBadAddress(t *testing.T, b *browser) {
	for _, hash := range []string{"#kind=nope&zoom=-3", "#zoom=1e9&q=%00%ff", "#kind=<script>&zoom=<img>&hide=<i>", "#&&==%"} {
		b.view(t, lockAtTheKnee(), hash, 1280, 900)
		if k, z := b.flame(t, "kind"), b.flame(t, "zoom"); k != "block" || z != "0" {
			t.Errorf("%s: kind %s, zoom %s", hash, k, z)
		}
	}
}

func pageZoom(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "#kind=block", 1280, 900)
	b.Click(t, "#flame-canvas", 40, 21*4+10)
	b.Until(t, `document.getElementById('flame').dataset.zoomName.endsWith('cache.(*Cache).Get')`)
	if hash := b.Eval(t, `location.hash`); hash != "#kind=block&zoom=4" {
		t.Errorf("address %v", hash)
	}
	b.Press(t, "Escape")
	b.Until(t, `document.getElementById('flame').dataset.zoom === '3'`)
	b.Eval(t, `history.back()`)
	b.Until(t, `document.getElementById('flame').dataset.zoom === '4'`)
	b.Eval(t, `document.querySelector('#crumbs button').click()`)
	b.Until(t, `document.getElementById('flame').dataset.zoom === '0'`)
	b.Eval(t, `document.querySelector('[role=tab][data-kind=cpu]').click()`)
	b.Until(t, `document.getElementById('flame').dataset.kind === 'cpu' && document.querySelector('[role=tab][data-kind=cpu]').getAttribute('aria-selected') === 'true'`)
}

func pageSearch(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "#kind=cpu", 1280, 900)
	b.Press(t, "/")
	for _, c := range "lockslow" {
		b.Press(t, string(c))
	}
	b.Until(t, `document.getElementById('flame').dataset.matched > 0`)
	// 62.1 of 113.1 s; of these the 4 s of the observer are hidden.
	if m := b.flameNumber(t, "matched"); !near(m, 62.1/109.1) {
		t.Errorf("matched %v, want %v", m, 62.1/109.1)
	}
	if got := b.Text(t, "#heaviest"); !strings.Contains(got, "sync.(*Mutex).lockSlow62.1 s56.9 %") {
		t.Errorf("what matches: %q", got)
	}
	if hash := b.Eval(t, `location.hash`); hash != "#kind=cpu&q=lockslow" {
		t.Errorf("address %v", hash)
	}
	b.Press(t, "Escape")
	b.Until(t, `document.getElementById('flame').dataset.matched === '' && document.getElementById('q').value === ''`)
}

func pageSides(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "#kind=block&hide=", 1280, 900)
	if v := b.flameNumber(t, "total"); !near(v, 113.1) {
		t.Errorf("everything is %v", v)
	}
	b.Eval(t, `document.getElementById('quiet').click()`)
	b.Until(t, `document.getElementById('flame').dataset.hide === 'bo'`)
	if v := b.flameNumber(t, "total"); !near(v, 113.1-11-4) {
		t.Errorf("without background and observer %v", v)
	}
	b.Eval(t, `document.querySelector('[data-side=r]').click()`)
	b.Until(t, `document.getElementById('flame').dataset.hide === 'bor'`)
	if v := b.flameNumber(t, "total"); !near(v, 90.5) {
		t.Errorf("the request path is %v", v)
	}
	b.Eval(t, `document.getElementById('quiet').click()`)
	b.Until(t, `document.getElementById('flame').dataset.hide === 'r'`)
}

func pageTooltip(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "#kind=cpu", 1280, 900)
	b.Eval(t, `document.getElementById('flame-canvas').scrollIntoView({block: 'start'})`)
	b.Eval(t, `(() => { const c = document.getElementById('flame-canvas'), r = c.getBoundingClientRect();
		c.dispatchEvent(new PointerEvent('pointermove', {clientX: r.left + 30, clientY: r.top + 21 * 4 + 8})) })()`)
	got := b.Text(t, "#tip")
	for _, want := range []string{
		"example.com/shop/lookup/internal/cache.(*Cache).Get", "/src/lookup/internal/cache/cache.go:41", "78.1 s, 18.2 ms/req · 71.6 %", "request path",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("tooltip %q has no %q", got, want)
		}
	}
}

func pageWalk(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "#kind=cpu", 1280, 900)
	b.Eval(t, `document.getElementById('flame-canvas').focus()`)
	for _, step := range []struct{ key, want string }{
		{"ArrowDown", "net/http.(*conn).serve"},
		{"ArrowRight", "example.com/shop/lookup/internal/cache.(*Cache).refresh"},
		{"ArrowDown", "time.Sleep"},
		{"ArrowUp", "example.com/shop/lookup/internal/cache.(*Cache).refresh"},
		{"ArrowLeft", "net/http.(*conn).serve"},
	} {
		b.Press(t, step.key)
		if got := b.flame(t, "selected"); got != step.want {
			t.Errorf("after %s %q, want %q", step.key, got, step.want)
		}
	}
	b.Press(t, "Enter")
	b.Until(t, `document.getElementById('flame').dataset.zoom === '1'`)
}

func pageHostile(t *testing.T, b *browser) {
	b.view(t, hostile(), "#kind=cpu&hide=&q=script&zoom=1", 420, 900)
	if title := b.Eval(t, `document.title`); !strings.HasSuffix(title.(string), "· unpark") {
		t.Errorf("a name was executed: title %q", title)
	}
	if n := b.Eval(t, `document.querySelectorAll('img, iframe, object, a[href]').length + (document.querySelectorAll('script').length - 2 - document.querySelectorAll('script[data-graph]').length)`).(float64); n != 0 {
		t.Errorf("%v elements that are not ours", n)
	}
	if b.flame(t, "drawn") == "0" {
		t.Error("nothing was drawn")
	}
	if w := b.Eval(t, `document.documentElement.scrollWidth - innerWidth`).(float64); w > 0 {
		t.Errorf("%v pixels too wide", w)
	}
	if got := b.Text(t, "main"); strings.ContainsAny(got, "\x1b\u202e\x00") {
		t.Error("control characters came through")
	}
}

func pageDeep(t *testing.T, b *browser) {
	f := unpark.Flame{Kind: unpark.KindCPU, Unit: "s", Names: []string{"all\x00", "main.recurse\x00/a.go:1"}}
	for d := range 5000 {
		f.Name, f.Depth, f.Value, f.Side = append(f.Name, min(d, 1)), append(f.Depth, d), append(f.Value, 3), append(f.Side, 'q')
	}
	r := lockAtTheKnee()
	r.Flames = []unpark.Flame{f}
	b.view(t, r, "#kind=cpu", 420, 900)
	if n := b.flameNumber(t, "drawn"); n < 200 || n > 5000 {
		t.Errorf("%v drawn", n)
	}
	if painted := b.Eval(t, `document.getElementById('flame-canvas').getContext('2d').getImageData(5, 30, 1, 1).data[3]`); painted != 255.0 {
		t.Errorf("the canvas is empty: %v", painted)
	}
}

func pageEveryExample(t *testing.T, b *browser) {
	for name, r := range examples() {
		b.view(t, r, "", 420, 900)
		if got := b.Text(t, "h1"); got == "" {
			t.Errorf("%s: no verdict", name)
		}
		if w := b.Eval(t, `document.documentElement.scrollWidth - innerWidth`).(float64); w > 0 {
			t.Errorf("%s: %v pixels too wide", name, w)
		}
		if cut := b.Eval(t, `[...document.querySelectorAll('#latency-chart text')].filter(x => { const box = x.getBBox(); return box.x < 0 || box.x + box.width > x.ownerSVGElement.clientWidth }).map(x => x.textContent).join()`); cut != "" {
			t.Errorf("%s: labels are cut off: %v", name, cut)
		}
	}
	tight := lockAtTheKnee()
	l := &tight.Windows[0].Load.Response
	l.Min, l.P50, l.P90, l.P99, l.P999, l.Max = 0.00065, 0.0196, 0.0218, 0.0261, 0.0357, 0.036
	b.view(t, tight, "", 420, 900)
	if got := b.Text(t, "#latency-chart"); !strings.Contains(got, "p99 26.1 ms") {
		t.Errorf("latency chart says %q", got)
	}
}
