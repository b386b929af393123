package report

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestTailInBrowser(t *testing.T) {
	b := newBrowser(t)
	for _, test := range []struct {
		name string
		run  func(t *testing.T, b *browser)
	}{
		{"panel and graph", tailPanel},
		{"narrow", tailNarrow},
		{"stack on demand", tailStack},
		{"without script", tailWithoutScript},
		{"few requests", tailTooFew},
		{"hostile names", tailHostilePage},
		{"no trace", tailAbsent},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, b) })
	}
}

// shown reports whether an element has a size on the page.
func (b *browser) shown(t *testing.T, selector string) bool {
	t.Helper()
	v, _ := b.Eval(t, `(() => { const r = document.querySelector('`+selector+`')?.getBoundingClientRect(); return !!r && r.width > 10 && r.height > 10 })()`).(bool)
	return v
}

func (b *browser) fits(t *testing.T) {
	t.Helper()
	if w := b.Eval(t, `document.documentElement.scrollWidth - innerWidth`).(float64); w > 0 {
		t.Errorf("%v pixels too wide", w)
	}
}

func tailPanel(t *testing.T, b *browser) {
	b.view(t, traced(lockAtTheKnee(), tailChain()), "", 1280, 900)
	if got := b.Text(t, "#tail"); got != "Why the slowest requests wait" {
		t.Errorf("headline %q", got)
	}
	if !b.shown(t, ".tail .graph") || b.shown(t, ".tail .tree") {
		t.Error("a wide window shows the picture and not the list")
	}
	for selector, want := range map[string]float64{
		".states svg": 3, ".states svg rect": 18, ".legend-table tbody tr": 6, ".excess tbody tr": 4, ".excess tbody tr.dim": 1,
		".graph .node": 9, ".graph .wait": 6, ".graph .wait.chained": 3,
	} {
		if n := b.Eval(t, `document.querySelectorAll('`+selector+`').length`); n != want {
			t.Errorf("%v of %s, want %v", n, selector, want)
		}
	}
	// As thick as the wait is long, and in the colour of its class.
	if w := b.Eval(t, `[...document.querySelectorAll('.graph .line')].map(l => getComputedStyle(l).strokeWidth).slice(0, 2).join(' ')`); w != "12px 1.5px" {
		t.Errorf("lines are %v thick", w)
	}
	if v := b.Eval(t, `(() => { const of = (s, k) => getComputedStyle(document.querySelector(s))[k]; return of('.graph .c-lock .line', 'stroke') === of('.states rect.c-lock', 'fill') && of('.states rect.c-lock', 'fill') === of('.excess .swatch.c-lock', 'backgroundColor') })()`); v != true {
		t.Error("a lock has several colours")
	}
	// No text leaves its box: the monospaced columns are as wide as was reckoned.
	if n := b.Eval(t, `[...document.querySelectorAll('.graph .node')].filter(g => { const r = g.querySelector('.box').getBoundingClientRect(); return [...g.querySelectorAll('text')].some(x => x.getBoundingClientRect().right > r.right) }).length`); n != 0.0 {
		t.Errorf("text leaves %v boxes", n)
	}
	b.fits(t)
}

func tailNarrow(t *testing.T, b *browser) {
	b.view(t, traced(lockAtTheKnee(), tailChain()), "", 400, 900)
	if b.shown(t, ".tail .graph") || !b.shown(t, ".tail .tree") {
		t.Error("a narrow window shows the list and not the picture")
	}
	tree := b.Text(t, ".tree > li")
	at := 0
	for _, want := range []string{"store.(*Store).Get", "lock 14.6 ms/req, 82.5 % of the time of the slowest 1 %, held by", "store.go:58", "62.0 % in os.(*File).ReadAt", "channel 4.54 ms/req behind it, held up by", "log.go:112", "log.go:151"} {
		i := strings.Index(tree[at:], want)
		if i < 0 {
			t.Fatalf("%q does not follow in %q", want, tree)
		}
		at += i
	}
	b.fits(t)
}

func tailStack(t *testing.T, b *browser) {
	b.view(t, traced(lockAtTheKnee(), tailChain()), "", 1280, 900)
	if b.Eval(t, `document.querySelector('.excess .stack li').checkVisibility()`) == true {
		t.Error("stacks are open")
	}
	b.Eval(t, `document.querySelector('.excess summary').click()`)
	b.Until(t, `document.querySelector('.excess .stack li').checkVisibility()`)
	if got := b.Text(t, ".excess .stack"); !strings.HasPrefix(got, "…/sync.(*Mutex).Lock") && !strings.HasPrefix(got, "sync.(*Mutex).Lock") {
		t.Errorf("stack %q", got)
	}
}

func tailWithoutScript(t *testing.T, b *browser) {
	b.Must(t, "Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	defer b.Must(t, "Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil)
	r := traced(lockAtTheKnee(), tailChain())
	r.Flames = nil // drawn by script, which view would wait for
	b.view(t, r, "", 1280, 900)
	if !b.shown(t, ".tail .graph") || !b.shown(t, ".states rect") {
		t.Error("the panel needs script")
	}
}

func tailTooFew(t *testing.T, b *browser) {
	b.view(t, traced(healthy(), tailFew()), "", 400, 900)
	if got := b.Text(t, ".tail"); !strings.Contains(got, "38 requests in 1.02 s of trace are too few") || !strings.Contains(got, "--trace 10s") || strings.Contains(got, "slowest 1 %") {
		t.Errorf("panel %q", got)
	}
	if n := b.Eval(t, `document.querySelectorAll('.states svg').length`); n != 1.0 {
		t.Errorf("%v bars", n)
	}
	b.fits(t)
}

func tailHostilePage(t *testing.T, b *browser) {
	for _, width := range []int{1280, 400} {
		b.view(t, hostile(), "", width, 900)
		if title := b.Eval(t, `document.title`); !strings.HasSuffix(title.(string), "· unpark") {
			t.Errorf("a name was executed: title %q", title)
		}
		if n := b.Eval(t, `document.querySelectorAll('.tail :is(script, img, a, iframe, style)').length`); n != 0.0 {
			t.Errorf("%v elements that are not ours", n)
		}
		if got := b.Text(t, ".tail"); !strings.Contains(got, "<script>document.title") || strings.ContainsAny(got, "\x1b\u202e\x00") {
			t.Errorf("a name is not shown as it is: %q", got)
		}
		b.fits(t)
	}
}

func tailAbsent(t *testing.T, b *browser) {
	b.view(t, lockAtTheKnee(), "", 1280, 900)
	if got := b.Text(t, ".tail"); got != "" {
		t.Errorf("without a trace the page says %q", got)
	}
	var empty unpark.Tracing
	b.view(t, traced(healthy(), &empty), "", 1280, 900)
	if got := b.Text(t, ".tail"); !strings.Contains(got, "No request began and ended inside") || b.shown(t, ".graph") {
		t.Errorf("of an empty trace the page says %q", got)
	}
}
