package report

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestTailNamesBothEnds(t *testing.T) {
	r := traced(lockAtTheKnee(), tailChain())
	for name, want := range map[string]struct {
		form func(io.Writer, unpark.Run) error
		all  []string
	}{
		"text": {Text[unpark.Run], []string{
			"SLOWEST 1 %  41 of 4,012 traced requests, 91.0 ms against 24.0 ms in the middle", "inferred from",
			"+64.2 ms (58.1–70.6)   95.8 %  lock       …/store.(*Store).Get store.go:41",
			"← held by …/store.(*Store).Get store.go:58", "os.(*File).ReadAt (backing.go:33)",
			"← held up by …/journal.(*Log).flush log.go:112", "scheduler  ready to run, no processor free",
		}},
		"markdown": {Markdown[unpark.Run], []string{"**Slowest 1 %:** 41 of 4,012", "| lock | <code>example.com/shop/lookup/internal/store.(&#42;Store).Get store.go:41</code> |", "↳ held up by"}},
		"html": {alone, []string{
			"Why the slowest requests wait", `aria-label="slowest 1 %: 91.0 ms, of which lock 75.1 ms, syscall 8.70 ms`, "store.go:41", "82.5 % of the time of the slowest 1 %",
		}},
	} {
		text := render(t, want.form, r)
		for _, part := range want.all {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %q", name, part)
			}
		}
	}
}

// TestTailNearMisses changes one figure, and what must no longer be said.
func TestTailNearMisses(t *testing.T) {
	const row = "scheduler  ready to run"
	for name, test := range map[string]struct {
		change    func(x *unpark.Tracing)
		want, not string
	}{
		"whole":             {func(*unpark.Tracing) {}, row, "unexplained"},
		"may be chance":     {func(x *unpark.Tracing) { x.Excess[2].More.Low = num(1e-9) }, row, noExcess},
		"chance":            {func(x *unpark.Tracing) { x.Excess[2].More.Low = num(-1e-9) }, "channel", row},
		"less":              {func(x *unpark.Tracing) { x.Excess[2].More = unpark.Between(-2, -3, -1, "s/req", 41) }, "channel", row},
		"all chance":        {func(x *unpark.Tracing) { x.Excess = x.Excess[3:] }, noExcess, "+500 µs"},
		"no interval":       {func(x *unpark.Tracing) { x.Excess[2].More = unpark.Quantity{} }, "+1.10 ms ", "~ ("},
		"95 % explained":    {func(x *unpark.Tracing) { x.Explained = num(0.95) }, "95.0 % of their time", "unexplained"},
		"94 % explained":    {func(x *unpark.Tracing) { x.Explained = num(0.94) }, "! 6.0 % of the time of the slowest is unexplained", "too few"},
		"explained unknown": {func(x *unpark.Tracing) { x.Explained = unpark.Number{} }, "~ of their time", "unexplained"},
		"a part lost":       {func(x *unpark.Tracing) { x.Lost = num(0.1) }, "! 10.0 % of the trace could not be read; the figures", "too few"},
		"lost, not known":   {func(x *unpark.Tracing) { x.Lost, x.LostWhy = unpark.Number{}, "cut" }, "! A part of the trace could not be read: cut; the", "too few"},
		"marked":            {func(x *unpark.Tracing) { x.Inferred = false }, "marked by the", "inferred"},
		"no tail":           {func(x *unpark.Tracing) { x.Tail = unpark.Cohort{} }, "4,012 requests in 5.02 s of trace are too few", "middle · "},
		"no middle":         {func(x *unpark.Tracing) { x.Middle.N = 0 }, "--trace 10s", "+64.2"},
		"10 s were too few": {func(x *unpark.Tracing) { x.Middle.N, x.Seconds = 0, 10.02 }, "--trace 20s", "--trace 10s"},
		"no requests":       {func(x *unpark.Tracing) { *x = unpark.Tracing{Seconds: 2} }, "SLOWEST  no request began and ended inside 2.00 s of trace.", "under way"},
		"no holder":         {func(x *unpark.Tracing) { x.Edges[0].Holder = unpark.Site{} }, "lock       …/store", "held by …/store"},
		"another line":      {func(x *unpark.Tracing) { x.Edges[0].Waiter.Line++ }, "lock       …/store", "held by …/store"},
		"no chain behind":   {func(x *unpark.Tracing) { x.Edges[1].Chained = 0 }, "held by …/store", strings.Repeat(" ", 35) + "← held up by"},
		"several holders":   {func(x *unpark.Tracing) { x.Edges = append(x.Edges, secondHolder()) }, "← 75.0 % of it held by …/store", "100 % of it"},
		"one in a thousand": {func(x *unpark.Tracing) { x.Tail.From = 0.999 }, "SLOWEST 0.1 %", "SLOWEST 1 %"},
		"one in ten":        {func(x *unpark.Tracing) { x.Tail.From = 1 - 11.0/108 }, "SLOWEST 10 %", "SLOWEST 1 %"},
	} {
		x := tailChain()
		test.change(x)
		text := render(t, Text, traced(lockAtTheKnee(), x))
		if !strings.Contains(text, test.want) || strings.Contains(text, test.not) {
			t.Errorf("%s: want %q, and not %q:\n%s", name, test.want, test.not, text)
		}
		checkLines(t, text)
	}
	if text := render(t, Text, lockAtTheKnee()); strings.Contains(text, "SLOWEST") {
		t.Error("without a trace there is nothing to say of it")
	}
}

