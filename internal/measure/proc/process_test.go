package proc

import (
	"strings"
	"testing"
)

const statLine = "4711 (my (odd) name) S 1 4700 4699 0 -1 4194560 1 2 3 4 150 50 9 9 20 0 17 0 987654 123456 2048 18446744073709551615 1 1 0 0 0\n"

func TestParseStat(t *testing.T) {
	got, err := parseStat(statLine)
	want := Process{PID: 4711, Parent: 1, group: 4700, session: 4699, State: 'S', Name: "my (odd) name", CPU: 2, System: 0.5, Waited: 0.18, Faults: 1, Threads: 17, Start: 987654, Pages: 2048}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range []string{
		"", "1", "1 (x", ") (", "1 x S 1", "1 (x) S 1 2 3", "(x) S",
		strings.Replace(statLine, " 150 ", " -1 ", 1), strings.Replace(statLine, " 150 ", " x ", 1), strings.Replace(statLine, "4711", "x", 1),
	} {
		if _, err := parseStat(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	for state, dead := range map[byte]bool{'R': false, 'S': false, 'D': false, 'T': false, 'Z': true, 'X': true} {
		if (Process{State: state}).Dead() != dead {
			t.Errorf("state %c: want dead %v", state, dead)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	for _, text := range []string{statLine, "1 () S", ")("} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := parseStat(text); err == nil && (p.State == 0 || p.CPU < 0 || p.Waited < 0) {
			t.Errorf("%+v", p)
		}
	})
}
