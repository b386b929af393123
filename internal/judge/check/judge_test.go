package check_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/check"
)

// judged holds one run against a budget of one line, and returns what became of it.
func judged(t *testing.T, s check.Subject, line string) unpark.Judged {
	t.Helper()
	b, err := check.Read("b.yaml", []byte(line))
	if err != nil {
		t.Fatal(err)
	}
	c := check.Judge(s, b)
	if c.IsVoid() || len(c.Bounds) != 1 {
		t.Fatalf("%s: void %v, %d bounds", line, c.Void, len(c.Bounds))
	}
	return c.Bounds[0]
}

func with(change func(*figures)) unpark.Run {
	f := usual()
	change(&f)
	return run(f)
}

// TestAbsolute: each kind of bound, on either side of it.
func TestAbsolute(t *testing.T) {
	found := run(usual())
	found.Findings = []unpark.Finding{lock(), alloc()}
	flamed := run(usual())
	flamed.Flames = []unpark.Flame{flame()}
	broken, kept, unsure := unpark.BoundBroken, unpark.BoundKept, unpark.BoundUnsure
	for _, c := range []struct {
		run   unpark.Run
		line  string
		state unpark.BoundState
	}{
		{run(usual()), "p99: < 92ms", broken},
		{run(usual()), "p99: < 92.2ms", kept},
		{run(usual()), "p50: < 10ms", broken},
		{run(usual()), "p50: <= 10ms", kept},
		{run(usual()), "p90: < 19ms", broken},
		{run(usual()), "p90: < 21ms", kept},
		{run(usual()), "p95: < 29ms", broken},
		{run(usual()), "p95: < 31ms", kept},
		{run(usual()), "p999: < 184ms", broken},
		{run(usual()), "p999: < 185ms", kept},
		{run(usual()), "throughput: at least 481 req/s", broken},
		{run(usual()), "throughput: at least 480/s", kept},
		{run(usual()), "throughput: above 0.48 k req/s", broken},
		{run(usual()), "cpu_per_request: < 2ms", broken},
		{run(usual()), "cpu_per_request: < 2200us/req", kept},
		{run(usual()), "bytes_per_request: < 1.9kB", broken},
		{run(usual()), "bytes_per_request: < 2KiB", kept},
		{run(usual()), "mean_waiters: < 2.9", broken},
		{run(usual()), "mean_waiters: < 3.1", kept},
		{with(func(f *figures) { f.errors = 5 }), "errors: < 0.1%", broken},
		{with(func(f *figures) { f.errors = 4 }), "errors: < 0.1%", kept},
		// An unexpected status is an answer already: 10 of 4800 are 0.2083 %, 10 of 4810 0.2079 %.
		{with(func(f *figures) { f.errors, f.answered = 10, 10 }), "errors: < 0.2081%", broken},
		{with(func(f *figures) { f.errors = 10 }), "errors: < 0.2081%", kept},
		{flamed, `waiters: {"store.(*DB).Get": < 4}`, broken},
		{flamed, `waiters: {"store.(*DB).Get": <= 4}`, kept},
		{flamed, `waiters: {"github.com/acme/shop/store.*": < 4.4}`, broken},
		{flamed, `waiters: {"*": < 4.6}`, kept},
		{flamed, `waiters: {"jobs.*": < 1}`, kept}, // delayed no request
		{found, `waiters: {"store.(*DB).Get": < 30}`, broken},
		{found, `waiters: {"store.(*DB).P*": < 32}`, kept},
		{found, "no_findings: [lock, leak]", broken},
		{found, "no_findings: [channel, leak]", kept},
		{found, "no_findings: any", broken},
		{found, "no_findings: alloc", unsure}, // of low confidence
	} {
		got := judged(t, check.Subject{Run: c.run}, c.line)
		if got.State != c.state {
			t.Errorf("%s: %s with %v (%s), want %s", c.line, got.State, got.Measured.Value, got.Why, c.state)
		}
		if got.State == unpark.BoundBroken && strings.HasPrefix(c.line, "no_findings") && len(got.Findings) == 0 {
			t.Errorf("%s: no finding is named", c.line)
		}
	}
}

