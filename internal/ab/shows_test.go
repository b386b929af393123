package ab

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/turns"
)

// TestSaysFirstWhatItCanShow: before anything is built or run.
func TestSaysFirstWhatItCanShow(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds int
		o      compare.Options
		want   []string
	}{
		{"as many as it takes", 0, compare.Options{}, []string{"14 to 20 rounds of 5s find a change of about 8", "in throughput, 9", "in CPU per request, 4", "in p99 or more (by what recorded rounds of identical code differ by"}},
		{"eleven", 11, compare.Options{}, []string{"11 rounds of 5s find a change of about 1"}},
		{"nine", 9, compare.Options{}, []string{"9 rounds of 5s find a change of about 1", "a change of one metric alone takes 11 rounds: --rounds 11"}},
		{"seven", 7, compare.Options{}, []string{"7 rounds of 5s cannot show a change, however large: that takes 8, and 11 for a change of one metric alone: --rounds 11"}},
		{"one", 1, compare.Options{}, []string{"1 round of 5s cannot show a change"}},
		{"seven, less sure", 7, compare.Options{Alpha: 0.2}, []string{"7 rounds of 5s find a change of about 1"}},
	} {
		var said []string
		config := Config{
			Run: investigate.Config{Plan: unpark.Plan{Duration: 5}}, Rounds: c.rounds, Options: c.o, Dir: t.TempDir(),
			Before: turns.Arm{Command: []string{"a"}}, After: turns.Arm{Command: []string{"b"}},
			Progress: func(e Event) { said = append(said, e.Line) },
		}
		if _, err := Run(t.Context(), config); err == nil {
			t.Fatalf("%s: its folder exists", c.name)
		}
		all := strings.Join(said, "\n")
		for _, want := range c.want {
			if !strings.Contains(all, want) {
				t.Errorf("%s: said %q, want %q", c.name, all, want)
			}
		}
	}
}

// TestSaysWhatItMeasured: after five rounds it is what they differ by here, said once.
func TestSaysWhatItMeasured(t *testing.T) {
	var said []string
	c := Config{Rounds: 12, Identical: 2, Progress: func(e Event) { said = append(said, e.Line) }}
	out, err := trial(t, t.Context(), &arms{}, c)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(said, "\n")
	if strings.Count(all, "(by what 5 rounds differ by here)") != 1 || !strings.Contains(all, "12 rounds of 1s find a change of about ") {
		t.Errorf("said %q", all)
	}
	// The noise of the made-up rounds is 3 % in each arm: 4.2 % of their ratio.
	if q := out.Comparison.Resolution["throughput"]; q.N != 12 || q.Value.Or(0) < 0.04 || q.Value.Or(0) > 0.2 {
		t.Errorf("12 rounds show %+v", q)
	}
}

func TestSizeOfAChange(t *testing.T) {
	for v, want := range map[float64]string{0.005: "0.5 %", 0.0949: "9.5 %", 0.0996: "10 %", 0.42: "42 %", 1: "a factor of 2.0", 1.57: "a factor of 2.6"} {
		if got := changeOf(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
