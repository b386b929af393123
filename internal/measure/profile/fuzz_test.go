package profile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"

	"github.com/unpark-go/unpark"
)

// FuzzDecode checks that any bytes are a profile or an *fileError, and that a profile
// survives everything that is done to it.
func FuzzDecode(f *testing.F) {
	for kind, data := range realProfiles(f) {
		f.Add(data, string(kind))
		zr, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			f.Fatal(err)
		}
		plain, err := io.ReadAll(zr)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(plain, string(kind))
		f.Add(plain[:len(plain)/2], string(kind))
	}
	f.Add([]byte("<html>"), "cpu")
	f.Add([]byte("go 1.26 trace\x00\x00\x00"), "trace")
	c := NewCatalogue("example.com/shop")
	f.Fuzz(func(t *testing.T, data []byte, kind string) {
		p, err := decode(bytes.NewReader(data), unpark.Kind(kind), "fuzz", limits{
			bytes: 1 << 22, samples: 1 << 12, labels: 1 << 14, tables: 1 << 14, frames: 1 << 18, memory: 1 << 24,
		})
		if err != nil {
			var e *fileError
			if !errors.As(err, &e) || e.Name != "fuzz" {
				t.Fatalf("error %v is no *fileError with the name", err)
			}
			return
		}
		if kind != string(p.Kind()) {
			t.Fatalf("kind %q became %q", kind, p.Kind())
		}
		for _, s := range p.Samples() {
			l := c.With(p).Label(p.Kind(), s.Stack)
			if l.App >= len(s.Stack) || l.Entry >= len(s.Stack) || l.Entry < l.App {
				t.Fatalf("label %+v of %d frames", l, len(s.Stack))
			}
		}
		checkFlame(t, p.Flame(c))
		var b bytes.Buffer
		if err := Merge(p, p.Sub(p), p).Write(&b); err != nil {
			t.Fatal(err)
		}
	})
}
