package search

import "github.com/unpark-go/unpark"

// Document is the result as the documents hold it.
func (r Result) Document(slo SLO) unpark.Search {
	s := unpark.Search{SLO: slo.String(), Rate: r.Rate, Held: r.Held, Ceiling: string(r.Ceiling), Why: r.Why}
	if r.Knee != nil {
		s.Why += "; " + r.Knee.Text
	}
	for _, p := range r.Probes {
		t := unpark.Trial{
			RateRPS: p.Rate, Phase: string(p.Phase), Void: p.Void, Holds: p.Holds,
			Violations: p.Violations, Achieved: p.Load.AchievedRPS, P99: p.Load.Response.P99,
		}
		if t.Violations == nil {
			t.Violations = []string{} // none, in JSON
		}
		s.Probes = append(s.Probes, t)
	}
	return s
}
