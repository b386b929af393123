package evidence

import (
	"iter"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// profiles is what was captured of a window: merged over the processes, with every
// stack labelled once.
type profiles struct {
	in        Input
	catalogue *profile.Catalogue
	seconds   float64
	processes int // at least 1
	coverage  map[unpark.Kind]facts.KindCoverage
	merged    map[unpark.Kind]*profile.Profile
	stacks    map[unpark.Kind][]stack
	instants  [][]stack // labelled goroutine profiles, in order of time
}

// stack is a sample with its meaning.
type stack struct {
	catalogue    *profile.Catalogue
	sites        []unpark.Site
	value, count float64
	label        profile.Label
}

// observer reports whether the stack exists only because the target is being looked at.
func (s stack) observer() bool { return s.label.Side == unpark.ObserverSide }

// on reports whether the stack runs through a function with a role.
func (s stack) on(r roles.Role) bool { return s.catalogue.On(s.sites, r) }

// site returns the application frame, or the frame that a reader would name in
// its place.
func (s stack) site() unpark.Site {
	switch {
	case s.label.App >= 0:
		return s.sites[s.label.App]
	case len(s.sites) > 0:
		return s.plumbed(0)
	}
	return unpark.Site{}
}

// caller returns the frame that called into Go's own machinery.
func (s stack) caller() unpark.Site {
	if s.label.Caller >= 0 {
		return s.sites[s.label.Caller]
	}
	return s.site()
}

// plumbed returns the first frame from the i-th on that is neither Go's own machinery
// nor the plumbing between a connection and its user: net/http.(*conn).serve, where an
// idle connection's stack begins with netFD.Read and bufio.
func (s stack) plumbed(i int) unpark.Site {
	for _, at := range s.sites[i:] {
		if !s.catalogue.Is(at.Function, roles.Machinery) && !s.catalogue.Is(at.Function, roles.Plumbing) {
			return at
		}
	}
	return s.sites[max(0, i-1)]
}

func newProfiles(in Input) *profiles {
	if len(in.Snapshots) == 0 {
		if last := in.Profiles[unpark.KindGoroutine]; len(last) > 0 {
			in.Snapshots = [][]*profile.Profile{last}
		}
	}
	p := &profiles{
		in:      in,
		seconds: in.Window.Seconds(),
		merged:  map[unpark.Kind]*profile.Profile{},
		stacks:  map[unpark.Kind][]stack{},
	}
	for kind, ps := range in.Profiles {
		if used(ps) > 0 {
			p.merged[kind] = profile.Merge(ps...)
		}
	}
	var dumps []*profile.Profile
	for _, instant := range in.Snapshots {
		if used(instant) > 0 {
			dumps = append(dumps, profile.Merge(instant...))
		}
	}
	p.processes = max(1, len(in.Window.Processes), used(in.Profiles[unpark.KindCPU]), used(in.Profiles[unpark.KindBlock]))
	if p.seconds <= 0 {
		p.seconds = p.longest().Seconds()
	}
	p.catalogue = profile.NewCatalogue(in.Target.Module, in.Target.Own...).With(append(dumps, p.merged[unpark.KindCPU])...)
	for kind, merged := range p.merged {
		p.stacks[kind] = p.labelled(merged)
	}
	for _, d := range dumps {
		p.instants = append(p.instants, p.labelled(d))
	}
	if len(dumps) > 0 && p.merged[unpark.KindGoroutine] == nil {
		p.merged[unpark.KindGoroutine] = dumps[len(dumps)-1]
	}
	return p
}

func (p *profiles) labelled(of *profile.Profile) []stack {
	samples := of.Samples()
	out := make([]stack, 0, len(samples))
	by := p.stretched(of.Kind())
	for _, s := range samples {
		if s.Value == 0 && s.Count == 0 {
			continue
		}
		out = append(out, stack{p.catalogue, s.Stack, by * s.Value, s.Count, p.catalogue.Label(of.Kind(), s.Stack)})
	}
	return out
}

// has reports whether a kind was measured; an empty profile of it then means that
// nothing happened.
func (p *profiles) has(kind unpark.Kind) bool { return p.coverage[kind].State == unpark.Present }

// of yields the stacks of a kind, without the observer's.
func (p *profiles) of(kind unpark.Kind) iter.Seq[stack] {
	return func(yield func(stack) bool) {
		for _, s := range p.stacks[kind] {
			if !s.observer() && !yield(s) {
				return
			}
		}
	}
}

// dumped yields the stacks of all dumps, without the observer's, with the number of the
// dump.
func (p *profiles) dumped() iter.Seq2[int, stack] {
	return func(yield func(int, stack) bool) {
		for i, instant := range p.instants {
			for _, s := range instant {
				if !s.observer() && !yield(i, s) {
					return
				}
			}
		}
	}
}

// counter sums a counter of the runtime over the processes.
func (p *profiles) counter(get func(unpark.Metrics) unpark.Number) unpark.Number {
	return p.in.Window.Total(func(pr unpark.Process) unpark.Number { return get(pr.Metrics) })
}

// requests is the number of requests that the target answered.
func (p *profiles) requests() unpark.Number {
	if l := p.in.Window.Load; l != nil {
		return unpark.Num(l.Answered())
	}
	return unpark.Number{}
}

func (p *profiles) flames() []unpark.Flame {
	var out []unpark.Flame
	for _, kind := range unpark.Kinds() {
		if merged := p.merged[kind]; merged != nil {
			out = append(out, merged.Flame(p.catalogue))
		}
	}
	return out
}

// used is of how many processes there are profiles.
func used(ps []*profile.Profile) int {
	n := 0
	for _, p := range ps {
		if p != nil {
			n += p.Processes()
		}
	}
	return n
}