// TestUnmeasured: what is not known is not kept, and the reason has a cure.
func TestUnmeasured(t *testing.T) {
	bare := run(usual())
	bare.Windows[0].Processes[0] = unpark.Process{PID: 1}
	few := with(func(f *figures) { f.requests = 150 })
	failing := with(func(f *figures) { f.errors = 500 })
	idle := run(usual())
	idle.Windows[0].Load = nil
	for _, c := range []struct {
		run        unpark.Run
		line, want string
	}{
		{bare, "cpu_per_request: < 1ms", "let unpark start the service"},
		{bare, "bytes_per_request: < 1kB", "--pkg"},
		{bare, "mean_waiters: < 1", "--pkg"},
		{bare, `waiters: {"a.b": < 1}`, "no block profile"},
		{few, "p99: < 1s", "run longer"},
		{few, "p999: < 1s", "150 answers are too few"},
		{failing, "throughput: at least 4 req/s", "requests failed"},
		{idle, "p99: < 1s", "drove no load"},
		{unpark.Run{ID: "x"}, "errors: < 1%", "drove no load"},
		{run(usual()), "p99: <= +5%", "name one with --baseline"},
		{run(usual()), "no_new_findings: any", "name one with --baseline"},
	} {
		got := judged(t, check.Subject{Run: c.run}, c.line)
		if got.State != unpark.BoundUnmeasured || !strings.Contains(got.Why, c.want) {
			t.Errorf("%s: %s, %q, want %q", c.line, got.State, got.Why, c.want)
		}
	}
	b, _ := check.Read("b", []byte("p99: < 1s"))
	if c := check.Judge(check.Subject{Run: few}, b); c.Holds() || c.Count(unpark.BoundUnmeasured) != 1 {
		t.Errorf("a bound that was not measured holds: %+v", c.Bounds)
	}
}

// TestPercentilesTake: from how many answers on a percentile is a figure.
func TestPercentilesTake(t *testing.T) {
	for line, least := range map[string]int64{"p90: < 1s": 20, "p95: < 1s": 40, "p999: < 1s": 2000} {
		for n, want := range map[int64]unpark.BoundState{least: unpark.BoundKept, least - 1: unpark.BoundUnmeasured} {
			if got := judged(t, check.Subject{Run: with(func(f *figures) { f.requests = n })}, line); got.State != want {
				t.Errorf("%s of %d answers: %s, want %s", line, n, got.State, want)
			}
		}
	}
}

