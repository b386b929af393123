package fleet

import (
	"fmt"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/units"
)

// void says why a part is not to be trusted; empty when it is.
func (s *Session) void(p *part) string {
	if why := s.cut(p); why != "" {
		return why
	}
	if p.task.Plan != nil && len(p.done.Void) > 0 {
		return p.done.Void[0].Message
	}
	return ""
}

// cut says why a part is not whole, or not of the same time as the others.
func (s *Session) cut(p *part) string {
	switch {
	case p.lost != "":
		return p.lost
	case p.done.Err != "":
		return p.done.Err
	case p.failed != nil:
		return "what it recorded could not be fetched: " + p.failed.Error()
	case p.silent > silence:
		return fmt.Sprintf("it lost its link for %v", p.silent.Round(100*time.Millisecond))
	case p.drift > MaxSpread:
		return fmt.Sprintf("its clock went away from ours by %v within the run", p.drift.Round(10*time.Microsecond))
	}
	if off := s.late(p); off > MaxSpread {
		return fmt.Sprintf("it began %v from the instant that was named%s", off.Round(10*time.Microsecond), why(off, time.Duration(p.done.Waited)))
	}
	return ""
}

// late is how far from the named instant an agent began to load; 0 of one that does not.
func (s *Session) late(p *part) time.Duration {
	if p.done == nil || p.done.Began == 0 {
		return 0
	}
	return time.Duration(p.done.Began - int64(p.agent.Clock.Ahead) - s.start).Abs()
}

// why says whose fault a late start is: the machine's, where threads that were ready had no processor for most of
// that time.
func why(late, waited time.Duration) string {
	if float64(waited) < mostOfIt*float64(late) {
		return ""
	}
	return fmt.Sprintf(": its threads stood ready for %v without a processor, which other programs of that machine had", waited.Round(10*time.Microsecond))
}

// judge leaves out the parts that are void, merges the rest, and says what it is worth.
// Where every generator was the limit itself the figures are those of all, and void.
func (s *Session) judge(parts []*part) Result {
	r := Result{Agents: s.said(parts)}
	loading := 0
	for i, p := range parts {
		if p.task.Plan != nil {
			loading++
		}
		if p.window != nil && p.lost == "" {
			shift := time.Duration(-int64(p.agent.Clock.Ahead) - p.done.Wall)
			moved(p.window, shift, r.Agents[i].Machine)
			r.Windows = append(r.Windows, *p.window)
		}
		if p.done != nil {
			r.Warnings = append(r.Warnings, about(p.agent.Name, p.done.Warnings)...)
		}
	}
	left := r.merge(parts, func(i int) bool { return r.Agents[i].Void == "" })
	worth := s.worth(left, loading)
	if left == 0 {
		if n := r.merge(parts, func(i int) bool { return s.cut(parts[i]) == "" }); n > 0 {
			worth = fmt.Sprintf("No part is sound; the figures are those of %d of %d", n, loading)
		}
	}
	worth += s.beside(&r, parts)
	why := reasons(parts, r.Agents, s.cut)
	if len(why) == 0 {
		return r
	}
	n := notice(why, len(parts), worth)
	if float64(left) >= enough*float64(loading) { // what is missing was only to capture
		r.Warnings = append(r.Warnings, n)
		return r
	}
	r.Void = append(r.Void, n)
	return r
}

// merge adds up the records of the parts that are chosen, and returns how many there are.
func (r *Result) merge(parts []*part, chosen func(i int) bool) (n int) {
	for i, p := range parts {
		if p.record == nil || !chosen(i) {
			continue
		}
		if r.Record == nil {
			r.Record = p.record
		} else if err := r.Record.Merge(p.record); err != nil {
			r.Agents[i].Void = err.Error()
			continue
		}
		p.counts = true
		n++
	}
	return n
}

// beside counts what the service answered within the window to the parts that do not count, and says it: what
// the service used is that of all requests.
func (s *Session) beside(r *Result, parts []*part) string {
	var known, unknown float64
	missing := false
	for _, p := range parts {
		if p.task.Plan == nil || p.counts {
			continue
		}
		missing = true
		n, more := p.answered(s)
		known, unknown = known+n, unknown+more
	}
	if !missing || r.Record == nil {
		return ""
	}
	r.beside = unpark.Num(known)
	if s.o.Create == nil { // nothing is captured, so nothing is said of costs
		return ""
	}
	said := fmt.Sprintf(". Costs per request are those of all requests, also of %s that it answered to void parts", unpark.Counted(int64(known), "request"))
	if unknown >= 1 {
		said += fmt.Sprintf("; up to %.0f more of a lost one are not known, so that costs may be too high by %.1f %%", unknown, 100*unknown/max(1, known+r.answered()))
	}
	return said
}