func secondHolder() unpark.Edge {
	return unpark.Edge{Class: unpark.WaitLock, Waiter: storeWait, Holder: poolPut, Delay: 3, Tail: 0.02503}
}

func TestTailKeepsShort(t *testing.T) {
	x := tailChain()
	for range 3 {
		x.Excess = append(x.Excess, x.Excess[:3]...)
	}
	_, text, _ := strings.Cut(render(t, Text, traced(lockAtTheKnee(), x)), "SLOWEST")
	text, _, _ = strings.Cut(text, "\n\n")
	if n := strings.Count(text, "\n") + 1; n > 18 {
		t.Errorf("%d lines:\n%s", n, text)
	}
	if !strings.Contains(text, "and 6 smaller") {
		t.Errorf("what is left out is not told:\n%s", text)
	}
}

// TestTailOddFigures demands that no figure, however odd, stops a report.
func TestTailOddFigures(t *testing.T) {
	for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, math.MaxFloat64, 5e-324} {
		x := tailChain()
		x.Seconds, x.Lost, x.Explained, x.Requests = odd, num(odd), num(odd), -5
		x.Tail, x.Middle = unpark.Cohort{From: odd, To: odd, N: 3, Mean: odd}, unpark.Cohort{From: odd, To: odd, N: 3, Mean: odd}
		for i := range x.States {
			x.States[i].All, x.States[i].Tail = odd, odd
		}
		for i := range x.Excess {
			x.Excess[i].Tail, x.Excess[i].More, x.Excess[i].Share = odd, unpark.Between(odd, odd, 1, "s/req", 1), num(odd)
		}
		for i := range x.Edges {
			x.Edges[i].Delay, x.Edges[i].Tail, x.Edges[i].Share = odd, odd, num(odd)
			x.Edges[i].Held[0].Share = odd
		}
		for _, f := range []func(io.Writer, unpark.Run) error{Text[unpark.Run], Color[unpark.Run], Markdown[unpark.Run], alone} {
			text := render(t, f, traced(lockAtTheKnee(), x))
			for _, bad := range []string{"NaN", "+Inf", "-Inf"} {
				if at := strings.Index(text, bad); at >= 0 {
					t.Errorf("%v: %s is printed: %s", odd, bad, text[max(0, at-100):at+20])
				}
			}
		}
	}
}

