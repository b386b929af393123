package exectrace_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// generations are traces of more than one generation: what can be read of a cut
// trace is whole generations.
func generations(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range []string{"go1.22", "go1.26"} {
		out[name] = fixture(t, filepath.Join("testdata", "broken", name+".trace.gz"))
	}
	return out
}

// survives reads what may be broken, and checks what must hold all the same.
func survives(t testing.TB, data []byte) *exectrace.Trace {
	t.Helper()
	tr, err := exectrace.Read(bytes.NewReader(data), catalogued())
	if err != nil {
		if tr != nil {
			t.Errorf("a trace beside the error %v", err)
		}
		return nil
	}
	consistent(t, tr)
	if tr.Bytes != int64(len(data)) {
		t.Errorf("%d bytes of %d", tr.Bytes, len(data))
	}
	if tr.Broken == nil && tr.Used != tr.Bytes {
		t.Errorf("not broken, but used %d of %d bytes", tr.Used, tr.Bytes)
	}
	if tr.Broken != nil && tr.Used >= tr.Bytes {
		t.Errorf("broken (%v), but used %d of %d bytes", tr.Broken, tr.Used, tr.Bytes)
	}
	if tr.Broken != nil && strings.Contains(tr.Broken.Error(), "\n") {
		t.Errorf("an error of several lines: %v", tr.Broken)
	}
	return tr
}

// TestTruncated: a trace that is cut, as by a process that died, gives the
// requests of its whole generations.
func TestTruncated(t *testing.T) {
	for name, data := range generations(t) {
		t.Run(name, func(t *testing.T) {
			whole := read(t, data)
			offsets := []int{}
			for n := range min(64, len(data)) {
				offsets = append(offsets, n)
			}
			for n := 64; n < len(data); n += 53 {
				offsets = append(offsets, n)
			}
			offsets = append(offsets, len(data)-2, len(data)-1)
			some, noticed, earlier := 0, 0, int64(0)
			for _, n := range offsets {
				tr := survives(t, data[:n])
				if tr == nil {
					continue
				}
				if tr.Exact.Count < earlier || tr.Exact.Count > whole.Exact.Count || tr.Inferred.Count > whole.Inferred.Count {
					t.Errorf("cut at %d: %d marked and %d inferred requests, %d and %d in the whole", n,
						tr.Exact.Count, tr.Inferred.Count, whole.Exact.Count, whole.Inferred.Count)
				}
				earlier = tr.Exact.Count
				if 0 < tr.Exact.Count && tr.Exact.Count < whole.Exact.Count {
					some++
				}
				if tr.Broken != nil {
					noticed++
				}
			}
			t.Logf("%d cuts: %d noticed, %d with some of the requests", len(offsets), noticed, some)
			if some == 0 {
				t.Error("no cut leaves the requests of the first generations")
			}
			if noticed == 0 {
				t.Error("no cut is noticed in what could be read")
			}
		})
	}
}

func TestTrailingGarbage(t *testing.T) {
	for name, data := range generations(t) {
		t.Run(name, func(t *testing.T) {
			whole := read(t, data)
			tr := survives(t, append(bytes.Clone(data), "\r\n<html>502 Bad Gateway</html>"...))
			if tr == nil {
				t.Fatal("nothing could be read")
			}
			if tr.Broken == nil {
				t.Error("not called broken")
			}
			// Until Go 1.25 a generation ends where the next begins, so the latest is
			// not known to be whole.
			if tr.Exact.Count == 0 || name == "go1.26" && tr.Exact.Count != whole.Exact.Count {
				t.Errorf("%d requests, %d in the whole", tr.Exact.Count, whole.Exact.Count)
			}
		})
	}
}

func TestFlippedBits(t *testing.T) {
	flips := 1500
	if testing.Short() {
		flips = 200
	}
	for name, data := range generations(t) {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			read, broken := 0, 0
			for range flips {
				bad := bytes.Clone(data)
				for range 1 + random.IntN(3) {
					bad[random.IntN(len(bad))] ^= 1 << random.IntN(8)
				}
				tr := survives(t, bad)
				if t.Failed() {
					t.FailNow()
				}
				if tr != nil {
					read++
					if tr.Broken != nil {
						broken++
					}
				}
			}
			t.Logf("%d of %d gave something, %d of these are called broken", read, flips, broken)
		})
	}
}

// TestSlowReader: how the bytes come makes no difference, and a reader that fails
// is a broken trace.
func TestSlowReader(t *testing.T) {
	data := generations(t)["go1.26"]
	whole := read(t, data)
	for name, r := range map[string]io.Reader{
		"a byte at a time": iotest.OneByteReader(bytes.NewReader(data)),
		"half of it":       iotest.HalfReader(bytes.NewReader(data)),
		"data with EOF":    iotest.DataErrReader(bytes.NewReader(data)),
	} {
		tr, err := exectrace.Read(r, catalogued())
		if err != nil || tr.Broken != nil {
			t.Errorf("%s: %v, %+v", name, err, tr)
			continue
		}
		if describe(tr) != describe(whole) || tr.Exact.Count != whole.Exact.Count {
			t.Errorf("%s: another result", name)
		}
	}
	cut := io.MultiReader(bytes.NewReader(data[:len(data)-len(data)/50]), iotest.ErrReader(os.ErrDeadlineExceeded))
	tr, err := exectrace.Read(cut, catalogued())
	if err != nil {
		t.Fatal(err)
	}
	if tr.Broken == nil || tr.Exact.Count == 0 {
		t.Errorf("%d requests, broken: %v", tr.Exact.Count, tr.Broken)
	}
}

// allocated is how much reading n bytes may allocate in all: a constant (35 MB for
// the old format of Go 1.21), and ten times of what the others need per byte.
func allocated(n int) uint64 { return 64<<20 + 400*uint64(n) }

// FuzzRead: whatever the bytes are, there is no panic, the result is consistent and
// memory is bounded by the size of the input. Run it with -fuzzminimizetime=10x:
// making an input of kilobytes as small as can be takes a minute each.
func FuzzRead(f *testing.F) {
	for _, data := range generations(f) {
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	files, err := filepath.Glob(filepath.Join("testdata", "versions", "go*.trace.gz"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data := fixture(f, file)
		f.Add(data)
		f.Add(data[:len(data)*3/4])
	}
	f.Add([]byte("go 1.26 trace\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 256<<10 {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		survives(t, data)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > allocated(len(data)) {
			t.Errorf("%d bytes allocated for %d bytes of trace", got, len(data))
		}
	})
}
