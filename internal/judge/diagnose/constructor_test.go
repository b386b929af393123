package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestWhatACallIsFor: a constructor that each request calls is called once; files that are opened
// again and again are a function's own doing where the processors are full, and what answers take
// is not.
func TestWhatACallIsFor(t *testing.T) {
	for _, c := range []struct {
		name          string
		cores         float64
		makes         bool
		kernel, files float64 // s of 8
		want          string  // of the first remedies; empty: no finding
	}{
		{"a constructor", 2.95, true, 0, 0, "Call lib.NewThing once"},
		{"a function", 2.95, false, 0, 0, "Call lib.NewThing less"},
		{"files", 2.95, false, 7, 6, "Call lib.NewThing less"},
		{"sockets", 2.95, false, 7, 0, ""},
		{"files, with processors to spare", 2, false, 7, 6, ""},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(c.cores), unpark.Num(10), unpark.Num(10)
		site := unpark.Site{Function: "lib.NewThing", File: "example.com/lib@v1.0.0/lib.go", Line: 9}
		root := &facts.Node{Site: fn("app.handle"), App: true, Value: 10}
		root.Calls = []*facts.Node{{Site: site, Value: 8, Makes: c.makes, Kernel: c.kernel, Files: c.files, Caller: root}}
		ev.CPU.Tree = facts.Tree{Total: 10, Roots: []*facts.Node{root}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		var titles []string
		for _, f := range of(unpark.ClassCPU, findings) {
			for _, r := range f.Remedies {
				titles = append(titles, r.Title)
			}
		}
		if got := strings.Join(titles, "; "); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNeedlessBelow: a call that need not be made for each request is advised on where the way to
// it forks, if all of them are a third of the cost.
func TestNeedlessBelow(t *testing.T) {
	for each, want := range map[float64]bool{0.9: true, 0.8: false} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.95), unpark.Num(10), unpark.Num(10)
		root := &facts.Node{Site: fn("app.handle"), App: true, Value: 10}
		for _, name := range []string{"lib.a", "lib.b", "lib.c", "lib.d"} {
			way := &facts.Node{Site: fn(name), Value: 2, Caller: root}
			way.Calls = []*facts.Node{{Site: fn("time.LoadLocation"), Value: each, Caller: way}}
			root.Calls = append(root.Calls, way)
		}
		ev.CPU.Tree = facts.Tree{Total: 10, Roots: []*facts.Node{root}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		var titles []string
		for _, f := range of(unpark.ClassCPU, findings) {
			for _, r := range f.Remedies {
				titles = append(titles, r.Title)
			}
		}
		if got := strings.Join(titles, "; "); len(titles) == 0 || strings.Contains(got, "LoadLocation") != want {
			t.Errorf("%v s each: %q", each, got)
		}
	}
}

// TestKnownArm: where a library's function forks, the arm that a setting takes away is the cause, from a
// third of the cost on; not an arm that is needed, and not where the owner is known for the same.
func TestKnownArm(t *testing.T) {
	const source = "log/slog.Record.Source"
	for _, c := range []struct {
		name, owner, arm string
		value            float64
		culprit          string
	}{
		{"a setting takes it away", "log/slog.(*Logger).log", source, 4, source},
		{"too little of it", "log/slog.(*Logger).log", source, 2.5, "log/slog.(*Logger).log"},
		{"of nothing known", "lib.(*Logger).log", "lib.encode", 4, "lib.(*Logger).log"},
		{"Go's own, of another library", "lib.(*Logger).log", "regexp.Compile", 4, "lib.(*Logger).log"},
		{"of another library", "lib.(*Logger).log", "github.com/rs/zerolog.callerHook.Run", 4, "github.com/rs/zerolog.callerHook.Run"},
		{"the owner is known for it", "log/slog.Record.source", source, 4, "log/slog.Record.source"},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.95), unpark.Num(10), unpark.Num(10)
		root := &facts.Node{Site: fn("app.handle"), App: true, Value: 9}
		log := &facts.Node{Site: fn(c.owner), Value: 8, Caller: root}
		log.Calls = []*facts.Node{
			{Site: fn(c.arm), Value: c.value, Caller: log},
			{Site: fn("lib.write"), Value: 4 - c.value/2, Caller: log},
			{Site: fn("lib.format"), Value: 4 - c.value/2, Caller: log},
		}
		root.Calls = []*facts.Node{log}
		ev.CPU.Tree = facts.Tree{Total: 10, Roots: []*facts.Node{root}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		got := of(unpark.ClassCPU, findings)
		if len(got) == 0 || got[0].Culprit == nil || got[0].Culprit.Function != c.culprit || got[0].Site.Function != "app.handle" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestKnownArmThatOwns: an arm that has a cost of its own name is told once, and not again as what its caller's cost goes to.
func TestKnownArmThatOwns(t *testing.T) {
	const made = "github.com/google/uuid.NewString"
	ev := calm()
	ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.95), unpark.Num(10), unpark.Num(10)
	root := &facts.Node{Site: fn("app.handle"), App: true, Value: 9}
	root.Calls = []*facts.Node{
		{Site: fn(made), Value: 4, Caller: root},
		{Site: fn("fmt.Fprintln"), Value: 2.9, Caller: root},
	}
	below := &facts.Node{Site: fn("github.com/google/uuid.NewRandom"), Value: 2.9, Caller: root.Calls[0]} // which is known for the same
	root.Calls[0].Calls = []*facts.Node{below, {Site: fn("github.com/google/uuid.UUID.String"), Value: 1.1, Caller: root.Calls[0]}}
	ev.CPU.Tree = facts.Tree{Total: 10, Roots: []*facts.Node{root}}
	_, findings, _ := diagnose.Verdict(ev, nil)
	n := 0
	for _, f := range of(unpark.ClassCPU, findings) {
		if f.Culprit != nil && (f.Culprit.Function == made || f.Culprit.Function == below.Site.Function) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("told %d times: %+v", n, findings)
	}
}
