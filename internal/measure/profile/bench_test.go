package profile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	gpprof "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// synthetic encodes a profile as large as that of a busy service: 1500 functions,
// 4000 places, n stacks of about 30 frames under a handler. Processes of one seed
// share their code, not their addresses.
func synthetic(tb testing.TB, n int, process uint64) []byte {
	tb.Helper()
	code := rand.New(rand.NewPCG(1, 1))
	r := rand.New(rand.NewPCG(2, process))
	p := &gpprof.Profile{SampleType: []*gpprof.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}}}
	for i := range 1500 {
		p.Function = append(p.Function, &gpprof.Function{
			ID: uint64(i + 1), Name: fmt.Sprintf("example.com/shop/internal/pkg%d.(*Type%d).Method%d", i%60, i%7, i),
			Filename: fmt.Sprintf("/src/build/shop/internal/pkg%d/file%d.go", i%60, i%11),
		})
	}
	lock := &gpprof.Function{ID: 1501, Name: "sync.(*Mutex).Lock", Filename: "/usr/local/go/src/sync/mutex.go"}
	p.Function = append(p.Function, lock)
	for i := range 4000 {
		loc := &gpprof.Location{ID: uint64(i + 1), Address: process<<32 + uint64(i)*16}
		for range 1 + code.IntN(2) {
			loc.Line = append(loc.Line, gpprof.Line{Function: p.Function[code.IntN(1500)], Line: int64(code.IntN(900))})
		}
		p.Location = append(p.Location, loc)
	}
	p.Location = append(p.Location, &gpprof.Location{ID: 4001, Line: []gpprof.Line{{Function: lock, Line: 9}}})
	for range n {
		s := &gpprof.Sample{Value: []int64{1 + r.Int64N(50), 1 + r.Int64N(1e9)}, Location: []*gpprof.Location{p.Location[4000]}}
		at := code.IntN(4000)
		for range 15 + code.IntN(15) {
			s.Location = append(s.Location, p.Location[at])
			at = (at*31 + 7) % 4000
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func BenchmarkDecode(b *testing.B) {
	data := synthetic(b, 2000, 1)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustDecode(b, data, unpark.KindBlock)
	}
}

// BenchmarkDecodeMerge128 is DESIGN §6: 128 processes. One operation decodes and
// merges one kind of all of them; "MB" is what the decoded profiles keep.
func BenchmarkDecodeMerge128(b *testing.B) {
	var files [][]byte
	for i := range 128 {
		files = append(files, synthetic(b, 2000, uint64(i+1)))
	}
	b.ReportAllocs()
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		ps := make([]*Profile, len(files))
		for i, data := range files {
			ps[i] = mustDecode(b, data, unpark.KindBlock)
		}
		m := Merge(ps...)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
		runtime.KeepAlive(ps)
		runtime.KeepAlive(m)
	}
}

func BenchmarkMerge128(b *testing.B) {
	var ps []*Profile
	for i := range 128 {
		ps = append(ps, mustDecode(b, synthetic(b, 2000, uint64(i+1)), unpark.KindBlock))
	}
	b.ReportAllocs()
	for b.Loop() {
		Merge(ps...)
	}
}

func BenchmarkSub(b *testing.B) {
	early := mustDecode(b, synthetic(b, 2000, 1), unpark.KindBlock)
	late := mustDecode(b, synthetic(b, 2000, 2), unpark.KindBlock)
	b.ReportAllocs()
	for b.Loop() {
		late.Sub(early)
	}
}

func BenchmarkFlame(b *testing.B) {
	p := mustDecode(b, synthetic(b, 20000, 1), unpark.KindBlock)
	c := NewCatalogue("example.com/shop")
	b.ReportAllocs()
	for b.Loop() {
		p.Flame(c)
	}
}
