package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
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
			var e *fileError
			if !errors.As(err, &e) {
				t.Fatalf("error %v is no *fileError", err)
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
		{"frames", inlined(t, 5), func(l *limits) { l.frames = 4 }, "more than 4 frames"},
		{"stacks", data, func(l *limits) { l.frames = 4 }, "stacks of 5 frames"},
		{"packed stacks", message(fieldSample, packed(fieldSampleLocation, 17<<20)), func(*limits) {}, "stacks of 17825792 frames"},
		{"packed values", message(fieldSample, packed(fieldSampleValue, 70<<20)), func(*limits) {}, "bytes of memory"},
		{"packed comments", packed(fieldComment, 9<<20), func(*limits) {}, "table entries, more than the limit"},
		{"empty mappings", bytes.Repeat([]byte("\x1a\x00"), 5<<20), func(*limits) {}, "bytes of memory"},
		{"empty locations", bytes.Repeat([]byte("\x22\x00"), 5<<20), func(*limits) {}, "bytes of memory"},
		{"empty labels", bytes.Repeat([]byte("\x12\x02\x1a\x00"), 1<<20), func(*limits) {}, "bytes of memory"},
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

// message is a field of a protocol buffer that holds another message.
func message(field int, body []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3|2), uint64(len(body))), body...)
}

// packed is a field that holds a list of n numbers, one byte each.
func packed(field, n int) []byte { return message(field, bytes.Repeat([]byte{1}, n)) }

// inlined is a CPU profile of one stack with one location in it, n calls deep.
func inlined(t *testing.T, n int) []byte {
	t.Helper()
	f := &gpprof.Function{ID: 1, Name: "main.a"}
	loc := &gpprof.Location{ID: 1, Line: slices.Repeat([]gpprof.Line{{Function: f}}, n)}
	p := &gpprof.Profile{
		SampleType: []*gpprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Function:   []*gpprof.Function{f}, Location: []*gpprof.Location{loc},
		Sample: []*gpprof.Sample{{Location: []*gpprof.Location{loc}, Value: []int64{1, 1}}},
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDecodeTakesWhatItSays: what is refused or just admitted takes no more memory
// than a few times the limit, whatever it is made of.
func TestDecodeTakesWhatItSays(t *testing.T) {
	l := limits{bytes: 1 << 20, samples: 1 << 18, labels: 1 << 18, tables: 1 << 18, frames: 1 << 18, memory: 1 << 20}
	const room = 6 // lists that grow are copied, and ours is made beside the parser's
	for _, c := range []struct {
		name string
		make func(n int) []byte // n bytes, about
	}{
		{"stacks", func(n int) []byte { return message(fieldSample, packed(fieldSampleLocation, n)) }},
		{"values", func(n int) []byte { return message(fieldSample, packed(fieldSampleValue, n)) }},
		{"samples", func(n int) []byte { return bytes.Repeat([]byte("\x12\x00"), n/2) }},
		{"labels", func(n int) []byte { return bytes.Repeat([]byte("\x12\x06\x1a\x04\x08\x01\x18\x01"), n/8) }},
		{"many labels", func(n int) []byte { return message(fieldSample, bytes.Repeat([]byte("\x1a\x04\x08\x01\x18\x01"), n/6)) }},
		{"mappings", func(n int) []byte { return bytes.Repeat([]byte("\x1a\x00"), n/2) }},
		{"locations", func(n int) []byte { return bytes.Repeat([]byte("\x22\x00"), n/2) }},
		{"lines", func(n int) []byte { return message(fieldLocation, bytes.Repeat([]byte("\x22\x00"), n/2)) }},
		{"functions", func(n int) []byte { return bytes.Repeat([]byte("\x2a\x00"), n/2) }},
		{"types", func(n int) []byte { return bytes.Repeat([]byte("\x0a\x00"), n/2) }},
		{"strings", func(n int) []byte { return bytes.Repeat([]byte("\x32\x00"), n/2) }},
		{"comments", func(n int) []byte { return packed(fieldComment, n) }},
	} {
		admitted := 0
		for n := 1 << 10; n < int(l.bytes); n *= 2 {
			data := append([]byte("\x32\x00\x32\x01k"), c.make(n)...)
			if _, err := scan(data, l); err == nil {
				admitted++
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = decode(bytes.NewReader(data), unpark.KindCPU, "f", l)
			runtime.ReadMemStats(&after)
			if took := int64(after.TotalAlloc - before.TotalAlloc); took > room*l.memory {
				t.Errorf("%s: %d bytes of file took %d bytes of memory, the limit is %d", c.name, len(data), took, l.memory)
			}
		}
		if admitted == 0 {
			t.Errorf("%s: nothing is admitted", c.name)
		}
	}
}

// TestEntriesAreAsLargeAsTheParsers: the estimate stands on its types.
func TestEntriesAreAsLargeAsTheParsers(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("they are smaller on 32 bits")
	}
	for _, c := range []struct {
		of   reflect.Type
		says int
	}{
		{reflect.TypeFor[gpprof.Sample](), perSample - listed},
		{reflect.TypeFor[gpprof.Mapping](), perMapping - listed},
		{reflect.TypeFor[gpprof.Location](), perLocation - listed},
		{reflect.TypeFor[gpprof.Function](), perFunction - listed},
		{reflect.TypeFor[gpprof.ValueType](), perType - listed},
		{reflect.TypeFor[gpprof.Line](), perLine},
	} {
		if int(c.of.Size()) != c.says {
			t.Errorf("%v takes %d bytes, the estimate says %d", c.of, c.of.Size(), c.says)
		}
	}
}

// TestDecodeAdmitsWhatIsReal: ten thousand stacks stay below a fiftieth of the limits; a
// process of a hundred thousand has room for five times as much.
func TestDecodeAdmitsWhatIsReal(t *testing.T) {
	body, err := new(inflater).read(bytes.NewReader(synthetic(t, 10_000, 1)), "f", defaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	l := defaultLimits()
	l.bytes, l.samples, l.labels, l.tables, l.frames, l.memory = l.bytes/50, l.samples/50, l.labels/50, l.tables/50, l.frames/50, l.memory/50
	if _, err := scan(body, l); err != nil || int64(len(body)) > l.bytes {
		t.Errorf("%d bytes: %v", len(body), err)
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
