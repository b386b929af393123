package profile

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

var blockTypes = []string{"contentions/count", "delay/nanoseconds"}

func sums(p *Profile) map[string]float64 {
	out := map[string]float64{}
	for _, s := range p.Samples() {
		out[names(s.Stack)] += s.Value
	}
	return out
}

func TestMergeAddsByFrame(t *testing.T) {
	a := mustDecode(t, build(t, blockTypes, map[string]int64{"runtime.chanrecv1 main.a": 3e9, "runtime.selectgo main.b": 1e9}), unpark.KindBlock)
	// In the other process the same frames have other numbers.
	b := mustDecode(t, build(t, blockTypes, map[string]int64{"runtime.chanrecv1 main.z": 1e9, "runtime.chanrecv1 main.a": 2e9}), unpark.KindBlock)
	m := Merge(nil, a, b, nil)
	want := map[string]float64{"runtime.chanrecv1 main.a": 5, "runtime.selectgo main.b": 1, "runtime.chanrecv1 main.z": 1}
	got := sums(m)
	for k, v := range want {
		if math.Abs(got[k]-v) > 1e-9 {
			t.Errorf("%s: %v, want %v", k, got[k], v)
		}
	}
	if len(got) != len(want) || m.Kind() != unpark.KindBlock {
		t.Errorf("got %v of kind %s", got, m.Kind())
	}
	if v := m.Through("main.a"); math.Abs(v-5) > 1e-9 || m.Through("main.x") != 0 || math.Abs(m.Through("runtime.chanrecv1")-6) > 1e-9 {
		t.Errorf("%v through main.a, %v through chanrecv1", v, m.Through("runtime.chanrecv1"))
	}
	if again := Merge(m, a); m.Processes() != 2 || a.Processes() != 1 || again.Processes() != 3 || math.Abs(again.Total()-11) > 1e-9 {
		t.Errorf("merged of %d, %d and %d processes, %v in all", a.Processes(), m.Processes(), again.Processes(), again.Total())
	}
	if a.Total() != 4 || b.Total() != 3 {
		t.Error("Merge changed its arguments")
	}
	if e := Merge(); e.Kind() != "" || e.Total() != 0 || len(e.Samples()) != 0 {
		t.Errorf("Merge of nothing is %v", e)
	}
}

func TestMergeOfRealProcessesIsTheSum(t *testing.T) {
	for kind, data := range realProfiles(t) {
		p := mustDecode(t, data, kind)
		m := Merge(p, p, p)
		if math.Abs(m.Total()-3*p.Total()) > 1e-6*p.Total() {
			t.Errorf("%s: %v merged, 3 × %v", kind, m.Total(), p.Total())
		}
		if len(m.samples) != len(p.samples) {
			t.Errorf("%s: %d samples became %d", kind, len(p.samples), len(m.samples))
		}
	}
}

func TestSub(t *testing.T) {
	early := mustDecode(t, build(t, blockTypes, map[string]int64{"runtime.chanrecv1 main.a": 3e9, "runtime.selectgo main.b": 1e9}), unpark.KindBlock)
	late := mustDecode(t, build(t, blockTypes, map[string]int64{"runtime.chanrecv1 main.a": 8e9, "runtime.selectgo main.b": 1e9, "runtime.selectgo main.c": 2e9}), unpark.KindBlock)
	early.start, late.start = time.Unix(100, 0), time.Unix(110, 0)
	d := late.Sub(early)
	got := sums(d)
	if len(got) != 2 || got["runtime.chanrecv1 main.a"] != 5 || got["runtime.selectgo main.c"] != 2 {
		t.Errorf("difference %v", got)
	}
	if d.Duration() != 10*time.Second || d.Clamped() != 0 {
		t.Errorf("duration %v, clamped %d", d.Duration(), d.Clamped())
	}
	// Two values each of main.a and main.c shrank.
	back := early.Sub(late)
	if back.Total() != 0 || back.Clamped() != 4 || len(back.Samples()) != 0 {
		t.Errorf("total %v, clamped %d", back.Total(), back.Clamped())
	}
	if all := late.Sub(nil); all.Total() != late.Total() {
		t.Errorf("minus nothing is %v", all.Total())
	}
}

func TestSubKeepsWhatMayShrink(t *testing.T) {
	types := []string{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"}
	early := mustDecode(t, build(t, types, map[string]int64{"main.a": 9}), unpark.KindAllocs)
	late := mustDecode(t, build(t, types, map[string]int64{"main.a": 4}), unpark.KindAllocs)
	d := late.Sub(early)
	if d.Clamped() != 2 || len(d.values) != 4 || d.values[2] != -5 || d.values[0] != 0 {
		t.Errorf("values %v, clamped %d", d.values, d.Clamped())
	}
}

func TestWriteRoundTrip(t *testing.T) {
	for kind, data := range realProfiles(t) {
		p := mustDecode(t, data, kind)
		var b bytes.Buffer
		if err := Merge(p, p).Write(&b); err != nil {
			t.Fatal(err)
		}
		q := mustDecode(t, b.Bytes(), kind)
		got, want := sums(q), sums(p)
		for k, v := range want {
			if math.Abs(got[k]-2*v) > 1e-6*v {
				t.Errorf("%s %s: %v, want twice %v", kind, k, got[k], v)
			}
		}
		labels := 0
		for _, s := range p.Samples() {
			labels += len(s.Labels)
		}
		for _, s := range q.Samples() {
			labels -= len(s.Labels)
		}
		if labels != 0 {
			t.Errorf("%s: %d labels were lost", kind, labels)
		}
	}
}

func TestGoToolPprofOpensWhatIsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the go command")
	}
	p := Merge(mustDecode(t, build(t, []string{"samples/count", "cpu/nanoseconds"},
		map[string]int64{"main.inner+main.middle main.outer": 2e9}), unpark.KindCPU))
	file := filepath.Join(t.TempDir(), "cpu.pb.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "pprof", "-top", file)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"main.inner (inline)", "main.outer", "100%"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
