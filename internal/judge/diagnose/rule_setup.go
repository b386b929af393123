package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

func setupRule() Rule {
	return Rule{
		ID: "setup", Title: "what could be made once is made while serving requests", Class: unpark.ClassCPU,
		Doc: "Reads the CPU of library calls on the request path that turn something constant into something to be kept: " +
			"compiling a pattern or a template, loading a time zone, a key or a certificate, opening a database, seeding a generator. " +
			"Fires from 3 % of the CPU. Silent for what is made at the start or once, and for using what was made.",
		Needs:      []unpark.Kind{unpark.KindCPU},
		Run:        runSetup,
		Supersedes: []Supersession{{Rule: "alloc", Same: madeByCall}},
	}
}

func runSetup(m *model.Model) []unpark.Finding {
	var out []unpark.Finding
	for _, s := range m.Setups {
		cpu, bytes := s.Total()
		share := m.CPUShare(cpu)
		if share < setupShare || cpu*facts.ProfileHz < setupSamples || len(out) == maxOfRule || m.Requests <= setupRequests {
			break // the rest is less
		}
		cost := m.CPUCost(min(share+m.CollectorShare(bytes), 1))
		if !m.CPUMatters() && cost.CPUPerRequest.Value.Or(0) < recomputeTime {
			continue
		}
		out = append(out, setupFinding(m, s, share, cost))
	}
	return out
}

func setupFinding(m *model.Model, s model.Setup, share float64, cost unpark.Cost) unpark.Finding {
	site := s.Site.Site
	f := unpark.Finding{
		Rule: "setup", Class: unpark.ClassCPU, Site: site, Path: path(towards(s)), Cost: cost,
		Title: fmt.Sprintf("%s %s while it serves requests (%s)", short(site.Function), s.Of.Does, short(s.Call.Function)),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Medium,
		Facts: []unpark.Fact{fact("CPU of "+short(s.Call.Function)+" called from "+short(site.Function), s.CPU, "s", "cpu.pb.gz")},
		Remedies: []unpark.Remedy{{
			Title: s.Of.Instead,
			Why:   "what it makes seldom depends on the request, and is made anew again and again",
			Risk:  "where it comes out of the request itself, keep the results in a cache with a bound",
		}},
	}
	for _, b := range s.Beside {
		f.Facts = append(f.Facts, fact(fmt.Sprintf("CPU of %s at its first use in %s", short(b.Call.Function), short(b.Site.Site.Function)), b.CPU, "s", "cpu.pb.gz"))
	}
	_, bytes := s.Total()
	if b, ok := m.PerRequest(bytes).Get(); ok && b > 0 {
		f.Cost.BytesPerRequest = unpark.Measured(b, "B/req", int64(m.Requests))
	}
	return f
}

// towards is the way to what is made: the heaviest stack of the function that makes it may lead to something else, as that of a
// middleware does, which has all of a request below it.
func towards(s model.Setup) []unpark.Site {
	at := slices.IndexFunc(s.Site.Stack, func(on unpark.Site) bool { return on.Function == s.Site.Site.Function })
	if at < 0 || slices.ContainsFunc(s.Site.Stack[:at], func(on unpark.Site) bool { return on.Function == s.Call.Function }) {
		return s.Site.Stack
	}
	return append([]unpark.Site{s.Call, s.Site.Site}, s.Site.Stack[at+1:]...)
}

// madeByCall is for what the call allocates to make the thing: that goes with it, and is part of its cost.
func madeByCall(_ *model.Model, mine, other unpark.Finding) bool {
	return other.Culprit != nil && other.Site.Function == mine.Site.Function && len(mine.Path) > 0 && other.Culprit.Function == mine.Path[0].Function
}
