package search

import "github.com/unpark-go/unpark"

// Document is the result as the documents hold it.
func (r Result) Document(slo SLO) unpark.Search {
	s := unpark.Search{SLO: slo.String(), Rate: r.Rate, Held: r.Held, Ceiling: string(r.Ceiling), Why: r.Why}
	if r.Knee != nil {
		s.Why += "; " + r.Knee.String()
	}
	for _, p := range r.Probes {
		t := unpark.Trial{
			RateRPS: p.Rate, Phase: string(p.Phase), Void: p.Void, Holds: p.Holds,
			Violations: []string{}, Achieved: p.Load.AchievedRPS, P99: p.Load.Response.P99,
		}
		for _, v := range p.Violations {
			t.Violations = append(t.Violations, v.String())
		}
		s.Probes = append(s.Probes, t)
	}
	return s
}
