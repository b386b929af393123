package predict

import (
	"math"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// node is a function with what runs through it, and its calls.
func node(function string, value float64, calls ...*facts.Node) *facts.Node {
	return &facts.Node{Site: unpark.Site{Function: function}, Value: value, Calls: calls}
}

// compiling is a service that is full, and compiles a rule for each request: 60 % of its CPU and of its bytes; 20 % of its
// CPU is the collector's.
func compiling(limit unpark.LimitKind) *service {
	s := full2(func(ev *facts.Evidence) {
		ev.CPU.Shares.GC = unpark.Num(0.2)
		ev.CPU.Tree = facts.Tree{Total: 2 * ev.Seconds, Roots: []*facts.Node{node("main.handle", 1.5*ev.Seconds,
			node("rules.Eval", 1.3*ev.Seconds, node("rules.NewProgram", 1.2*ev.Seconds), node("rules.run", 0.1*ev.Seconds)))}}
		ev.AllocTree = facts.Tree{Total: 1000, Roots: []*facts.Node{node("main.handle", 900, node("rules.Eval", 700, node("rules.NewProgram", 600)))}}
		ev.Allocs = []facts.AllocSite{{Bytes: 1000}}
	})
	s.limit = limit
	return s
}

func computed(remedy unpark.Remedy) unpark.Finding {
	return unpark.Finding{
		Class: unpark.ClassCPU, Site: unpark.Site{Function: "main.handle"}, Culprit: &unpark.Site{Function: "rules.Eval", File: "/m/rules@v1.0.0/eval.go"},
		Cost: unpark.Cost{Cores: unpark.Measured(1.3, "cores", 1500)}, Remedies: []unpark.Remedy{remedy},
	}
}

// TestCallsSpared: what is made once goes with its CPU and the collection of what it allocates, and what uses it stays. What
// is a small part of the finding, or no remedy that spares calls, is forecast as before.
func TestCallsSpared(t *testing.T) {
	s := compiling(unpark.LimitCPU)
	c := cutOf(s, computed(unpark.Remedy{Spares: []string{"rules.Eval", "rules.NewProgram"}}))
	want := 0.6 + 0.2*0.6 // NewProgram; of Eval itself run stays
	if share, _ := spares(s, computed(unpark.Remedy{}), []string{"rules.Eval", "rules.NewProgram"}); math.Abs(share-want) > 1e-9 {
		t.Errorf("it spares %v of the CPU, want %v", share, want)
	}
	if !c.spared || c.cpu.value <= want || c.cpu.value >= 1-(1-want)*(1-mostBeside*want) || c.cpu.low > want || c.cpu.low < want-0.05 {
		t.Errorf("a program that is compiled once: %+v", c.cpu)
	}
	// Nothing of it makes anything by its name: all of it goes.
	if share, _ := spares(s, computed(unpark.Remedy{}), []string{"rules.Eval"}); math.Abs(share-(0.65+0.2*0.7)) > 1e-9 {
		t.Errorf("calls without makers below: %v", share)
	}
	for name, r := range map[string]unpark.Remedy{"none": {}, "a small part": {Spares: []string{"rules.run"}}, "another": {Spares: []string{"other.New"}}} {
		if c := cutOf(s, computed(r)); c.spared {
			t.Errorf("%s: %+v", name, c.cpu)
		}
	}
}

// TestBuilderSpared: whatever is called of a builder goes with what is built once; a template that is parsed once is used all the same.
func TestBuilderSpared(t *testing.T) {
	for kind, want := range map[string]float64{"Builder": 9, "Template": 6} {
		of := func(method string) string { return "sets.(*Set" + kind + ")." + method }
		tree := facts.Tree{Roots: []*facts.Node{node("main.make", 10, node(of("Add"), 3, node("sort.Slice", 2)), node(of("Set"), 6)), node("sets.(*Set).Has", 1)}}
		if got := throughCalls(tree, []string{of("Set")}); got != want {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
}

// TestSparedForecast has two ends for a library's calls that are made once, and one for those that may be needed.
func TestSparedForecast(t *testing.T) {
	s := compiling(unpark.LimitCPU)
	f := computed(unpark.Remedy{Spares: []string{"rules.Eval", "rules.NewProgram"}})
	once := closedLoop{change{s, cutOf(s, f)}}.forecast(f).Throughput
	if !once.Known() || once.Value.Or(0) < 3 || once.High.Or(0) > widestGain*once.Low.Or(0) {
		t.Errorf("made once: %+v", once)
	}
	f.Remedies[0].Spares = nil
	if less := (closedLoop{change{s, cutOf(s, f)}}).forecast(f).Throughput; less.Known() || less.Low.Or(9) >= once.Low.Or(0) {
		t.Errorf("called less: %+v", less)
	}
}

// TestUnseenWaits: a request whose waits were all looked for, and are none, waits for the processors alone.
func TestUnseenWaits(t *testing.T) {
	s := compiling(unpark.LimitCPU)
	c := change{s, cut{spared: true}}
	if got := c.unseen(); got != 1 {
		t.Errorf("without traces: %v", got)
	}
	s.m.Ev.Tracing = &unpark.Tracing{}
	s.m.Ev.Coverage = map[unpark.Kind]facts.KindCoverage{unpark.KindBlock: {State: unpark.Present}}
	if got, want := c.unseen(), c.measuredWaits()/c.mean; got != want || got >= 1 {
		t.Errorf("with both: %v, want %v", got, want)
	}
	if got := (change{s, cut{}}).unseen(); got != 1 {
		t.Errorf("another fix: %v", got)
	}
}

// TestUnasked: calls that are not made any more take their whole wait with them, and what they cost; those of another function don't.
func TestUnasked(t *testing.T) {
	s := compiling(unpark.LimitDownstream)
	site := unpark.Site{Function: "main.handle"}
	f := unpark.Finding{
		Class: unpark.ClassDownstream, Site: site, Waiter: &unpark.Site{Function: "rules.fetch"}, Path: []unpark.Site{{Function: "rules.fetch"}, {Function: "rules.NewProgram"}, site},
		Cost: unpark.Cost{WaitPerRequest: unpark.Measured(s.mean/2, "s/req", 9000)}, Remedies: []unpark.Remedy{{Spares: []string{"rules.NewProgram"}}},
	}
	c := cutOf(s, f)
	if !c.spared || c.wait.low < 0.9*s.mean/2 || c.cpu.low < 0.65 {
		t.Errorf("what it waits for in a call that is not made: wait %+v, CPU %+v", c.wait, c.cpu)
	}
	f.Remedies[0].Spares = []string{"rules.Open"}
	if c := cutOf(s, f); c.spared || c.wait.low > 0.6*s.mean/2 || c.cpu.value > 0 {
		t.Errorf("another call: wait %+v, CPU %+v", c.wait, c.cpu)
	}
}

// TestHeaded: the forecast is that of the first remedy where it has one of its own; else it stays that of the removal.
func TestHeaded(t *testing.T) {
	least := unpark.Quantity{Unit: "ratio", Low: unpark.Num(1.1)}
	f := unpark.Finding{
		Remedies: []unpark.Remedy{{Fix: unpark.FixTogether}},
		Prediction: unpark.Prediction{
			Throughput:   least,
			Assumptions:  []string{notMore + "it is not your code", "it is asked again"},
			Alternatives: []unpark.Alternative{{Fix: unpark.FixTogether, Throughput: unpark.Between(6, 4, 8, "ratio", 9)}, {Fix: unpark.FixHalved, Throughput: unpark.Between(1.8, 1.1, 2, "ratio", 9)}},
		},
	}
	p := Headed(f, 100)
	if p.Fix != unpark.FixTogether || p.Throughput.Value.Or(0) != 6 || len(p.Alternatives) != 1 || p.Alternatives[0].Fix != unpark.FixHalved || p.P99Unsaid == "" {
		t.Errorf("asked at once: %+v", p)
	}
	if !slices.Equal(p.Assumptions, []string{"it is asked again"}) || len(f.Prediction.Assumptions) != 2 {
		t.Errorf("assumptions %q, of the removal %q", p.Assumptions, f.Prediction.Assumptions)
	}
	if want := "Asked at once, throughput would rise from 100 req/s to 600 req/s (400–800)."; p.Summary != want {
		t.Errorf("summary %q, want %q", p.Summary, want)
	}
	if len(f.Prediction.Alternatives) != 2 || f.Prediction.Alternatives[0].Fix != unpark.FixTogether {
		t.Error("the finding's own alternatives were changed")
	}
	f.Prediction.Alternatives[0].Throughput = unpark.Between(6, 2, 8, "ratio", 9)
	if p := Headed(f, 100); p.Throughput.Known() || p.Throughput.Low.Or(0) != 2 || len(p.Alternatives) != 2 || p.Summary != "Asked at once, throughput would rise from 100 req/s to 200 req/s or more." || len(p.Assumptions) != 2 {
		t.Errorf("an interval that is too wide: %+v", p)
	}
	f.Prediction.Alternatives[0].Throughput = unpark.Between(6, 4, 8, "ratio", 9)
	f.Prediction.Throughput = unpark.Between(7, 3, 9, "ratio", 9)
	if p := Headed(f, 100); len(p.Alternatives) != 2 || p.Alternatives[1].Fix != unpark.FixGone {
		t.Errorf("the removal is an alternative then: %+v", p.Alternatives)
	}
	f.Remedies = append([]unpark.Remedy{{Title: "Keep the answers"}}, f.Remedies...)
	if p := Headed(f, 100); p.Throughput.Value.Or(0) != 7 {
		t.Errorf("another remedy comes first: %+v", p.Throughput)
	}
}

// TestWritesTogether: of what a request writes again and again it is known how often; of one write there is nothing to join.
func TestWritesTogether(t *testing.T) {
	site := unpark.Site{Function: "app.send"}
	f := unpark.Finding{Class: unpark.ClassIO, Site: site, Waiter: &site, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(1e-3, "s/req", 9000)}}
	for times, want := range map[float64]float64{8: 8, 1: 0} {
		s := full2()
		s.m.Ev.Waits = []facts.Wait{{Class: unpark.WaitSyscall, Side: unpark.RequestPath, Waiter: site, Delay: 10, Count: times * s.m.Requests, Stack: []unpark.Site{site}}}
		if c := cutOf(s, f); c.times != want {
			t.Errorf("%v writes a request: %v to join, want %v", times, c.times, want)
		}
	}
}
