package check

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// Subject is what is held against a budget.
type Subject struct {
	Name string // of the run, for the report
	Run  unpark.Run
	// Baselines are runs of what it is held against, with the names of each. Three or
	// more tell how much identical runs differ on their host.
	Baselines []unpark.Run
	Names     []string
	// Rounds, when not nil, is the comparison of many rounds (unpark ab) that Run and
	// the one baseline are the profiled runs of: it has the figures and their noise.
	Rounds *unpark.Comparison
}

// baseline is one usable baseline.
type baseline struct {
	subject
	elsewhere bool // measured on another machine
	disturbed bool // something else used the machine
	found     []unpark.Changed
}

// judge holds a run against bounds.
type judge struct {
	run       subject
	baselines []baseline
	refused   []unpark.Notice // why there is no baseline
	rounds    *unpark.Comparison
	parts     int // bounds against a baseline, which share the error
}

// Judge holds a run against a budget. Void is not empty when the run, or all of the
// baselines that are needed, are void or did not end; then no bound is judged.
func Judge(s Subject, b unpark.Budget) unpark.Check {
	out := unpark.Check{Run: s.Name, Baselines: s.Names, Budget: b.File, Unpark: s.Run.Unpark, Findings: s.Run.Findings}
	needs := slices.ContainsFunc(b.Bounds, func(b unpark.Bound) bool { return b.Baseline })
	out.Void = append(out.Void, unusable("", s.Run)...)
	if needs && s.Rounds == nil {
		out.Void = append(out.Void, s.unusable()...)
	}
	if s.Rounds != nil {
		out.Void = append(out.Void, s.Rounds.Refused...)
	}
	if out.IsVoid() {
		return out
	}
	j := judge{run: read(s.Run), rounds: s.Rounds, parts: parts(b)}
	out.Baselines = nil
	for i, r := range s.Baselines {
		before := len(j.baselines)
		out.Warnings = append(out.Warnings, j.add(s.name(i), r)...)
		if len(j.baselines) > before {
			out.Baselines = append(out.Baselines, s.name(i))
		}
	}
	for _, bound := range b.Bounds {
		x := j.bound(bound)
		if b.File != "" || x.State != unpark.BoundUnmeasured || !j.neverMeasured(bound) {
			out.Bounds = append(out.Bounds, x)
		}
	}
	out.New = j.added()
	if s.Rounds == nil && len(j.baselines) > 0 {
		out.False = FalsePositives(b, len(j.baselines)).All
	}
	return out
}

// unusable says why the baselines say nothing; none when one of them does.
func (s Subject) unusable() []unpark.Notice {
	var out []unpark.Notice
	for i, r := range s.Baselines {
		why := unusable(s.name(i), r)
		if len(why) == 0 {
			return nil
		}
		out = append(out, why...)
	}
	return out
}

func (s Subject) name(i int) string {
	if i < len(s.Names) {
		return s.Names[i]
	}
	return fmt.Sprintf("baseline %d", i+1)
}

// unusable says why a run says nothing. name is that of a baseline, "" of the run
// itself.
func unusable(name string, r unpark.Run) []unpark.Notice {
	out := slices.Clone(r.Void)
	if !r.IsVoid() && r.Partial != "" {
		out = append(out, unpark.Notice{Code: "partial-run", Message: "it did not end: " + r.Partial, Cure: "run it again to its end"})
	}
	for i := range out {
		if name != "" {
			out[i].Message = "the baseline " + name + ": " + out[i].Message
		}
	}
	return out
}

// parts counts the bounds against a baseline that noise can break.
func parts(b unpark.Budget) int {
	n := 0
	for _, x := range b.Bounds {
		if x.Baseline && x.Metric != keyNew {
			n++
		}
	}
	return n
}

// add takes a baseline, or says why it cannot be one.
func (j *judge) add(name string, r unpark.Run) []unpark.Notice {
	c := compare.Runs(r, j.run.Run)
	if len(c.Refused) > 0 && j.rounds == nil {
		n := c.Refused[0]
		j.refused = append(j.refused, n)
		return []unpark.Notice{{Code: n.Code, Message: fmt.Sprintf("%s is left out: %s", name, n.Message), Cure: n.Cure}}
	}
	b := baseline{subject: read(r), found: c.Findings}
	if j.rounds != nil {
		b.found = j.rounds.Findings
	}
	var out []unpark.Notice
	if n, disturbed := compare.Disturbed(r); disturbed && j.rounds == nil {
		b.disturbed = true
		out = append(out, unpark.Notice{Code: n.Code, Message: name + ": " + n.Message, Cure: n.Cure})
	}
	for _, n := range append(slices.Clone(c.NotComparable), c.Warnings...) {
		switch n.Code {
		case "different-hosts":
			b.elsewhere = true
			out = append(out, unpark.Notice{Code: n.Code, Message: name + ": " + n.Message, Cure: n.Cure})
		case "neighbours": // said of each run
		case "one-round": // the noise says it better
		default:
			out = append(out, n)
		}
	}
	j.baselines = append(j.baselines, b)
	return out
}

// bound judges one bound.
func (j *judge) bound(b unpark.Bound) unpark.Judged {
	switch {
	case b.Metric == keyFindings:
		return judgeFindings(b, j.run.Run.Findings)
	case b.Baseline && len(j.baselines) == 0:
		why := "there is no baseline to hold it against: name one with --baseline"
		if len(j.refused) > 0 {
			why = "there is no baseline to hold it against: " + j.refused[0].Message + ": " + j.refused[0].Cure
		}
		return unpark.Judged{Bound: b, State: unpark.BoundUnmeasured, Why: why}
	case b.Metric == keyNew:
		return judgeFindings(b, j.added())
	}
	m, ok := find(b.Metric)
	if !ok {
		return unpark.Judged{Bound: b, State: unpark.BoundUnmeasured, Why: "no such metric is known"}
	}
	v, why := j.run.figure(m, b.At)
	out := unpark.Judged{Bound: b, Measured: v, Why: why}
	x, measured := v.Value.Get()
	switch {
	case b.Baseline && j.rounds != nil && m.key != keyWaiters && m.key != keyErrors:
		j.byRounds(&out, m)
	case !measured:
		out.State = unpark.BoundUnmeasured
	case !b.Baseline:
		out.State = unpark.BoundBroken
		if within(b.Op, x, b.Value) {
			out.State = unpark.BoundKept
		}
	case m.key == keyErrors:
		j.errors(&out)
	default:
		j.byRuns(&out, m, x)
	}
	if m.key == keyWaiters && out.State == unpark.BoundBroken {
		out.Findings = at(b.At, j.run.Run.Findings)
	}
	return out
}

// neverMeasured reports that there are baselines and that none of them has the
// bound's figure: the default budget does not ask for it then.
func (j *judge) neverMeasured(b unpark.Bound) bool {
	m, ok := find(b.Metric)
	return ok && len(j.baselines) > 0 && !slices.ContainsFunc(j.baselines, func(x baseline) bool {
		q, _ := x.figure(m, b.At)
		return q.Known()
	})
}

func within(op string, v, limit float64) bool {
	switch op {
	case "<":
		return v < limit
	case "<=":
		return v <= limit
	case ">":
		return v > limit
	default:
		return v >= limit
	}
}
