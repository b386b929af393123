package bisect

import (
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/bisect"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/units"
)

// document is what is known.
func (s *search) document() unpark.Bisection {
	d := unpark.Bisection{
		Schema: unpark.SchemaBisect, Package: s.c.Package, Good: s.good, Bad: s.bad, Metric: s.c.Metric, Outcome: s.outcome, Why: s.why,
		Culprits: []string{}, Commits: []unpark.Commit{}, Rounds: len(s.rounds), Builds: s.builds, Warnings: []unpark.Notice{},
	}
	d.Warnings = append(d.Warnings, s.warnings...)
	if d.Outcome == "" {
		d.Outcome, d.Why = unsure, "the search was stopped"
	}
	n := s.history.n()
	ends := s.ratios(n)
	var by []float64
	if len(ends) >= 2 && (d.Outcome == found || d.Outcome == unsure) {
		p := s.posterior()
		by = p.Posterior()
		best := p.Best()
		d.Probability = unpark.Num(best.Probability)
		for at := best.First; at <= best.Last; at++ {
			d.Culprits = append(d.Culprits, s.history.hash(at))
		}
		d.Effect = s.effect(best)
		if d.Outcome == found {
			d.Why = s.foundText(best, d.Effect)
			if s.changed != nil && s.changed.Commit == s.history.hash(best.Last) {
				d.Functions, d.FunctionsTested = s.changed.Functions, &s.changed.Tested
			}
		}
	} else if len(ends) >= 2 {
		d.Effect = quantity(bisect.EffectOf(ends), len(ends))
	}
	for i := range s.history.commits {
		d.Commits = append(d.Commits, s.commit(i, by))
	}
	return d
}

// effect is the ratio of the metric, of all rounds of commits that have the change.
func (s *search) effect(best bisect.Culprit) unpark.Quantity {
	var ratios []float64
	for i, r := range s.corrected() {
		if s.rounds[i].at >= best.Last && !math.IsNaN(r) {
			ratios = append(ratios, r)
		}
	}
	return quantity(bisect.EffectOf(ratios), len(ratios))
}

func quantity(e bisect.Effect, n int) unpark.Quantity {
	q := unpark.Measured(math.Exp(e.Ratio), "ratio", int64(n))
	if !math.IsNaN(e.Low) && !math.IsNaN(e.High) {
		q.Low, q.High = unpark.Num(math.Exp(e.Low)), unpark.Num(math.Exp(e.High))
	}
	return q
}

// commit is what was made of one commit of the history.
func (s *search) commit(i int, by []float64) unpark.Commit {
	c := s.history.commits[i]
	out := unpark.Commit{Hash: c.Hash, Title: c.Title, Time: c.Time, Merge: c.Parents > 1, State: unpark.CommitUnused}
	at := slices.Index(s.history.candidates, i) + 1
	if at == 0 {
		return out
	}
	if len(by) >= at {
		out.Probability = unpark.Num(by[at-1])
	}
	ratios := s.ratios(at)
	out.Rounds, out.State = len(ratios), unpark.CommitSpared
	if len(ratios) > 0 {
		out.State = unpark.CommitMeasured
		out.Ratio = quantity(bisect.EffectOf(ratios), len(ratios))
	}
	if _, ok := s.twin(at); ok && s.hashes[at] != "" {
		out.State = unpark.CommitIdentical
	}
	if why, ok := s.broken[at]; ok {
		out.State, out.Why = unpark.CommitBroken, why
	}
	return out
}

// foundText says in a sentence which commit it is.
func (s *search) foundText(best bisect.Culprit, effect unpark.Quantity) string {
	what := fmt.Sprintf("%s changed %s by %s", s.history.name(best.Last), metricName(s.c.Metric), units.Span(effect.Low.Or(effect.Value.Or(1))-1, effect.High.Or(effect.Value.Or(1))-1, "ratio"))
	if best.First < best.Last {
		what = fmt.Sprintf("one of %d commits, of which those before %s cannot be measured, changed %s", best.Last-best.First+1, s.history.name(best.Last), metricName(s.c.Metric))
	}
	return what
}

// Metrics are what can be searched for, by the words of the command line.
func Metrics() map[string]string {
	return map[string]string{"throughput": "throughput", "p50": "p50", "p99": "p99", "cpu": "cpu_per_request", "bytes": "bytes_per_request"}
}

// metricName is what a sentence calls a metric.
func metricName(metric string) string {
	switch metric {
	case "cpu_per_request":
		return "CPU per request"
	case "bytes_per_request":
		return "bytes per request"
	}
	return metric
}

func counted(rounds int) string { return unpark.Counted(int64(rounds), "round") }

// change is an effect for a line of progress: "+5.2 % (+3.9 to +6.4)".
func change(e bisect.Effect) string {
	low, high := math.Expm1(e.Low), math.Expm1(e.High)
	return fmt.Sprintf("%+.1f %% (%+.1f to %+.1f)", 100*math.Expm1(e.Ratio), 100*low, 100*high)
}

func (s *search) say(line string) { s.tell(line, nil) }

func (s *search) tell(line string, e *investigate.Event) {
	if s.c.Tell != nil {
		s.c.Tell(line, e)
	}
}

// tellRound is a line for a round.
func (s *search) tellRound(at int, p compare.Pair) {
	ratios, _ := compare.Ratios(s.c.Metric, []compare.Pair{p})
	line := fmt.Sprintf("round %2d  %s  %+.1f %%", len(s.rounds), s.history.name(at), 100*math.Expm1(ratios[0]))
	if n := s.history.n(); at < n || len(s.ratios(n)) > bisect.Looks()[0] {
		if ends := s.ratios(n); len(ends) >= bisect.Looks()[0] {
			best := s.posterior().Best()
			line += fmt.Sprintf("   best %s with %.0f %%", s.history.name(best.Last), 100*best.Probability)
		}
	}
	s.say(line)
}
