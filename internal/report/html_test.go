package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// alone is the page of a run without others beside it.
func alone(w io.Writer, r unpark.Run) error { return HTML(w, r) }

func TestHTMLStandsAlone(t *testing.T) {
	text := render(t, alone, lockAtTheKnee())
	style := between(t, text, "<style>", "</style>")
	script := text[strings.LastIndex(text, "<script>")+len("<script>"):]
	script = script[:strings.Index(script, "</script>")]
	policy := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(between(t, text, `Policy" content="`, `">`))
	for _, want := range []string{"default-src 'none'", "style-src '" + digest([]byte(style)) + "'", "script-src '" + digest([]byte(script)) + "'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %q has no %q", policy, want)
		}
	}
	if n := strings.Count(text, "<script"); n != 7 { // data, five graphs, code
		t.Errorf("%d scripts", n)
	}
	for _, at := range regexp.MustCompile(`(?i)\s(src|href|action|style|on\w+)\s*=\s*"[^"]*"`).FindAllString(text, -1) {
		if at != ` href="data:,"` {
			t.Errorf("an attribute that loads or runs: %s", at)
		}
	}
	for _, bad := range []string{"url(", "@import", "eval(", "innerHTML", "fetch("} {
		if strings.Contains(text, bad) {
			t.Errorf("%s is in the page", bad)
		}
	}
}

func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, from)
	inside, _, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("no %s … %s", from, to)
	}
	return inside
}

func TestHTMLEscapes(t *testing.T) {
	text := render(t, alone, hostile())
	for _, bad := range []string{"<img", "<script>document", "\x1b", "\u202e", "\x00"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q came through", bad)
		}
	}
}

// TestOddFigures demands that no figure, however odd, stops a report.
func TestOddFigures(t *testing.T) {
	for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, math.MaxFloat64, 5e-324} {
		r := lockAtTheKnee()
		l := r.Windows[0].Load
		l.AchievedRPS, l.OfferedRPS = odd, odd
		l.Response = unpark.Latency{P50: odd, P90: odd, P95: odd, P99: odd, P999: odd, Max: odd, Mean: odd, Min: odd, N: 1, Buckets: []unpark.Bucket{{Le: odd, Count: 1}}}
		r.Windows[0].Timeline[3] = unpark.Tick{At: odd, RPS: odd, P50: odd, P99: odd}
		r.Windows[0].Observer = unpark.Observer{Wait: odd, CPU: odd, Throughput: unpark.Num(odd), TraceThroughput: unpark.Num(odd), TraceLatency: unpark.Num(odd)}
		r.Host.Memory, r.Plan.RateRPS, r.Plan.Warmup = odd, odd, odd
		p := &r.Findings[0].Prediction
		p.P99, p.P50, p.Throughput = unpark.Between(odd, odd, 1, "ratio", 1), unpark.Between(1, odd, odd, "ratio", 1), unpark.Measured(odd, "ratio", 1)
		r.Costs = costsOnly().Costs
		r.Costs[0].Share, r.Costs[0].Facts[0].Value = unpark.Num(odd), unpark.Num(odd)
		r.Costs[0].Prediction.Throughput = unpark.Between(odd, odd, 1, "ratio", 1)
		for _, f := range []func(io.Writer, unpark.Run) error{Text[unpark.Run], Color[unpark.Run], Markdown[unpark.Run], alone} {
			text := render(t, f, r)
			for _, bad := range []string{"NaN", "+Inf", "-Inf"} {
				if strings.Contains(text, bad) {
					t.Errorf("%v: %s is printed", odd, bad)
				}
			}
		}
	}
}

