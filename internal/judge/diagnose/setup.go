package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

func setupRule() Rule {
	return Rule{
		ID: "setup", Title: "what could be made once is made while serving requests", Class: unpark.ClassCPU,
		Doc: "Reads the CPU of library calls on the request path that turn something constant into something to be kept: " +
			"compiling a pattern or a template, loading a time zone, a key or a certificate, opening a database, seeding a generator. " +
			"Fires from 3 % of the CPU. Silent for what is made at the start or once, and for using what was made.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runSetup,
	}
}

const (
	// setupShare is the share of the target's CPU from which it is told: such calls
	// need not be there at all.
	setupShare = 0.03
	// setupSamples of the CPU profile, and setupRequests, tell calls that many requests
	// make from one that was made in the window.
	setupSamples  = 10
	setupRequests = 10
)

// setup is one such call in one function of the application.
type setup struct {
	site  facts.CPUSite // the heaviest line
	call  unpark.Site
	of    roles.Setup
	cpu   float64 // s
	bytes float64
}

// setups returns them, those with most CPU first.
func (r reading) setups() []setup {
	type key struct{ function, call string }
	by := map[key]*setup{}
	for _, s := range r.ev.CPU.Sites {
		if s.Side != unpark.RequestPath {
			continue
		}
		for _, c := range s.Callees {
			of, ok := roles.SetupOf(c.Site.Function)
			if !ok {
				continue
			}
			k := key{s.Site.Function, c.Site.Function}
			if by[k] == nil {
				by[k] = &setup{site: s, call: c.Site, of: of}
			}
			by[k].cpu += c.Value
		}
	}
	for _, a := range r.ev.Allocs {
		for _, c := range a.Callees {
			if s := by[key{a.Site.Function, c.Site.Function}]; s != nil {
				s.bytes += c.Value
			}
		}
	}
	out := make([]setup, 0, len(by))
	for _, s := range by {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b setup) int {
		return cmp.Or(cmp.Compare(b.cpu, a.cpu), cmp.Compare(a.site.Site.Function, b.site.Site.Function), cmp.Compare(a.call.Function, b.call.Function))
	})
	return out
}

// setupBy is the CPU of such calls by the function that makes them, in seconds.
func (r reading) setupBy() map[string]float64 {
	out := map[string]float64{}
	for _, s := range r.setups() {
		out[s.site.Site.Function] += s.cpu
	}
	return out
}

func runSetup(ev facts.Evidence) []unpark.Finding {
	r := read(ev)
	var out []unpark.Finding
	for _, s := range r.setups() {
		share := r.cpuShare(s.cpu)
		if share < setupShare || s.cpu*profileHz < setupSamples || len(out) == maxOfRule || r.requests <= setupRequests {
			break // the rest is less
		}
		cost := r.cpuCost(min(share+r.drag(s.bytes), 1))
		if !r.cpuMatters() && cost.CPUPerRequest.Value.Or(0) < recomputeTime {
			continue
		}
		out = append(out, r.setupFinding(s, share, cost))
	}
	return out
}

func (r reading) setupFinding(s setup, share float64, cost unpark.Cost) unpark.Finding {
	site := s.site.Site
	f := unpark.Finding{
		Rule: "setup", Class: unpark.ClassCPU, Site: site, Path: path(s.site.Stack), Cost: cost,
		Title: fmt.Sprintf("%s %s while it serves requests (%s)", short(site.Function), s.of.Does, short(s.call.Function)),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Medium,
		Facts: []unpark.Fact{fact("CPU of "+short(s.call.Function)+" called from "+short(site.Function), s.cpu, "s", "cpu.pb.gz")},
		Remedies: []unpark.Remedy{{
			Title: s.of.Instead,
			Why:   "what it makes seldom depends on the request, and is made anew again and again",
			Risk:  "where it comes out of the request itself, keep the results in a cache with a bound",
		}},
	}
	if b, ok := r.perRequest(s.bytes).Get(); ok && b > 0 {
		f.Cost.BytesPerRequest = unpark.Measured(b, "B/req", int64(r.requests))
	}
	return f
}
