package compare

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// why is the sentence that says why the throughput did or did not move, or, where
// the rate is given and kept, the tail. It is built from verdicts alone: what was
// not called does not appear as a cause. Empty when neither is known.
func why(c unpark.Comparison, before, after unpark.Run) string {
	s := story{effects: map[string]unpark.Effect{}, floor: c.Floor, before: before, after: after}
	for _, e := range c.Effects {
		s.effects[e.Metric] = e
	}
	for i := range c.Findings {
		s.weigh(&c.Findings[i])
	}
	e, ok := s.effects[throughput]
	switch {
	case len(c.NotComparable) > 0:
		return "times are not compared: " + c.NotComparable[0].Message
	case !ok:
		return s.finding()
	case slices.ContainsFunc(c.Warnings, func(n unpark.Notice) bool { return n.Code == tooFew }):
		return prefix(s.finding(), unpark.Counted(e.Ratio.N, "round")+" cannot tell whether throughput moved")
	case e.Verdict == same && before.Plan.Mode.Open() && s.latency() != "":
		return s.latency()
	case e.Verdict == same:
		return s.unmoved()
	default:
		return "throughput " + units.SayChange(e.Ratio) + ": " + s.cause(e.Verdict) + s.next()
	}
}

// story is what a sentence may draw on.
type story struct {
	effects        map[string]unpark.Effect
	floor          map[string]unpark.Quantity
	removed, added *unpark.Changed // the finding that went and that came, the one that matters most
	before, after  unpark.Run
}

// weigh keeps a finding when it matters more than what is kept: gone before shrunk,
// and what the limit before was made of before all else.
func (s *story) weigh(f *unpark.Changed) {
	weight := func(f *unpark.Changed) int {
		switch {
		case f == nil:
			return 0
		case s.binding(f):
			return 3
		case f.Change == gone:
			return 2
		default:
			return 1
		}
	}
	switch f.Change {
	case gone, shrunk:
		if weight(f) > weight(s.removed) {
			s.removed = f
		}
	case grown, added:
		if s.added == nil {
			s.added = f
		}
	}
}

// binding reports whether a finding is of the class that bound the run before.
func (s *story) binding(f *unpark.Changed) bool {
	return binder(s.before.Limit.Kind) != "" && string(f.Class) == string(s.before.Limit.Kind)
}

