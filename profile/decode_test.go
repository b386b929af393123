package profile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"runtime/pprof"
	"strings"
	"testing"

	gpprof "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

func TestDecodeKeepsEveryValue(t *testing.T) {
	for kind, data := range realProfiles(t) {
		t.Run(string(kind), func(t *testing.T) {
			raw, err := gpprof.ParseData(data)
			if err != nil {
				t.Fatal(err)
			}
			p := mustDecode(t, data, kind)
			for i, typ := range raw.SampleType {
				var want, got int64
				for _, s := range raw.Sample {
					want += s.Value[i]
				}
				for j := range p.samples {
					got += p.values[j*len(p.types)+i]
				}
				if got != want {
					t.Errorf("%s sums to %d, the parser's to %d", typ.Type, got, want)
				}
			}
			var sum float64
			for _, s := range p.Samples() {
				sum += s.Value
			}
			if math.Abs(sum-p.Total()) > 1e-9*math.Abs(sum) {
				t.Errorf("samples sum to %v, Total is %v", sum, p.Total())
			}
			if got, err := Detect(bytes.NewReader(data)); err != nil || got != kind {
				t.Errorf("Detect = %v, %v", got, err)
			}
		})
	}
}

// build encodes a profile of the given types with one sample for each stack; a
// location of several functions has the inlined ones first.
func build(t testing.TB, types []string, stacks map[string]int64) []byte {
	t.Helper()
	p := &gpprof.Profile{}
	for _, s := range types {
		name, unit, _ := strings.Cut(s, "/")
		p.SampleType = append(p.SampleType, &gpprof.ValueType{Type: name, Unit: unit})
	}
	functions := map[string]*gpprof.Function{}
	for _, text := range sortedKeys(stacks) {
		s := &gpprof.Sample{}
		for range types {
			s.Value = append(s.Value, stacks[text])
		}
		for _, at := range strings.Fields(text) {
			loc := &gpprof.Location{ID: uint64(len(p.Location) + 1)}
			for _, name := range strings.Split(at, "+") {
				f := functions[name]
				if f == nil {
					f = &gpprof.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: "f.go"}
					functions[name] = f
					p.Function = append(p.Function, f)
				}
				loc.Line = append(loc.Line, gpprof.Line{Function: f, Line: 7})
			}
			p.Location = append(p.Location, loc)
			s.Location = append(s.Location, loc)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func names(stack []unpark.Site) string {
	var out []string
	for _, s := range stack {
		out = append(out, s.Function)
	}
	return strings.Join(out, " ")
}

func TestDecodeExpandsInlinedFrames(t *testing.T) {
	p := mustDecode(t, build(t, []string{"samples/count", "cpu/nanoseconds"}, map[string]int64{
		"main.inner+main.middle main.outer": 2e9,
		// The same frames from another address are the same stack.
		"main.inner main.middle main.outer": 1e9,
	}), unpark.KindCPU)
	var total float64
	for _, s := range p.Samples() {
		if names(s.Stack) != "main.inner main.middle main.outer" {
			t.Errorf("stack %q", names(s.Stack))
		}
		total += s.Value
	}
	if total != 3 || p.Total() != 3 {
		t.Errorf("total %v s and %v s, want 3", total, p.Total())
	}
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	w.Close()
	return out.Bytes()
}

func TestDecodeSaysWhatIsWrong(t *testing.T) {
	cpu := build(t, []string{"samples/count", "cpu/nanoseconds"}, map[string]int64{"main.a main.b": 1})
	var text, dump bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&text, 1)
	_ = pprof.Lookup("goroutine").WriteTo(&dump, 2)
	plain, err := io.ReadAll(must(gzip.NewReader(bytes.NewReader(cpu))))
	if err != nil {
		t.Fatal(err)
	}
	contention := []string{"contentions/count", "delay/nanoseconds"}
	for _, c := range []struct {
		name string
		data []byte
		kind unpark.Kind
		want string
	}{
		{"empty", nil, unpark.KindCPU, "is empty"},
		{"html", []byte("\n<!DOCTYPE html><html>nope"), unpark.KindCPU, "is HTML, not a profile: the server answered with a page"},
		{"html in gzip", zipped([]byte("<html><body>nope")), unpark.KindCPU, "is HTML, not a profile"},
		{"json", []byte(`{"error":"no"}`), unpark.KindCPU, `is JSON, not a profile: "{\"error\":\"no\"}"`},
		{"text", []byte("404 page not found\n"), unpark.KindCPU, `is text, not a profile: "404 page not found"`},
		{"debug=1", text.Bytes(), unpark.KindGoroutine, "is the text form of a goroutine profile (debug=1)"},
		{"debug=2", dump.Bytes(), unpark.KindGoroutine, "is a goroutine dump in text (debug=2)"},
		{"trace", []byte("go 1.26 trace\x00\x00\x00\x01\x02"), unpark.KindCPU, "is an execution trace"},
		{"truncated", cpu[:len(cpu)/2], unpark.KindCPU, "truncated after"},
		{"truncated header", cpu[:5], unpark.KindCPU, "truncated after 5 bytes"},
		{"truncated inside", plain[:len(plain)-3], unpark.KindCPU, "is damaged or truncated after"},
		{"not a profile", []byte("\x00\x01\x02\x03"), unpark.KindCPU, "is damaged"},
		{"twice", append(append([]byte{}, plain...), plain...), unpark.KindCPU, "is no valid profile"},
		{"wrong kind", cpu, unpark.KindHeap, "is a cpu profile, not a heap profile"},
		{
			"mutex for block",
			build(t, contention, map[string]int64{"sync.(*Mutex).Unlock main.a": 1}),
			unpark.KindBlock, "is a mutex profile, not a block profile",
		},
		{
			"block for mutex",
			build(t, contention, map[string]int64{"runtime.chanrecv1 main.a": 1}),
			unpark.KindMutex, "is a block profile, not a mutex profile",
		},
		{"unknown", build(t, []string{"apples/count"}, map[string]int64{"main.a": 1}), unpark.KindCPU, "apples/count"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode(bytes.NewReader(c.data), c.kind, "x/7/file.pb.gz")
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v is no *Error", err)
			}
			if !strings.HasPrefix(err.Error(), "profile x/7/file.pb.gz: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want %q in it", err, c.want)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestDecodeAcceptsWhatCannotBeTold(t *testing.T) {
	types := []string{"contentions/count", "delay/nanoseconds"}
	empty := build(t, types, nil)
	for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindMutex} {
		if p := mustDecode(t, empty, k); p.Kind() != k || p.Total() != 0 {
			t.Errorf("kind %v, total %v", p.Kind(), p.Total())
		}
	}
	if _, err := Detect(bytes.NewReader(empty)); err == nil {
		t.Error("an empty contention profile has a kind")
	}
	heap := build(t, []string{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"}, map[string]int64{"main.a": 5})
	if p := mustDecode(t, heap, unpark.KindAllocs); p.Total() != 5 {
		t.Errorf("total %v", p.Total())
	}
}

func TestDecodeIsBounded(t *testing.T) {
	types := []string{"samples/count", "cpu/nanoseconds"}
	stacks := map[string]int64{"main.a main.b main.c": 1, "main.d": 1, "main.e": 2}
	data := build(t, types, stacks)
	l := defaultLimits()
	for _, c := range []struct {
		name string
		data []byte
		set  func(*limits)
		want string
	}{
		{"gzip bomb", zipped(make([]byte, 8<<20)), func(l *limits) { l.bytes = 1 << 20 }, "larger than 1048576 bytes"},
		{"body", bytes.Repeat([]byte("\x12\x00"), 600<<10), func(l *limits) { l.bytes = 1 << 20 }, "larger than 1048576 bytes"},
		{"samples", data, func(l *limits) { l.samples = 2 }, "3 samples"},
		{"tables", data, func(l *limits) { l.tables = 3 }, "table entries"},
		{"frames", data, func(l *limits) { l.frames = 4 }, "more than 4 frames"},
		{"packed stacks", data, func(l *limits) { l.frames = 1 }, "stacks of"},
		{"empty samples", bytes.Repeat([]byte("\x12\x00"), 3<<20), func(*limits) {}, "samples, more than the limit"},
		{"empty strings", bytes.Repeat([]byte("\x32\x00"), 9<<20), func(*limits) {}, "table entries, more than the limit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := l
			c.set(&l)
			_, err := decode(bytes.NewReader(c.data), unpark.KindCPU, "f", l)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestDecodeReportsTheReader(t *testing.T) {
	broken := errors.New("connection reset")
	r := io.MultiReader(strings.NewReader("\x1f\x8b\x08"), errReader{broken})
	_, err := Decode(r, unpark.KindCPU, "f")
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "after 3 bytes") {
		t.Errorf("error %v", err)
	}
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }
