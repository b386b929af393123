package profile

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestMergerReads: what is read into a sum is what is decoded and then added, frame by frame and in the same order, and a file that
// is none changes nothing.
func TestMergerReads(t *testing.T) {
	files := map[unpark.Kind][][]byte{}
	for kind, data := range realProfiles(t) {
		files[kind] = [][]byte{data, data}
	}
	files[unpark.KindBlock] = append(files[unpark.KindBlock], synthetic(t, 300, 1), synthetic(t, 300, 2),
		build(t, []string{"delay/nanoseconds", "contentions/count"}, map[string]int64{"runtime.chanrecv1 main.a": 3e9}))
	for kind, all := range files {
		var read, added Merger
		for i, data := range all {
			if err := read.Read(bytes.NewReader(data), kind, "x"); err != nil {
				t.Fatal(err)
			}
			added.Add(mustDecode(t, data, kind))
			if err := read.Read(strings.NewReader("Not found"), kind, "y"); err == nil {
				t.Fatalf("%s: file %d: a page was read as a profile", kind, i)
			}
		}
		got, want := read.Merged(), added.Merged()
		if len(want.samples) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read %d samples of %v, added %d of %v", kind, len(got.samples), got.Total(), len(want.samples), want.Total())
		}
	}
}

// BenchmarkRead128 is BenchmarkDecodeMerge128 as a run reads its folder: each file into the sum.
func BenchmarkRead128(b *testing.B) {
	var files [][]byte
	for i := range 128 {
		files = append(files, synthetic(b, 2000, uint64(i+1)))
	}
	b.ReportAllocs()
	for b.Loop() {
		var m Merger
		for _, data := range files {
			if err := m.Read(bytes.NewReader(data), unpark.KindBlock, "x"); err != nil {
				b.Fatal(err)
			}
		}
		m.Merged()
	}
}

// BenchmarkAdd128 is the same with each file made first.
func BenchmarkAdd128(b *testing.B) {
	var files [][]byte
	for i := range 128 {
		files = append(files, synthetic(b, 2000, uint64(i+1)))
	}
	b.ReportAllocs()
	for b.Loop() {
		var m Merger
		for _, data := range files {
			m.Add(mustDecode(b, data, unpark.KindBlock))
		}
		m.Merged()
	}
}
