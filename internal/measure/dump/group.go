package dump

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
)

// mostFrames bounds the stacks in the document.
const mostFrames = 32

func clip(stack []unpark.Site) []unpark.Site {
	return slices.Clone(stack[:min(len(stack), mostFrames)])
}

// span returns the seconds from the first dump to the last.
func (p *process) span() float64 {
	if p.dumps() == 0 {
		return 0
	}
	return p.begun[p.dumps()-1].Sub(p.begun[0]).Seconds()
}

// groupKey is what goroutines of one group have in common over all processes.
type groupKey struct {
	place  string
	motion unpark.Motion
}

// document joins settled processes.
type document struct {
	watch  unpark.Watch
	groups map[groupKey]*unpark.WatchGroup
	leaks  map[string]*unpark.WatchLeak
	sites  map[string]bool
}

// join makes the document of settled processes.
func join(all []*settled) unpark.Watch {
	d := document{groups: make(map[groupKey]*unpark.WatchGroup), leaks: make(map[string]*unpark.WatchLeak), sites: make(map[string]bool)}
	for _, s := range all {
		d.add(s)
	}
	for _, g := range d.groups {
		slices.SortStableFunc(g.Members, func(a, b unpark.WatchMember) int { return cmp.Compare(b.Age, a.Age) })
		g.Members = g.Members[:min(len(g.Members), mostListed)]
		d.watch.Groups = append(d.watch.Groups, *g)
	}
	for _, l := range d.leaks {
		d.watch.Leaks = append(d.watch.Leaks, *l)
	}
	order := unpark.Motions()
	slices.SortFunc(d.watch.Groups, func(a, b unpark.WatchGroup) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, a.Motion), slices.Index(order, b.Motion)),
			cmp.Compare(b.Oldest.Or(0), a.Oldest.Or(0)), cmp.Compare(b.Goroutines, a.Goroutines),
			compareSites(a.Site, b.Site), cmp.Compare(a.State, b.State), slices.CompareFunc(a.Stack, b.Stack, compareSites), compareSites(a.Created, b.Created))
	})
	slices.SortFunc(d.watch.Leaks, func(a, b unpark.WatchLeak) int {
		return cmp.Or(-cmp.Compare(a.Certainty, b.Certainty), cmp.Compare(b.Last-b.First, a.Last-a.First), cmp.Compare(b.Last, a.Last),
			compareSites(a.Site, b.Site), compareSites(a.Created, b.Created), slices.CompareFunc(a.Stack, b.Stack, compareSites))
	})
	d.watch.Totals.Places = len(d.sites)
	return d.watch
}

func compareSites(a, b unpark.Site) int {
	return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// add joins one process.
func (d *document) add(s *settled) {
	d.watch.Deadlocks = append(d.watch.Deadlocks, s.locked...)
	d.watch.Links = append(d.watch.Links, s.links...)
	by := make(map[*place][]*member)
	for _, m := range s.members {
		by[m.at] = append(by[m.at], m)
	}
	if s.dumps() == 0 {
		return
	}
	for key, at := range s.places.byKey {
		if at.observer() {
			continue
		}
		members := by[at]
		d.place(s, key, at, members)
		if l := s.leak(at, members); l != nil {
			d.leak(key, l)
		}
	}
}

// place adds the groups of one place: one for each motion, and one without
// goroutines where all have left.
func (d *document) place(s *settled, key string, at *place, members []*member) {
	if len(members) > 0 {
		d.sites[key] = true
	} else if slices.Max(append(s.series(at), 0)) == 0 {
		return
	}
	motions := make(map[unpark.Motion][]*member)
	for _, m := range members {
		motions[m.motion] = append(motions[m.motion], m)
	}
	if len(members) == 0 {
		motions[unpark.MotionAdvancing] = nil
	}
	for motion, some := range motions {
		g := d.groups[groupKey{key, motion}]
		if g == nil {
			g = &unpark.WatchGroup{
				Motion: motion, State: at.state, Class: at.label.Class, Side: at.label.Side,
				Site: at.site, Created: at.created, Stack: clip(at.stack),
			}
			d.groups[groupKey{key, motion}] = g
		}
		d.fill(g, s, at, some)
		*d.watch.Totals.Of(motion) += len(some)
		d.watch.Totals.Goroutines += len(some)
	}
}

// fill adds the goroutines of one process to a group.
func (d *document) fill(g *unpark.WatchGroup, s *settled, at *place, some []*member) {
	g.Goroutines += len(some)
	g.Came, g.Went = g.Came+at.came, g.Went+at.went
	for i, n := range s.series(at) {
		if i == len(g.Series) {
			g.Series = append(g.Series, 0)
		}
		g.Series[i] += n
	}
	if o := oldest(some); o.Known() && o.Or(0) >= g.Oldest.Or(0) {
		g.Oldest = o
	}
	for _, m := range some {
		if m.proven {
			g.Proven++
		}
		if name := m.on.String(); m.on.known() && len(g.Objects) < mostListed && !slices.Contains(g.Objects, name) {
			g.Objects = append(g.Objects, name)
		}
		g.Members = append(g.Members, unpark.WatchMember{Process: s.index, ID: m.id, Age: m.seconds, Creator: m.creator})
	}
	g.Why = s.why(g, at, some)
}

// why gives the evidence for what a group is said to do.
func (s *settled) why(g *unpark.WatchGroup, at *place, some []*member) string {
	all := counted(s.dumps(), "dump")
	leaked := slices.ContainsFunc(some, func(m *member) bool { return m.leaked })
	switch g.Motion {
	case unpark.MotionStuck, unpark.MotionWaiting, unpark.MotionOutside:
		switch {
		case at.proof != "":
			return at.proof
		case leaked:
			return "the runtime found that nothing that runs can reach what it waits on"
		case at.state == "select (no cases)":
			return "blocks forever, which may be the purpose"
		case g.Proven == g.Goroutines:
			return "same place in " + all + ", and the runtime says that it has not run"
		case g.Proven > 0:
			return sentence("same place in %s, and the runtime says of %d that they have not run", all, g.Proven)
		}
		return "same place and arguments in " + all
	case unpark.MotionRecent:
		return "came during the watch and has not moved since"
	case unpark.MotionParked:
		if at.named {
			return "called idle by the user"
		}
		return "a known parking place"
	}
	switch {
	case at.runs():
		return "runs"
	case at.went > 0:
		return sentence("%d came and %d left", at.came, at.went)
	}
	return "was seen to move"
}

// leak adds a candidate of one process to that of the others.
func (d *document) leak(key string, l *unpark.WatchLeak) {
	have := d.leaks[key]
	if have == nil {
		d.leaks[key] = l
		return
	}
	have.First, have.Last, have.Leaked = have.First+l.First, have.Last+l.Last, have.Leaked+l.Leaked
	have.PerSecond = unpark.Num(have.PerSecond.Or(0) + l.PerSecond.Or(0))
	if l.Oldest.Or(0) > have.Oldest.Or(0) {
		have.Oldest = l.Oldest
	}
	if l.Certainty == unpark.Proven {
		have.Certainty, have.Why = l.Certainty, l.Why
	}
}