func prefix(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// finding says what became of the finding that matters most; "" when none changed.
func (s *story) finding() string {
	if s.removed == nil {
		return ""
	}
	was, now := burdens(*s.removed)
	switch {
	case s.removed.Change == gone && was != "":
		return fmt.Sprintf("%s is gone (was %s)", titled(s.removed.Finding), was)
	case s.removed.Change == gone:
		return titled(s.removed.Finding) + " is gone"
	case was != "" && now != "":
		return fmt.Sprintf("%s shrank (%s, was %s)", titled(s.removed.Finding), now, was)
	default:
		return titled(s.removed.Finding) + " shrank"
	}
}

func (s *story) growth() string {
	was, now := burdens(*s.added)
	if s.added.Change == added {
		return fmt.Sprintf("%s is new (%s)", titled(s.added.Finding), now)
	}
	return fmt.Sprintf("%s grew (%s, was %s)", titled(s.added.Finding), now, was)
}

// cause explains a throughput that moved.
func (s *story) cause(verdict string) string {
	if verdict == worse {
		switch {
		case s.added != nil:
			return s.growth()
		case s.verdict(cpuEach) == worse:
			return "a request takes " + s.cpu() + s.isLimit()
		default:
			return s.unexplained()
		}
	}
	cheaper := s.verdict(cpuEach) == better && s.isLimit() != ""
	switch {
	case s.removed != nil && s.binding(s.removed) && s.removed.Change == gone:
		return fmt.Sprintf("%s that held it at %s is gone", titled(s.removed.Finding), units.Say(s.effects[throughput].Before.Value.Or(0), "req/s"))
	case s.removed != nil && (s.binding(s.removed) || s.promised()):
		return s.finding()
	case s.removed != nil && cheaper:
		return s.finding() + ", a request takes " + s.cpu() + s.isLimit()
	case cheaper:
		return "a request takes " + s.cpu() + s.isLimit()
	case s.removed != nil:
		return s.finding() + ", which does not explain it"
	default:
		return s.unexplained()
	}
}

// unexplained says that nothing explains a change, or that nothing was profiled.
func (s *story) unexplained() string {
	if len(s.before.Windows) == 0 || len(s.after.Windows) == 0 {
		return "without profiled runs nothing is known of the cause"
	}
	return "no finding of either run explains it"
}

// promised reports whether the finding that went had a forecast of more throughput.
func (s *story) promised() bool {
	return s.removed.Change == gone && s.removed.Prediction.Throughput.Low.Or(0) > 1
}

// unshown says that no difference of a metric was shown, and how large one must be
// to leave the floor: a change that was not called may still be there.
func (s *story) unshown(metric, name string) string {
	out := "no difference of " + name + " was shown"
	if f, ok := s.floor[metric].Value.Get(); ok {
		out += fmt.Sprintf(" (floor ±%s)", units.Say(f, "ratio"))
	}
	return out
}

// unmoved explains a throughput of which no change was shown.
func (s *story) unmoved() string {
	still := s.unshown(throughput, "throughput")
	b, a := binder(s.before.Limit.Kind), binder(s.after.Limit.Kind)
	out := still
	if f := s.finding(); f != "" {
		out = f + ", " + still
	}
	switch {
	case len(s.after.Windows) == 0:
		// No profiled run says what binds.
	case a != "" && s.before.Limit.Kind == s.after.Limit.Kind:
		out += ": " + a + " was and is the limit" + extent(s.after)
	case a != "" && b != "":
		out += ": " + a + " binds now" + extent(s.after) + ", where " + b + " did"
	case a != "":
		out += ": " + a + " is the limit" + extent(s.after)
	case s.after.Limit.Kind == unpark.LimitNone:
		out += ": nothing in the service is near its limit"
	default:
		out += ", and what limits it is not known"
	}
	switch v := s.verdict(cpuEach); {
	case v == better || v == worse:
		out += "; a request takes " + s.cpu()
	case s.removed == nil && s.added != nil:
		out += "; " + s.growth()
	}
	return out
}

// latency explains the tail under a rate that is given and kept; "" when it was not
// measured.
func (s *story) latency() string {
	e, ok := s.effects[tail]
	rate, known := s.effects[throughput].After.Value.Get()
	if !ok || !known {
		return ""
	}
	out := fmt.Sprintf("the rate is given and kept (%s), ", units.Say(rate, "req/s"))
	switch e.Verdict {
	case same:
		out += s.unshown(tail, "p99")
		if f := s.finding(); f != "" {
			return out + ", though " + f
		}
		return out
	case better:
		out += "p99 " + units.SayChange(e.Ratio)
		if f := s.finding(); f != "" {
			return out + ": " + f
		}
	default:
		out += "p99 " + units.SayChange(e.Ratio)
		if s.added != nil {
			return out + ": " + s.growth()
		}
	}
	return out + ", and " + s.unexplained()
}

// next says what binds after a change.
func (s *story) next() string {
	a := binder(s.after.Limit.Kind)
	switch {
	case a == "" && s.after.Limit.Kind == unpark.LimitNone:
		return "; now nothing in the service is near its limit"
	case a == "":
		return ""
	case s.before.Limit.Kind == s.after.Limit.Kind:
		return "; " + a + " was and is the limit" + extent(s.after)
	default:
		return "; now " + a + " binds" + extent(s.after)
	}
}

// isLimit adds that CPU is what binds, which makes its use the throughput.
func (s *story) isLimit() string {
	switch s.before.Limit.Kind {
	case unpark.LimitCPU, unpark.LimitGC, unpark.LimitQuota:
		return ", and " + binder(s.before.Limit.Kind) + " was the limit"
	}
	return ""
}

func (s *story) verdict(metric string) string { return s.effects[metric].Verdict }

// cpu is the change of the CPU per request: "12 % less CPU".
func (s *story) cpu() string {
	ratio := s.effects[cpuEach].Ratio.Value.Or(1)
	switch {
	case ratio >= 2:
		return "× " + units.Say(ratio, "") + " the CPU"
	case ratio > 1:
		return units.Say(ratio-1, "ratio") + " more CPU"
	default:
		return units.Say(1-ratio, "ratio") + " less CPU"
	}
}
