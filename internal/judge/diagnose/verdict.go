package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// Verdict runs every rule and says what binds. Void are the reasons for which
// the run's figures are not to be trusted; they come before everything else.
//
// The findings have no prediction and no rank yet. The notices name the kinds
// that rules needed and that were not measured, one notice a kind.
func Verdict(ev facts.Evidence, void []unpark.Notice) (unpark.Limit, []unpark.Finding, []unpark.Notice) {
	ev = timed(ev)
	m := model.New(ev)
	findings := apply(m)
	doubts := doubts(m, findings)
	if parked := slices.DeleteFunc(slices.Clone(findings), func(f unpark.Finding) bool { return !parks(m, f) }); len(parked) > 0 {
		ev = without(ev, parked)
		m = model.New(ev)
		findings = apply(m)
	}
	for i := range findings {
		weigh(m, &findings[i])
		advise(m, &findings[i], findings...)
		paced(m, &findings[i])
		findings[i].Facts = append(findings[i].Facts, tailFacts(m, findings[i])...)
	}
	overMade(findings)
	findings = sparedTogether(findings)
	return bind(m, void, findings), findings, slices.Concat(missing(ev), doubts, unproven(m), odd(ev.Window))
}

// timed leaves out waits that nothing says over which time they were: a block or mutex
// profile that counts since its process started, beside one of a CPU that lasted some
// seconds. What they hold is in the tables.
func timed(ev facts.Evidence) facts.Evidence {
	if sinceStart(ev, unpark.KindBlock) {
		ev.Waits = slices.DeleteFunc(slices.Clone(ev.Waits), func(w facts.Wait) bool { return w.Source == unpark.KindBlock.File() })
	}
	if sinceStart(ev, unpark.KindBlock) || sinceStart(ev, unpark.KindMutex) {
		ev.Locks = nil
	}
	return ev
}

// sinceStart reports whether a kind counts over a time that is not known.
func sinceStart(ev facts.Evidence, k unpark.Kind) bool {
	c := ev.Coverage[k]
	return ev.Window.Load == nil && c.State == unpark.Present && !c.Seconds.Known()
}

// apply runs every rule. Of findings that are one cause seen twice, one stays, and has what
// the others measured.
func apply(m *model.Model) []unpark.Finding {
	var all []unpark.Finding
	for _, rule := range Rules() {
		if !rule.Last || len(all) == 0 {
			all = append(all, rule.Run(m)...)
		}
	}
	var out []unpark.Finding
	for i, f := range all {
		if !superseded(m, all, i) {
			out = append(out, f)
		}
	}
	for i := range out {
		for _, f := range all {
			if s, ok := supersedes(m, out[i], f); ok && s.Take != nil {
				s.Take(m, &out[i], f)
			}
		}
	}
	return out
}

// superseded reports whether another finding covers finding i.
func superseded(m *model.Model, all []unpark.Finding, i int) bool {
	return slices.ContainsFunc(all, func(mine unpark.Finding) bool {
		_, ok := supersedes(m, mine, all[i])
		return ok
	})
}

// supersedes says how a finding covers another one, if it does.
func supersedes(m *model.Model, mine, other unpark.Finding) (Supersession, bool) {
	for _, rule := range Rules() {
		if rule.ID != mine.Rule {
			continue
		}
		for _, s := range rule.Supersedes {
			if s.Rule == other.Rule && s.Same(m, mine, other) {
				return s, true
			}
		}
	}
	return Supersession{}, false
}

// switchOn says how a kind that is off is had.
func switchOn(target unpark.Target, k unpark.Kind) string {
	byNumber := len(target.ByNumber()) > 0
	switch {
	case k == unpark.KindAllocs || k == unpark.KindHeap: // a rate that is known is that of a process read by its number
		return "add --memory-rate 524288: runtime.MemProfileRate is then written for the time of the window, and put back"
	case byNumber && target.Attach.ReadOnly:
		return "leave --read-only out: its rate is then written for the time of the window, and put back"
	}
	return "set its rate in the service, or start the service with unpark's probe, which leases it for the window"
}

// missing returns one notice for each kind that a rule needs and that was not
// measured, in the order of kinds. Of loose files, those that are not among them were
// not asked for: see Unsaid.
func missing(ev facts.Evidence) []unpark.Notice {
	needs := map[unpark.Kind][]string{}
	for _, rule := range Rules() {
		for _, k := range rule.Needs {
			needs[k] = append(needs[k], rule.Title)
		}
	}
	var out []unpark.Notice
	for _, k := range unpark.Kinds() {
		c := ev.Coverage[k]
		if len(needs[k]) == 0 || c.State == unpark.Present || ev.Window.Load == nil && !c.Offered {
			continue
		}
		n := unpark.Notice{Code: "kind-" + string(k), Cure: "capture the " + string(k) + " profile as well"}
		state := "absent"
		switch c.State {
		case unpark.Off:
			state, n.Cure = "off", switchOn(ev.Target, k)
		case unpark.Bad:
			state = "unusable"
		case unpark.Absent:
			n.Cure = "serve net/http/pprof in the target, or build it with --pkg"
			if len(ev.Target.ByNumber()) > 0 {
				n.Cure = "docs/attach.md says what it takes"
			}
		}
		known := "nothing is known"
		switch {
		case k.Rated() && ev.Tracing != nil && ev.Tracing.Requests > 0:
			known = "only the execution trace tells"
		case k.Rated() && ev.Coverage[unpark.KindGoroutine].State == unpark.Present:
			known = "only goroutine dumps tell"
		}
		n.Message = fmt.Sprintf("the %s profile was %s, so %s about: %s", k, state, known, strings.Join(needs[k], ", "))
		if c.Why != "" {
			n.Message += " (" + c.Why + ")"
		}
		out = append(out, n)
	}
	return out
}