func TestGraphsRoundTrip(t *testing.T) {
	all := flames(unpark.Run{})
	all[0].Self = nil // not needed
	packed, err := graphs(append(all, unpark.Flame{Kind: unpark.KindHeap}, unpark.Flame{Kind: unpark.KindTrace, Names: []string{""}, Name: []int{0}, Depth: []int{0}, Value: []float64{0}, Side: []byte("q")}))
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) != len(all) {
		t.Fatalf("%d graphs of %d", len(packed), len(all))
	}
	raw, err := base64.StdEncoding.DecodeString(packed[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	head, columns, _ := bytes.Cut(whole, []byte("\n"))
	var got columnar
	if err := json.Unmarshal(head, &got); err != nil {
		t.Fatal(err)
	}
	want := flames(unpark.Run{})[0]
	n := len(want.Depth)
	if got.Nodes != n || len(columns) != 7*n || (len(head)+1)%4 != 0 || len(got.Names) != len(want.Names) || got.Deepest != slices.Max(want.Depth) || got.Both || !slices.Equal(got.Order, []string{"name", "depth", "side"}) {
		t.Fatalf("%d nodes in %d bytes behind %d, want %d: %+v", got.Nodes, len(columns), len(head), n, got)
	}
	for i, v := range want.Self {
		if self := float64(math.Float32frombits(binary.LittleEndian.Uint32(columns[4*i:]))); math.Abs(self-v) > 1e-6*v {
			t.Errorf("node %d holds %v, want %v", i, self, v)
		}
		if name, depth, side := columns[4*n+i], columns[5*n+i], columns[6*n+i]; int(name) != want.Name[i] || int(depth) != want.Depth[i] || sideLetters[side] != want.Side[i] {
			t.Errorf("node %d: name %d, depth %d, side %d", i, name, depth, side)
		}
	}
}

// TestOutline: a large graph has an outline of what is wide enough to be seen, which adds up to what the graph shows at first.
func TestOutline(t *testing.T) {
	for _, n := range []int{outlined - 1, outlined, 183_000} {
		f := bigFlame(n)
		packed, err := graphs([]unpark.Flame{f})
		if err != nil {
			t.Fatal(err)
		}
		o := packed[0].First
		if o == nil {
			if n >= outlined {
				t.Errorf("%d nodes have no outline", n)
			}
			continue
		}
		c, _ := toColumns(f)
		want, got := 0.0, 0.0
		for i, v := range c.self {
			if c.side[i] != 'o' {
				want += v
			}
		}
		for i, v := range o.Self {
			got += float64(v)
			if i > 0 && o.Depth[i] > o.Depth[i-1]+1 {
				t.Fatalf("node %d at depth %d is below none", i, o.Depth[i])
			}
		}
		if n < outlined || o.Nodes < 300 || o.Nodes > 6000 || len(o.Name) != o.Nodes || math.Abs(got-want) > 1e-4*want {
			t.Errorf("of %d nodes %d, %v of %v", n, o.Nodes, got, want)
		}
		if w := o.Told; w.Nodes != n || w.Hidden != "o" || math.Abs(w.Total-want) > 1e-6*want || w.Raw <= w.Total || len(w.Heaviest) != heaviestListed || len(o.Places) != heaviestListed {
			t.Errorf("of %d nodes it says %+v, want %v in all", n, w, want)
		}
	}
}

func TestBrokenGraphs(t *testing.T) {
	whole := func() unpark.Flame {
		return unpark.Flame{Kind: unpark.KindCPU, Names: []string{"all", "f"}, Name: []int{0, 1, 1}, Depth: []int{0, 1, 2}, Value: []float64{3, 2, 1}, Side: []byte("qqq")}
	}
	if _, err := toColumns(whole()); err != nil {
		t.Fatal(err)
	}
	for name, breakIt := range map[string]func(f *unpark.Flame){
		"a short column": func(f *unpark.Flame) { f.Value = f.Value[:2] },
		"no sides":       func(f *unpark.Flame) { f.Side = nil },
		"a gap in depth": func(f *unpark.Flame) { f.Depth[2] = 3 },
		"below nothing":  func(f *unpark.Flame) { f.Depth[0] = 1 },
		"negative depth": func(f *unpark.Flame) { f.Depth[1] = -1 },
		"two roots":      func(f *unpark.Flame) { f.Depth[2] = 0 },
		"no such name":   func(f *unpark.Flame) { f.Name[2] = 2 },
		"negative name":  func(f *unpark.Flame) { f.Name[2] = -1 },
	} {
		f := whole()
		breakIt(&f)
		if err := HTML(io.Discard, unpark.Run{Flames: []unpark.Flame{f}}); err == nil || !strings.Contains(err.Error(), "flame graph of cpu") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrors(t *testing.T) {
	for _, f := range []func(io.Writer, unpark.Run) error{Text[unpark.Run], Color[unpark.Run], JSON[unpark.Run], Markdown[unpark.Run], alone} {
		if err := f(broken{}, lockAtTheKnee()); err == nil {
			t.Error("a failed write is no error")
		}
	}
}

func BenchmarkHTML(b *testing.B) {
	r := lockAtTheKnee()
	r.Flames = []unpark.Flame{bigFlame(183_000)}
	for b.Loop() {
		if err := HTML(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
}