// TestAgainstOne: one baseline says nothing of the noise, so three bands do.
func TestAgainstOne(t *testing.T) {
	broken, kept, unsure := unpark.BoundBroken, unpark.BoundKept, unpark.BoundUnsure
	for _, c := range []struct {
		line   string
		change func(*figures)
		state  unpark.BoundState
	}{
		{"throughput: at least -5%", func(f *figures) { f.rps *= 0.96 }, kept},
		{"throughput: at least -5%", func(f *figures) { f.rps *= 0.90 }, unsure},
		{"throughput: at least -5%", func(f *figures) { f.rps *= 0.73 }, unsure}, // 0.95 ÷ 1.1³ is 0.714
		{"throughput: at least -5%", func(f *figures) { f.rps *= 0.70 }, broken},
		{"throughput: at least +20%", func(f *figures) { f.rps *= 1.25 }, kept},
		{"throughput: at least +20%", func(f *figures) { f.rps *= 0.80 }, broken},
		{"p50: <= +0%", func(f *figures) { f.p50 *= 1.7 }, unsure},
		{"p50: <= +0%", func(f *figures) { f.p50 *= 1.8 }, broken},
		{"p99: <= +10%", func(f *figures) { f.p99 *= 1.1 }, kept},
		{"p99: < +10%", func(f *figures) { f.p99 *= 1.5 }, unsure},
		{"p99: <= +10%", func(f *figures) { f.p99 *= 2.5 }, broken},
		{"p99: <= -20%", func(f *figures) { f.p99 *= 0.7 }, kept},
		{"cpu_per_request: <= +5%", func(f *figures) { f.cpu *= 1.35 }, unsure},
		{"cpu_per_request: <= +5%", func(f *figures) { f.cpu *= 1.45 }, broken},
		{"bytes_per_request: <= +5%", func(f *figures) { f.bytes *= 1.02 }, kept},
		{"bytes_per_request: <= +5%", func(f *figures) { f.bytes *= 1.45 }, broken},
		{"mean_waiters: <= +10%", func(f *figures) { f.waiters *= 1.8 }, unsure},
		{"mean_waiters: <= +10%", func(f *figures) { f.waiters *= 2 }, broken},
		{"errors: <= +0%", func(f *figures) { f.errors = 0 }, kept},
		{"errors: <= +0%", func(f *figures) { f.errors = 2 }, unsure},
		{"errors: <= +0%", func(f *figures) { f.errors = 40 }, broken},
		{"errors: <= +2%", func(f *figures) { f.errors = 40 }, kept},
	} {
		got := judged(t, check.Subject{Run: with(c.change), Baselines: []unpark.Run{run(usual())}}, c.line)
		if got.State != c.state {
			t.Errorf("%s: %s with a change of %v (noise %v), want %s", c.line, got.State, got.Change, got.Noise, c.state)
		}
		if !got.Change.Known() || !got.Noise.Known() || !got.Against.Known() {
			t.Errorf("%s: %+v", c.line, got)
		}
		if got.State == unsure && !strings.Contains(got.Why, "unpark ab") && !strings.Contains(got.Why, "run longer") {
			t.Errorf("%s: no cure in %q", c.line, got.Why)
		}
	}
	// None then and none now.
	idle := with(func(f *figures) { f.waiters = 0 })
	if got := judged(t, check.Subject{Run: with(func(f *figures) { f.waiters = 0.04 }), Baselines: []unpark.Run{idle}}, "mean_waiters: <= +0%"); got.State != kept {
		t.Errorf("0.04 waiters after none: %+v", got)
	}
	if got := judged(t, check.Subject{Run: run(usual()), Baselines: []unpark.Run{idle}}, "mean_waiters: <= +0%"); got.State != broken {
		t.Errorf("3 waiters after none: %+v", got)
	}
	// Waiters at one place.
	more, less := run(usual()), run(usual())
	more.Flames, less.Flames = []unpark.Flame{flame()}, []unpark.Flame{flame()}
	for i := range less.Flames[0].Value {
		less.Flames[0].Value[i] /= 3
	}
	for line, state := range map[string]unpark.BoundState{
		`waiters: {"store.*": <= +20%}`: broken, `waiters: {"store.*": <= +100%}`: unsure, `waiters: {"store.*": <= +200%}`: kept,
	} {
		if got := judged(t, check.Subject{Run: more, Baselines: []unpark.Run{less}}, line); got.State != state {
			t.Errorf("%s: %s, change %v", line, got.State, got.Change)
		}
	}
}

// TestAgainstSeveral: baselines that agree make a small change count, those that do
// not forgive a large one.
func TestAgainstSeveral(t *testing.T) {
	several := func(rps ...float64) []unpark.Run {
		var out []unpark.Run
		for _, v := range rps {
			out = append(out, with(func(f *figures) { f.rps = v }))
		}
		return out
	}
	quiet, loud := several(480, 482, 479, 481, 480), several(480, 520, 440, 500, 410)
	for _, c := range []struct {
		base  []unpark.Run
		rps   float64
		state unpark.BoundState
	}{
		{quiet, 478, unpark.BoundUnsure},
		{quiet, 440, unpark.BoundUnsure},
		{quiet, 430, unpark.BoundBroken},
		{quiet, 481, unpark.BoundKept},
		{loud, 380, unpark.BoundUnsure},
		{loud, 200, unpark.BoundBroken},
		{quiet[:2], 400, unpark.BoundUnsure},
		{quiet[:2], 350, unpark.BoundBroken},
	} {
		got := judged(t, check.Subject{Run: with(func(f *figures) { f.rps = c.rps }), Baselines: c.base}, "throughput: at least -0%")
		if got.State != c.state {
			t.Errorf("%g req/s against %d: %s (change %v, noise %v), want %s", c.rps, len(c.base), got.State, got.Change, got.Noise, c.state)
		}
	}
}

