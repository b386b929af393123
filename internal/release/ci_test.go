package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What .ci/run leaves to another day comes on one: each line has its turn once in as
// many days as there are parts, and the part is told.
func TestToday(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	today := func(day string, parts, lines int) (took []string, said string) {
		t.Helper()
		cmd := exec.Command(root+"/.ci/today", fmt.Sprint(parts), "lines")
		cmd.Env = append(os.Environ(), "UNPARK_ROTA="+day)
		var in, failed strings.Builder
		for i := range lines {
			fmt.Fprintln(&in, "line", i)
		}
		cmd.Stdin, cmd.Stderr = strings.NewReader(in.String()), &failed
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("day %s: %v: %s", day, err, failed.String())
		}
		return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), failed.String()
	}
	for _, tt := range []struct{ parts, lines int }{{1, 3}, {2, 7}, {3, 33}, {6, 6}, {4, 2}} {
		var all []string
		for day := range tt.parts {
			took, said := today(fmt.Sprint(20000+day), tt.parts, tt.lines)
			all = append(all, took...)
			if want := fmt.Sprintf("%d of %d of lines: part %d of %d", len(took), tt.lines, (20000+day)%tt.parts+1, tt.parts); !strings.Contains(said, want) {
				t.Errorf("%d lines in %d parts: said %q, want %q", tt.lines, tt.parts, said, want)
			}
		}
		slices.Sort(all)
		if n := len(slices.Compact(slices.Clone(all))); n != tt.lines || len(all) != tt.lines {
			t.Errorf("%d lines in %d parts: %d lines had a turn, %d turns", tt.lines, tt.parts, n, len(all))
		}
	}
	if took, said := today("all", 3, 5); len(took) != 5 || !strings.Contains(said, "all of it") {
		t.Errorf("all: %q, %q", took, said)
	}
	if took, _ := today("", 1, 5); len(took) != 5 {
		t.Errorf("today: %q", took)
	}
}