func TestGraphWalksChains(t *testing.T) {
	g := newWaitGraph(*tailChain())
	var got []string
	for _, l := range g.links {
		got = append(got, fmt.Sprintf("%d %s -%s-> %s %.1f %v", l.from.column, l.from.site.Place(), l.edge.Class, l.to.site.Place(), l.amount, l.chained))
	}
	want := []string{
		"0 store.go:41 -lock-> store.go:58 58.6 false",
		"0 log.go:77 -channel-> log.go:112 7.2 false",
		"0 server.go:88 -pool-> render.go:64 0.8 false",
		"1 store.go:58 -channel-> log.go:112 18.2 true", // behind the holder that waited there
		"1 log.go:112 -lock-> log.go:151 0.6 true",
		"2 log.go:112 -lock-> log.go:151 1.5 true",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestGraphUnanchored draws a chained wait whose holder is not in the picture, and
// one whose cause is not known.
func TestGraphUnanchored(t *testing.T) {
	x := &unpark.Tracing{Requests: 10, Edges: []unpark.Edge{{Class: unpark.WaitLock, Waiter: journalLock, Holder: journalRoll, Chained: 2}, {Class: unpark.WaitCond, Waiter: serveItem, Delay: 1}}}
	g := newWaitGraph(*x)
	if len(g.links) != 2 || g.used() != 2 {
		t.Fatalf("%d lines in %d columns", len(g.links), g.used())
	}
	tree := g.tree(*x)
	if len(tree) != 2 || !tree[0].Waits[0].Chained || tree[1].Waits[0].To.Known {
		t.Errorf("%+v", tree)
	}
}

func TestGraphSplitsAChain(t *testing.T) {
	held := []unpark.Held{{Class: unpark.WaitChannel, Site: journalSend, Share: 0.5}}
	x := unpark.Tracing{Requests: 10, Edges: []unpark.Edge{
		{Class: unpark.WaitLock, Waiter: storeWait, Holder: storeUnlock, Delay: 6, Held: held},
		{Class: unpark.WaitLock, Waiter: serveItem, Holder: poolPut, Delay: 2, Held: held},
		{Class: unpark.WaitChannel, Waiter: journalSend, Holder: journalTake, Chained: 4},
	}}
	g := newWaitGraph(x)
	if len(g.links) != 4 || g.links[2].amount != 3 || g.links[3].amount != 1 || g.links[2].to != g.links[3].to {
		t.Errorf("a chained wait is not shared among those that waited there: %+v", g.links)
	}
	if tree := g.tree(x); !tree[1].Waits[0].To.Held[0].Waits[0].To.Known {
		t.Error("the second way to a place does not name it")
	}
}

// TestGraphFits lays out graphs of any shape: boxes of a column lie apart, lines
// begin and end at their boxes, and all is inside the picture.
func TestGraphFits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	site := func() unpark.Site {
		n := random.IntN(9)
		return unpark.Site{Function: strings.Repeat("p", random.IntN(60)) + fmt.Sprintf(".f%d", n), File: "/a.go", Line: n}
	}
	classes := []unpark.WaitClass{unpark.WaitLock, unpark.WaitChannel}
	for range 400 {
		x := unpark.Tracing{Requests: 100}
		sites := []unpark.Site{{}}
		for range 6 {
			sites = append(sites, site())
		}
		pick := func() unpark.Site { return sites[random.IntN(len(sites))] }
		for range random.IntN(20) {
			e := unpark.Edge{Class: classes[random.IntN(2)], Waiter: pick(), Holder: pick(), Delay: max(0, random.NormFloat64()), Chained: max(0, random.NormFloat64())}
			for range random.IntN(8) {
				e.Held = append(e.Held, unpark.Held{Class: classes[random.IntN(2)], Site: pick(), Share: random.Float64() / 8})
			}
			x.Edges = append(x.Edges, e)
		}
		checkGraph(t, newWaitGraph(x).layout(x))
	}
}

// TestGraphLabels lets no label of the widest class and figures reach the head of
// its line.
func TestGraphLabels(t *testing.T) {
	x := tailChain()
	_, below, _ := linkText(&waitLink{edge: x.Edges[0], amount: 0.0999 * 4012}, *x)
	if room := columnGap - 8 - lineMost; float64(width(below))*5.9 > room {
		t.Errorf("%q needs more than %v px", below, room)
	}
}

func checkGraph(t *testing.T, v graphView) {
	t.Helper()
	for i, a := range v.Boxes {
		if a.X < 0 || a.Y < 0 || a.X+a.W > v.Width+0.2 || a.Y+a.H > v.Height {
			t.Fatalf("box %+v is outside of %v × %v", a, v.Width, v.Height)
		}
		for _, b := range v.Boxes[:i] {
			if a.X == b.X && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Fatalf("boxes overlap: %+v, %+v", a, b)
			}
		}
		for _, r := range a.Rows {
			if r.Y > a.Y+a.H || r.MoreY > a.Y+a.H {
				t.Fatalf("row %+v is outside of its box", r)
			}
		}
		for _, s := range a.Bar {
			if s.X < a.X || s.X+s.W > a.X+a.W {
				t.Fatalf("segment %+v is outside of its box %+v", s, a)
			}
		}
	}
	on := func(x, y float64, right bool) bool {
		for _, b := range v.Boxes {
			edge := b.X
			if right {
				edge += b.W
			}
			if math.Abs(edge-x) < 0.2 && y >= b.Y-0.2 && y <= b.Y+b.H+0.2 {
				return true
			}
		}
		return false
	}
	for _, l := range v.Lines {
		var x1, y1, x2, y2, skip float64
		if _, err := fmt.Sscanf(l.Path, "M%f,%f", &x1, &y1); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf(strings.ReplaceAll(l.Head, "L", " "), "M%f,%f %f,%f", &skip, &skip, &x2, &y2); err != nil {
			t.Fatal(err)
		}
		if !on(x1, y1, true) || !on(x2, y2, false) || l.Width < lineLeast || l.Width > lineMost {
			t.Fatalf("line %+v does not join two boxes", l)
		}
	}
}