// TestRoundsToTell: the nearer to the bound, the more rounds.
func TestRoundsToTell(t *testing.T) {
	for _, c := range []struct {
		line string
		rps  float64
		want string
	}{
		{"throughput: at least -5%", 480 * 0.78, "about 14 rounds of unpark ab"},
		{"throughput: at least -5%", 480 * 0.90, "rounds of unpark ab would tell"},
		{"throughput: at least -5%", 480 * 0.949, "not even 100 rounds"},
	} {
		got := judged(t, check.Subject{Run: with(func(f *figures) { f.rps = c.rps }), Baselines: []unpark.Run{run(usual())}}, c.line)
		if got.State != unpark.BoundUnsure || !strings.Contains(got.Why, c.want) {
			t.Errorf("%g req/s: %s, %q, want %q", c.rps, got.State, got.Why, c.want)
		}
	}
}

// TestBaselinesThatDoNotFit: another machine, another load, a busy machine.
func TestBaselinesThatDoNotFit(t *testing.T) {
	slow := with(func(f *figures) { f.rps, f.bytes = 100, 9000 })
	elsewhere, heavier, busy := run(usual()), run(usual()), slow
	elsewhere.Host.Model = "another"
	heavier.Plan.Connections = 64
	busy.Warnings = []unpark.Notice{{Code: "busy-host", Message: "m", Cure: "c"}}
	found, foundElsewhere := run(usual()), elsewhere
	found.Findings = []unpark.Finding{lock()}
	foundElsewhere.Findings = found.Findings
	crowded := func(others float64) unpark.Run {
		r := run(usual())
		w := &r.Windows[0]
		load := *w.Load
		load.GeneratorCPU, w.Load = unpark.Num(0.1), &load
		w.Machine = unpark.Machine{CPUs: 2, Busy: unpark.Num(w.Processes[0].Cores.Or(0) + 0.1 + others)}
		return r
	}
	for _, c := range []struct {
		name       string
		s          check.Subject
		line       string
		state      unpark.BoundState
		why, warns string
	}{
		{"times elsewhere", check.Subject{Run: slow, Baselines: []unpark.Run{elsewhere}}, "throughput: at least -5%", unpark.BoundUnsure, "another machine", "different-hosts"},
		{"bytes elsewhere", check.Subject{Run: slow, Baselines: []unpark.Run{elsewhere}}, "bytes_per_request: <= +5%", unpark.BoundBroken, "", "different-hosts"},
		{"one of two elsewhere", check.Subject{Run: slow, Baselines: []unpark.Run{elsewhere, run(usual())}}, "throughput: at least -5%", unpark.BoundBroken, "", "different-hosts"},
		{"another load", check.Subject{Run: slow, Baselines: []unpark.Run{heavier}}, "throughput: at least -5%", unpark.BoundUnmeasured, "64 connections before, 32 after", "different-plans"},
		{"another load, new findings", check.Subject{Run: slow, Baselines: []unpark.Run{heavier}}, "no_new_findings: any", unpark.BoundUnmeasured, "64 connections before", "different-plans"},
		{"busy", check.Subject{Run: busy, Baselines: []unpark.Run{run(usual())}}, "throughput: at least -5%", unpark.BoundUnsure, "something else used the machine", ""},
		{"busy, bytes", check.Subject{Run: busy, Baselines: []unpark.Run{run(usual())}}, "bytes_per_request: <= +5%", unpark.BoundBroken, "", ""},
		{"a disturbed baseline", check.Subject{Run: run(usual()), Baselines: []unpark.Run{crowded(0.9)}}, "throughput: at least -5%", unpark.BoundUnsure, "while the baseline was made", "neighbours"},
		{"a disturbed baseline, bytes", check.Subject{Run: slow, Baselines: []unpark.Run{crowded(0.9)}}, "bytes_per_request: <= +5%", unpark.BoundBroken, "", "neighbours"},
		{"a baseline with little beside it", check.Subject{Run: slow, Baselines: []unpark.Run{crowded(0.1)}}, "throughput: at least -5%", unpark.BoundBroken, "", ""},
		{"new findings elsewhere", check.Subject{Run: found, Baselines: []unpark.Run{elsewhere}}, "no_new_findings: any", unpark.BoundBroken, "", "different-hosts"},
		{"no new findings elsewhere", check.Subject{Run: found, Baselines: []unpark.Run{foundElsewhere}}, "no_new_findings: any", unpark.BoundKept, "", "different-hosts"},
		{"no probe then", check.Subject{Run: slow, Baselines: []unpark.Run{without()}}, "bytes_per_request: <= +5%", unpark.BoundUnmeasured, "the baseline does not have it", ""},
	} {
		b, err := check.Read("b", []byte(c.line))
		if err != nil {
			t.Fatal(err)
		}
		got := check.Judge(c.s, b)
		j := got.Bounds[0]
		if j.State != c.state || !strings.Contains(j.Why, c.why) {
			t.Errorf("%s: %s, %q, want %s, %q", c.name, j.State, j.Why, c.state, c.why)
		}
		warned := slices.ContainsFunc(got.Warnings, func(n unpark.Notice) bool { return n.Code == c.warns })
		if warned != (c.warns != "") {
			t.Errorf("%s: warnings %v, want %q", c.name, got.Warnings, c.warns)
		}
	}
}

