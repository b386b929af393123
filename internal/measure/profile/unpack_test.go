package profile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// labelledProfile has what the runtime's profiles here have not: two mappings, inlined calls, several labels of one key, units of
// some numbers, comments, and numbers of locations and functions that are not 1, 2, 3.
func labelledProfile(t *testing.T) []byte {
	t.Helper()
	m := []*gpprof.Mapping{{ID: 1, Start: 1, Limit: 9, File: "/bin/shop", BuildID: "b1", HasFunctions: true, HasInlineFrames: true}, {ID: 7, File: "[vdso]", HasFilenames: true, HasLineNumbers: true}}
	f := []*gpprof.Function{{ID: 3, Name: "main.a", SystemName: "main.a", Filename: "a.go", StartLine: 3}, {ID: 1 << 40, Name: "main.b", Filename: "b.go"}}
	l := []*gpprof.Location{
		{ID: 9, Mapping: m[0], Address: 5, Line: []gpprof.Line{{Function: f[0], Line: 4, Column: 2}, {Function: f[1], Line: 8}}},
		{ID: 2, Mapping: m[1], Address: 1 << 50, IsFolded: true},
		{ID: 1 << 33, Line: []gpprof.Line{{Function: f[1], Line: -1}}},
	}
	p := &gpprof.Profile{
		SampleType: []*gpprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &gpprof.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period: 10, TimeNanos: 1e18, DurationNanos: 2e9, Comments: []string{"one", "two"}, DefaultSampleType: "cpu", DropFrames: "drop", KeepFrames: "keep", DocURL: "https://example.com",
		Mapping: m, Function: f, Location: l,
		Sample: []*gpprof.Sample{
			{Location: []*gpprof.Location{l[0], l[1]}, Value: []int64{1, -5}, Label: map[string][]string{"route": {"/a", "/b"}}, NumLabel: map[string][]int64{"bytes": {0, 9}}, NumUnit: map[string][]string{"bytes": {"b", "kb"}}},
			{Location: []*gpprof.Location{l[2]}, Value: []int64{0, 1 << 60}, NumLabel: map[string][]int64{"n": {4, 5}}},
			{Value: []int64{2, 2}},
		},
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// theirs is what github.com/google/pprof makes of a profile.
func theirs(data []byte) (*gpprof.Profile, error) {
	p, err := gpprof.ParseUncompressed(data)
	if err == nil {
		err = p.CheckValid()
	}
	return p, err
}

func ours(data []byte) (*gpprof.Profile, error) {
	c, err := scan(data, defaultLimits())
	if err != nil {
		return nil, err
	}
	return unpack(data, c)
}

// written is a profile as that library writes it.
func written(t *testing.T, p *gpprof.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestUnpack: profiles that Go writes, and one with all that it does not write, are the same as by pprof's own parser.
func TestUnpack(t *testing.T) {
	all := map[string][]byte{"labels": labelledProfile(t)}
	for kind, data := range realProfiles(t) {
		zr, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if all[string(kind)], err = io.ReadAll(zr); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range all {
		want, err := theirs(data)
		if err != nil {
			t.Fatal(name, err)
		}
		got, err := ours(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a, b := written(t, got), written(t, want); !bytes.Equal(a, b) {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}

// TestUnpackDamaged: of profiles with a few wrong bytes, those that are refused are those that pprof's parser refuses, but for what is no
// protocol buffer: a number of more than 64 bits, which it cuts off, and a field of number 0. The others are the same.
func TestUnpackDamaged(t *testing.T) {
	data, random := labelledProfile(t), rand.New(rand.NewPCG(1, 2))
	refused, read := 0, 0
	for range 20000 {
		bad := bytes.Clone(data)
		for range 1 + random.IntN(3) {
			bad[random.IntN(len(bad))] = byte(random.IntN(256))
		}
		if random.IntN(10) == 0 {
			bad = bad[:random.IntN(len(bad))]
		}
		got, err := ours(bad)
		want, wrong := theirs(bad)
		switch {
		case err != nil && wrong == nil && !errors.Is(err, errWire):
			t.Fatalf("%x: refused: %v; pprof reads %s", bad, err, want)
		case err == nil && wrong != nil:
			t.Fatalf("%x: read as %s; pprof refuses: %v", bad, got, wrong)
		case err != nil:
			refused++
		default:
			read++
			if a, b := written(t, got), written(t, want); !bytes.Equal(a, b) {
				t.Fatalf("%x:\n%s\nwant\n%s", bad, got, want)
			}
		}
	}
	if refused < 1000 || read < 1000 {
		t.Errorf("%d refused and %d read: the bytes that are wrong say nothing", refused, read)
	}
}

// BenchmarkUnpack parses a profile of 1,000 stacks, inflated, by this package and by pprof's own parser.
func BenchmarkUnpack(b *testing.B) {
	data, err := new(inflater).read(bytes.NewReader(synthetic(b, 1000, 1)), "f", defaultLimits())
	if err != nil {
		b.Fatal(err)
	}
	for name, parse := range map[string]func([]byte) (*gpprof.Profile, error){"ours": ours, "pprof": func(data []byte) (*gpprof.Profile, error) {
		if _, err := scan(data, defaultLimits()); err != nil {
			return nil, err
		}
		return theirs(data)
	}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parse(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