// answered is how many requests of an agent the service answered within the window, as far as that is known, and how many
// more there may be: one that is lost may have loaded on until its lease ran out.
func (p *part) answered(s *Session) (known, unknown float64) {
	if p.done != nil {
		return float64(p.done.Answered), 0
	}
	for _, w := range s.Course.Phases() {
		if w.Name != "window" {
			continue
		}
		from := s.Start().Add(w.At)
		to := from.Add(w.Length)
		if p.heard.After(from) {
			from = p.heard
		}
		// It looks at the lease with each beat, and may have heard one right after its last word.
		if end := p.heard.Add(wire.Lease + 2*wire.Beat); end.Before(to) {
			to = end
		}
		unknown = p.last.RPS * max(0, to.Sub(from).Seconds())
	}
	return float64(p.last.Answered), unknown
}

// answered is how many requests of the window are in the figures.
func (r Result) answered() float64 {
	if i := r.Measured(); i >= 0 {
		return float64(r.Record.Load(i).Requests)
	}
	return 0
}

// worth says what the parts that are left amount to.
func (s *Session) worth(left, of int) string {
	switch {
	case of == 0:
		return "The processes of the others were used"
	case left == 0:
		return "Nothing of the load is left"
	}
	if left == of {
		return "The load is whole"
	}
	share := float64(left) / float64(of)
	what := fmt.Sprintf("%.0f of %s", share*float64(s.o.Plan.Connections), unpark.Counted(int64(s.o.Plan.Connections), "connection"))
	if s.o.Plan.Mode.Open() {
		what = fmt.Sprintf("%.0f %% of the rate", 100*share)
		if v := s.o.Plan.RateRPS; v > 0 {
			what = units.Figure(share*v, "") + " of " + units.Figure(v, "req/s")
		}
	}
	return fmt.Sprintf("The figures are those of the other %d of %d: %s; the service had the rest too, for as long as that went on", left, of, what)
}

// about says of which agent notices are.
func about(name string, ns []unpark.Notice) []unpark.Notice {
	out := slices.Clone(ns)
	for i := range out {
		out[i].Message = "agent " + name + ": " + out[i].Message
	}
	return out
}

// said is what the document says of the agents.
func (s *Session) said(parts []*part) []unpark.Agent {
	var boots []string
	out := make([]unpark.Agent, 0, len(parts))
	for _, p := range parts {
		a := p.agent
		at := slices.Index(boots, a.Boot)
		if at < 0 || a.Boot == "" {
			boots = append(boots, a.Boot)
			at = len(boots) - 1
		}
		d := unpark.Agent{
			Name: a.Name, Machine: at + 1, Version: a.Version.Version, CPUs: a.Host.CPUs, Load: p.task.Plan != nil, Processes: len(p.pids),
			Offset: unpark.Num(a.Clock.Ahead.Seconds()), Spread: unpark.Num(a.Clock.Spread.Seconds()), Trip: unpark.Num(a.Clock.Trip.Seconds()),
			Void: s.void(p),
		}
		if p.done != nil && p.done.Began > 0 {
			d.Start = unpark.Num(s.late(p).Seconds())
		}
		if p.record != nil {
			for i, st := range p.record.Stretches {
				if st.Phase == "window" {
					d.RPS = unpark.Num(p.record.Load(i).AchievedRPS)
				}
			}
		}
		out = append(out, d)
	}
	return out
}

// moved puts a window on the coordinator's clock and its machine's number.
func moved(w *unpark.Window, by time.Duration, machine int) {
	w.Start, w.End = w.Start.Add(by), w.End.Add(by)
	for i := range w.Processes {
		w.Processes[i].Machine = machine
	}
	for i := range w.Profiles {
		p := &w.Profiles[i]
		if !p.Start.IsZero() {
			p.Start = p.Start.Add(by)
		}
		if !p.End.IsZero() {
			p.End = p.End.Add(by)
		}
	}
}