// without is a run of a service without the probe.
func without() unpark.Run {
	r := run(usual())
	r.Windows[0].Processes[0].Metrics = unpark.Metrics{}
	return r
}

func TestNewFindings(t *testing.T) {
	now, then, clean := run(usual()), run(usual()), run(usual())
	now.Findings = []unpark.Finding{lock(), alloc()}
	moved := lock()
	moved.Site.Line = 99
	then.Findings = []unpark.Finding{moved}
	for _, c := range []struct {
		name  string
		base  []unpark.Run
		line  string
		state unpark.BoundState
		n     int
	}{
		{"new", []unpark.Run{clean}, "no_new_findings: any", unpark.BoundBroken, 1},
		{"of another class", []unpark.Run{clean}, "no_new_findings: [channel, pool]", unpark.BoundKept, 0},
		{"low confidence", []unpark.Run{clean}, "no_new_findings: alloc", unpark.BoundUnsure, 0},
		{"on another line", []unpark.Run{then}, "no_new_findings: lock", unpark.BoundKept, 0},
		{"in one of two baselines", []unpark.Run{clean, then}, "no_new_findings: lock", unpark.BoundKept, 0},
		{"in neither", []unpark.Run{clean, clean}, "no_new_findings: lock", unpark.BoundBroken, 1},
	} {
		got := judged(t, check.Subject{Run: now, Baselines: c.base}, c.line)
		if got.State != c.state || len(got.Findings) != c.n {
			t.Errorf("%s: %s with %d findings (%s), want %s", c.name, got.State, len(got.Findings), got.Why, c.state)
		}
	}
}

