//go:build linux && (amd64 || arm64)

package inspect

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

//go:noinline
func copies(dst, src []byte) { copy(dst, src) }

//go:noinline
func callsCopies(until time.Time) {
	dst, src := make([]byte, 1<<16), make([]byte, 1<<16)
	for time.Now().Before(until) {
		for range 100 {
			copies(dst, src)
		}
	}
}

// TestFramelessCaller: of what a function in assembly without a frame takes, its caller is not left out.
func TestFramelessCaller(t *testing.T) {
	p, err := Open(os.Getpid())
	if err != nil {
		t.Skip(err)
	}
	moves, whole := 0, 0
	// A busy machine, and the race detector, leave a second few samples.
	for round := 0; round < 10 && moves < 20; round++ {
		go callsCopies(time.Now().Add(time.Second))
		b, err := p.CPU(context.Background(), time.Second, Sampling{Hertz: 500})
		if errors.Is(err, ErrKind) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range parsed(t, b).Sample {
			var names []string
			for _, l := range s.Location {
				for _, line := range l.Line {
					names = append(names, line.Function.Name)
				}
			}
			if i := slices.IndexFunc(names, func(n string) bool { return strings.HasSuffix(n, ".callsCopies") }); i > 0 && names[0] == "runtime.memmove" {
				moves++
				if i != len(names)-1 { // neither the go statement's wrapper nor goexit
					t.Errorf("its stack begins with %q", names[i+1:])
				}
				// With the race detector runtime.slicecopy stands between the two.
				if slices.ContainsFunc(names[1:i], func(n string) bool { return strings.HasSuffix(n, ".copies") }) {
					whole++
				}
			}
		}
	}
	t.Logf("%d of %d samples in memmove have its caller", whole, moves)
	if moves < 20 || float64(whole) < 0.95*float64(moves) {
		t.Errorf("%d of %d samples in memmove have its caller", whole, moves)
	}
}
