package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// bigFlame is a graph of n nodes in which most are narrower than a pixel.
func bigFlame(n int) unpark.Flame {
	f := unpark.Flame{Kind: unpark.KindCPU, Unit: "s", Names: []string{"all\x00"}}
	for i := range 4000 {
		f.Names = append(f.Names, fmt.Sprintf("example.com/big/pkg%d.(*Type).Method%d\x00/src/big/pkg%d/file.go:%d", i%90, i, i%90, i))
	}
	add := func(depth, name int, v float64) {
		f.Name, f.Depth, f.Value, f.Side = append(f.Name, name), append(f.Depth, depth), append(f.Value, v), append(f.Side, "qqqbro"[name%6])
	}
	add(0, 0, 0)
	for k := 1; len(f.Name) < n; k++ {
		v := 100 / float64(k) / float64(k)
		f.Value[0] += v
		for d := 1; d <= 30 && len(f.Name) < n; d++ {
			add(d, 1+(k*31+d*7)%4000, v)
		}
	}
	f.Total = f.Value[0]
	return f
}

func pageManyNodes(t *testing.T, b *browser) {
	r := lockAtTheKnee()
	r.Flames = []unpark.Flame{bigFlame(183_000)}
	b.view(t, r, "", 1280, 900)
	drawn, ms := b.flameNumber(t, "drawn"), b.flameNumber(t, "ms")
	t.Logf("183,000 nodes: %v of them and then %v drawn, told in %v ms, unpacked and drawn in %v ms; since the page was asked for, in ms: %v", b.flameNumber(t, "outlined"), drawn, b.flameNumber(t, "told"), ms,
		b.Eval(t, `performance.getEntriesByType('mark').map(m => m.name + ' ' + Math.round(m.startTime)).join(', ')`))
	if outlined := b.flameNumber(t, "outlined"); b.flame(t, "nodes") != "183000" || drawn < 100 || drawn > 20_000 || math.Abs(outlined-drawn) > 0.1*drawn {
		t.Errorf("%s nodes, %v drawn, at first %v", b.flame(t, "nodes"), drawn, outlined)
	}
	// What the page says of the graph while it is packed is what it says of it whole.
	said := func() string {
		return b.Text(t, "#flame-status") + b.Text(t, "#heaviest") + fmt.Sprint(b.Eval(t, `[...document.querySelectorAll('#heaviest button, [aria-pressed]')].map(x => x.title + x.getAttribute('aria-pressed')).join()`))
	}
	first := said()
	b.Eval(t, `delete document.getElementById('flame').dataset.ms, location.hash = '#kind=cpu'`)
	b.Until(t, `document.getElementById('flame').dataset.ms !== undefined`)
	if again := said(); again != first || !strings.Contains(first, "% of the raw profile is hidden") || !strings.Contains(first, "/src/big/") {
		t.Errorf("packed %q, unpacked %q", first, again)
	}
	// What is searched for is told and marked where it is too narrow to be drawn: the last of the stacks.
	b.Eval(t, `location.hash = '#kind=cpu&hide=&q=Method3999'`)
	b.Until(t, `document.getElementById('flame').dataset.matched > 0`)
	if got := b.Text(t, "#flame-status"); !strings.Contains(got, "matches <0.01 %") || !strings.Contains(got, "in one function") {
		t.Errorf("a search says %q", got)
	}
	redrawn := b.Eval(t, `(async () => {
		const flame = document.getElementById('flame'), all = [], frame = () => new Promise(done => requestAnimationFrame(done));
		for (let i = 0; i < 40; i++) {
			const was = flame.dataset.zoom, to = i % 2 ? 0 : 1 + i;
			location.hash = '#kind=cpu&hide=&zoom=' + to;
			while (flame.dataset.zoom !== String(to)) await frame();
			all.push(Number(flame.dataset.ms));
		}
		return all.sort((a, b) => a - b).join(' ');
	})()`)
	t.Logf("zoomed in and out 40 times, from the address to the drawn graph and its table, in ms: %v", redrawn)
	if ms > 10_000 { // half a second on an idle machine; tests share theirs
		t.Errorf("shown in %v ms", ms)
	}
}