// TestVoid: a void run, a run that did not end, and a void baseline are never
// judged; a void baseline that no bound asks for does not matter.
func TestVoid(t *testing.T) {
	void, partial := run(usual()), run(usual())
	void.Void = []unpark.Notice{{Code: "generator-cpu", Message: "the generator was the limit", Cure: "give it a core"}}
	partial.Partial = "killed"
	fresh := run(usual())
	for _, c := range []struct {
		name string
		s    check.Subject
		line string
		want string // of the first notice; "" when it is judged
	}{
		{"void", check.Subject{Run: void}, "p99: < 1s", "the generator was the limit"},
		{"partial", check.Subject{Run: partial}, "p99: < 1s", "did not end: killed"},
		{"void baseline", check.Subject{Run: fresh, Baselines: []unpark.Run{void, partial}, Names: []string{"a", "b"}}, "p99: <= +5%", "the baseline a: the generator"},
		{"one void baseline of two", check.Subject{Run: fresh, Baselines: []unpark.Run{fresh, void}, Names: []string{"a", "b"}}, "p99: <= +5%", ""},
		{"partial baseline", check.Subject{Run: fresh, Baselines: []unpark.Run{partial}}, "no_new_findings: any", "the baseline baseline 1: it did not end"},
		{"void baseline, not needed", check.Subject{Run: fresh, Baselines: []unpark.Run{void}}, "p99: < 1s", ""},
		{"refused rounds", check.Subject{Run: fresh, Rounds: &unpark.Comparison{Refused: void.Void}}, "p99: < 1s", "the generator"},
	} {
		b, err := check.Read("b", []byte(c.line))
		if err != nil {
			t.Fatal(err)
		}
		got := check.Judge(c.s, b)
		if c.want == "" {
			if got.IsVoid() || !got.Holds() {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		if !got.IsVoid() || got.Holds() || len(got.Bounds) > 0 || !strings.Contains(got.Void[0].Message, c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestRounds: with the rounds of unpark ab a change of a few percent is found.
func TestRounds(t *testing.T) {
	effect := func(v, low, high float64, verdict string) *unpark.Comparison {
		return &unpark.Comparison{Schema: unpark.SchemaAB, Rounds: 20, Effects: []unpark.Effect{{
			Metric: "throughput", Before: unpark.Measured(480, "req/s", 20), After: unpark.Measured(480*v, "req/s", 20),
			Ratio: unpark.Between(v, low, high, "ratio", 20), Verdict: verdict,
		}}}
	}
	one := effect(0.9, 0.8, 1, "worse")
	one.Effects[0].Ratio = unpark.Measured(0.9, "ratio", 1)
	for _, c := range []struct {
		name   string
		rounds *unpark.Comparison
		line   string
		state  unpark.BoundState
	}{
		{"−7 %, surely", effect(0.93, 0.92, 0.94, "worse"), "throughput: at least -5%", unpark.BoundBroken},
		{"−7 %, not surely", effect(0.93, 0.90, 0.96, "worse"), "throughput: at least -5%", unpark.BoundUnsure},
		{"−7 %, inside the floor", effect(0.93, 0.92, 0.94, "same"), "throughput: at least -5%", unpark.BoundUnsure},
		{"−4 %", effect(0.96, 0.95, 0.97, "worse"), "throughput: at least -5%", unpark.BoundKept},
		{"+30 %", effect(1.3, 1.2, 1.4, "better"), "throughput: at least +20%", unpark.BoundKept},
		{"not in the rounds", effect(1, 1, 1, "same"), "p99: <= +5%", unpark.BoundUnmeasured},
		{"without an interval", one, "throughput: at least -5%", unpark.BoundUnmeasured},
		{"absolute", effect(1, 1, 1, "same"), "p99: < 1s", unpark.BoundKept},
	} {
		got := judged(t, check.Subject{Run: run(usual()), Baselines: []unpark.Run{run(usual())}, Rounds: c.rounds}, c.line)
		if got.State != c.state {
			t.Errorf("%s: %s (%s), want %s", c.name, got.State, got.Why, c.state)
		}
	}
}

func TestDefault(t *testing.T) {
	s := check.Subject{Run: run(usual()), Baselines: []unpark.Run{run(usual())}}
	if c := check.Judge(s, check.Default()); !c.Holds() || len(c.Bounds) != 6 || c.Count(unpark.BoundKept) != 6 {
		t.Errorf("a run against itself: %+v", c)
	}
	// What neither has is not asked for; what only the baseline has is missed.
	bare := check.Subject{Run: without(), Baselines: []unpark.Run{without()}}
	if c := check.Judge(bare, check.Default()); !c.Holds() || len(c.Bounds) != 5 {
		t.Errorf("without a probe: %+v", c)
	}
	bare.Baselines = s.Baselines
	if c := check.Judge(bare, check.Default()); c.Holds() || c.Count(unpark.BoundUnmeasured) != 1 {
		t.Errorf("the probe was lost: %+v", c)
	}
	s.Run = with(func(f *figures) { f.bytes *= 3 })
	if c := check.Judge(s, check.Default()); c.Holds() || c.Count(unpark.BoundBroken) != 1 {
		t.Errorf("three times the bytes: %+v", c)
	}
}

// TestJudgeIsPure: what is judged stays as it was.
func TestJudgeIsPure(t *testing.T) {
	void := run(usual())
	void.Void = []unpark.Notice{{Code: "c", Message: "m", Cure: "x"}}
	check.Judge(check.Subject{Run: run(usual()), Baselines: []unpark.Run{void}}, check.Default())
	if void.Void[0].Message != "m" || void.Started != time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC) {
		t.Errorf("%+v", void.Void)
	}
}
