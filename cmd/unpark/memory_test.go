package main

import (
	"io"
	"math"
	"runtime/debug"
	"testing"
)

// TestMemoryOf: a replay of millions of arrivals is larger than the limit that suits
// a verdict, and a generator that collects garbage all the time measures itself.
func TestMemoryOf(t *testing.T) {
	for _, test := range []struct {
		args []string
		want int64
	}{
		{[]string{"load", "--arrivals", "access.log"}, math.MaxInt64},
		{[]string{"load"}, math.MaxInt64},
		{[]string{"run", "--arrivals", "access.log"}, math.MaxInt64},
		{[]string{"run", "--targets", "list"}, math.MaxInt64},
		{[]string{"ab", "--values", "user=users.txt"}, math.MaxInt64},
		{[]string{"ab", "--rate", "5/s"}, memory},
		{[]string{"run"}, memory},
		{[]string{"diagnose"}, memory},
	} {
		c, rest, err := newRoot(streams{io.Discard, io.Discard}).Find(test.args)
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := memoryOf(c); got != test.want {
			t.Errorf("%q: %d bytes, want %d", test.args, got, test.want)
		}
	}
}

// TestLimitMemory: the limit holds before a command does anything, and the user's own
// comes first.
func TestLimitMemory(t *testing.T) {
	const own = 123 << 20
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(own))
	for _, test := range []struct {
		env  string
		want int64
	}{{"123MiB", own}, {"", memory}} {
		t.Setenv("GOMEMLIMIT", test.env)
		root := newRoot(streams{io.Discard, io.Discard})
		root.SetArgs([]string{"version"})
		if err := root.Execute(); err != nil || debug.SetMemoryLimit(-1) != test.want {
			t.Errorf("GOMEMLIMIT=%s: a limit of %d bytes, want %d, %v", test.env, debug.SetMemoryLimit(-1), test.want, err)
		}
	}
}
