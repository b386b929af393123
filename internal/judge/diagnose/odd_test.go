package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestOdd: one process that is far slower than its like is named with what else differs; two only
// differ; what identical processes differ by is not told.
func TestOdd(t *testing.T) {
	process := func(pid int, wall, rate, cores float64) unpark.Process {
		return unpark.Process{PID: pid, State: "whole", Wall: unpark.Num(wall), Answered: unpark.Num(rate), Cores: unpark.Num(cores), GCShare: unpark.Num(0.05), Build: "aaaa"}
	}
	like := func(n int) []unpark.Process {
		var out []unpark.Process
		for i := range n {
			out = append(out, process(i+1, 0.004+0.0002*float64(i), 100-float64(i), 0.1))
		}
		return out
	}
	slow := func(n int, change func(*unpark.Process)) []unpark.Process {
		out := like(n)
		out[1].Wall = unpark.Num(0.02)
		change(&out[1])
		return out
	}
	nothing := func(*unpark.Process) {}
	for name, c := range map[string]struct {
		processes  []unpark.Process
		code, says string
	}{
		"alike":               {like(4), "", ""},
		"one":                 {like(1), "", ""},
		"an odd one":          {slow(4, nothing), "odd-process", "process 2 is the odd one of 4"},
		"another build":       {slow(4, func(p *unpark.Process) { p.Build = "bbbb" }), "odd-process", "another build (bbbb, the others aaaa)"},
		"a hot shard":         {slow(4, func(p *unpark.Process) { p.Answered = unpark.Num(400); p.Cores = unpark.Num(0.4) }), "odd-process", "answers 400 req/s, the others 98 req/s"},
		"another mix":         {slow(4, func(p *unpark.Process) { p.Cores = unpark.Num(0.9) }), "odd-process", "CPU per request"},
		"its collector":       {slow(4, func(p *unpark.Process) { p.GCShare = unpark.Num(0.4) }), "odd-process", "collector take 40 %, the others 5 %"},
		"two":                 {slow(2, nothing), "odd-process", "the two processes differ"},
		"a build, no slower":  {append(like(3), func() unpark.Process { p := process(9, 0.0041, 100, 0.1); p.Build = "bbbb"; return p }()), "builds-differ", "process 9 is bbbb"},
		"faster than others":  {append(like(3), process(9, 0.0004, 100, 0.1)), "", ""},
		"nothing known":       {[]unpark.Process{{PID: 1}, {PID: 2}, {PID: 3}}, "", ""},
		"two, a little apart": {like(2), "", ""},
	} {
		got := odd(unpark.Window{Processes: c.processes})
		switch {
		case c.code == "" && len(got) > 0:
			t.Errorf("%s: %+v", name, got)
		case c.code != "" && (len(got) != 1 || got[0].Code != c.code || !strings.Contains(got[0].Message, c.says) || got[0].Cure == ""):
			t.Errorf("%s: %+v, want %s with %q", name, got, c.code, c.says)
		}
	}
	if got := odd(unpark.Window{Processes: slow(4, func(p *unpark.Process) { p.Throttled = unpark.Num(3) })}); len(got) != 1 {
		t.Errorf("a window without a length: %+v", got)
	}
}
