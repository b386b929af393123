package investigate

import (
	"runtime"
	"slices"

	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// introduce notes which processes answered.
func (s *service) introduce(found []*window.Endpoint) {
	s.rec.run.Target.Own = joined(s.c.Own, nil)
	for _, e := range found {
		if e.Info != nil {
			s.rec.run.Target.Probe = s.rec.run.Target.Probe || !e.Info.Attached
			s.rec.attached(e)
			s.rec.run.Target.Module, s.rec.run.Target.Go = e.Info.Module, e.Info.Go
		}
		s.owns(e)
		if e.Local > 0 {
			s.local = append(s.local, e.Local)
		}
		if e.Machine != "" {
			s.rec.run.Target.Elsewhere = true
		}
	}
	if s.c.attached() && !s.rec.run.Target.Elsewhere {
		s.bounds(found)
	}
}

// bounds finds what limits the processes of a target that unpark did not start: their
// processors and their cgroups, which need not be those of unpark.
func (s *service) bounds(found []*window.Endpoint) {
	var pids []int
	for _, e := range found {
		if e.Local > 0 {
			pids = append(pids, e.Local)
		}
	}
	if len(pids) < len(found) {
		return // of one of them nothing is known, so of all together nothing is
	}
	d := confine.BoundsOf(pids)
	t := &s.rec.run.Target
	t.Quota, s.throttled = d.Quota, d.Throttled
	s.onProcessors(d.CPUs)
}

// onProcessors notes which processors the target may use, unless it is all of them.
func (s *service) onProcessors(cpus []int) {
	if n := len(cpus); n == 0 || n >= s.rec.run.Host.CPUs {
		return
	}
	mine := confine.Allowed()
	s.rec.run.Target.CPUs = cpus
	s.rec.run.Target.Overlaps = slices.ContainsFunc(cpus, func(c int) bool { return slices.Contains(mine, c) })
}

// separable is the number of processors from which the generator and the target
// get disjoint ones.
const separable = 4

// separate keeps a quarter of the processors for the generator and returns the
// rest for the target; nil when there are too few to share out.
func (s *service) separate() []int {
	all := confine.Allowed()
	if len(all) < separable {
		return nil
	}
	n := max(1, len(all)/4)
	mine, theirs := all[:n], all[n:]
	if err := confine.Pin(0, mine); err != nil {
		s.rec.warn("affinity", "the generator was not kept on processors of its own: "+err.Error(), "run unpark where it may set affinity")
		return nil
	}
	before := runtime.GOMAXPROCS(n)
	// The next run in this process shares out all of them again.
	s.reunite = func() {
		runtime.GOMAXPROCS(before)
		if err := confine.Pin(0, all); err != nil {
			s.rec.warn("affinity", "the generator did not get its processors back: "+err.Error(), "start unpark anew for the next run")
		}
	}
	return theirs
}

// shared reports whether the generator and the target share processors.
func (s *service) shared() bool { return s.rec.run.Target.Shares() }

// cpus are the processors that the target may use, whose neighbours it feels.
func (s *service) cpus() []int {
	if len(s.rec.run.Target.CPUs) > 0 {
		return s.rec.run.Target.CPUs
	}
	return confine.Allowed()
}
