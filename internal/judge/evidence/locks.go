package evidence

import (
	"iter"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// The types of locks, beside those that facts has.
const (
	mutexLock = string(roles.Mutex)
	readLock  = string(roles.RWMutex) + " (read)"
)

// end is one end of contention: what called Lock, or what called Unlock, with the
// delay that the profile of that end holds.
type end struct {
	typ  string
	site unpark.Site // the caller of Lock or Unlock
	sum  *sum
}

// endKey is what ends are summed by.
type endKey struct {
	typ  string
	site unpark.Site
}

// contention joins the two ends of contended locks.
type contention struct {
	*profiles
	traces *traces
}

// reduce returns the locks: the waiters of the block profile joined with the unlockers
// of the mutex profile, and the runtime's own locks.
func (c contention) reduce() []facts.Lock {
	var out []facts.Lock
	for _, p := range c.held(c.pairs()) {
		out = append(out, c.inRequests(c.lock(p)))
	}
	out = append(out, runtimeLocks(c.profiles)...)
	return largest(out,
		func(l facts.Lock) float64 { return max(l.Delay, l.Released) },
		func(l facts.Lock) unpark.Site { return firstKnown(l.Waiter, l.Holder) })
}

// held adds the holders that dumps tell by exclusion, where no unlock does: of a lock that several functions share, of which none lets in
// most of those that wait, the one that they tell is that of all.
func (c contention) held(pairs []pair) []pair {
	of := map[string][]*end{}
	for i, p := range pairs {
		if p.holder != nil {
			continue
		}
		if pairs[i].holder = c.alone(p); pairs[i].holder != nil && p.lock != "" {
			of[p.lock] = append(of[p.lock], pairs[i].holder)
		}
	}
	for i, p := range pairs {
		if told := of[p.lock]; p.holder == nil && len(told) == 1 {
			pairs[i].holder = told[0]
		}
	}
	return pairs
}

// inRequests leaves of a lock's waits those in requests, and those that hold one up.
func (c contention) inRequests(l facts.Lock) facts.Lock {
	if l.Side != unpark.RequestPath || l.Waiter.IsZero() || !c.has(unpark.KindBlock) {
		return l
	}
	part := c.traces.beside.rest(waitIn{unpark.WaitLock, l.Waiter.Function})
	l.Delay, l.Count, l.Released, l.Releases = part*l.Delay, part*l.Count, part*l.Released, part*l.Releases
	return l
}

// pairs joins waiters and holders: from the profiles, and without a block profile
// from the traces or, failing that, the dumps.
func (c contention) pairs() []pair {
	switch {
	case c.has(unpark.KindBlock):
		return pairUp(ends(c.of(unpark.KindBlock)), ends(c.of(unpark.KindMutex)), jointOf(c.traces))
	case c.traces.knows():
		return c.traces.pairs()
	default:
		return pairUp(ends(c.standing()), ends(c.of(unpark.KindMutex)), jointOf(c.traces))
	}
}

// standing stands in for a block profile that was not recorded: the goroutines that
// the dumps met, with their mean number over the window. How often one waited is not
// known.
func (c contention) standing() iter.Seq[stack] {
	return func(yield func(stack) bool) {
		if len(c.instants) < minSnapshots {
			return
		}
		for _, s := range c.dumped() {
			s.value, s.count = s.value/float64(len(c.instants))*c.seconds, 0
			if !yield(s) {
				return
			}
		}
	}
}

// ends sums contention on application and library locks by type and caller.
func ends(stacks iter.Seq[stack]) []end {
	sums := tally[endKey]{}
	for s := range stacks {
		if s.label.Class == unpark.WaitLock && s.value > 0 {
			sums.add(endKey{s.lockType(), s.caller()}, s, s.value, s.count)
		}
	}
	var out []end
	for k, v := range sums.all() {
		out = append(out, end{k.typ, k.site, v})
	}
	return largest(out, func(e end) float64 { return e.sum.value }, func(e end) unpark.Site { return e.site })
}

// lockType says by the frames at the leaf which lock it is and which way it is
// used. RWMutex.Lock and Unlock go through a Mutex inside (sync/rwmutex.go), so
// the outermost frame of package sync decides.
func (s stack) lockType() string {
	for _, at := range s.sites {
		is := func(r roles.Role) bool { return s.catalogue.Is(at.Function, r) }
		switch {
		case is(roles.ReadLock):
			return readLock
		case is(roles.WriteLock):
			return facts.WriteLock
		case is(roles.Descriptor):
			return facts.DescriptorLock
		case !is(roles.Machinery):
			return mutexLock
		}
	}
	return mutexLock
}

// lock turns a pair into evidence.
func (c contention) lock(p pair) facts.Lock {
	l := facts.Lock{Type: p.typ, Side: unpark.RequestPath, Released: p.released, Agreement: p.agreement, Shared: p.lock}
	if w := p.waiter; w != nil {
		l.Waiter, l.Delay, l.Count = w.site, w.sum.value, w.sum.count
		l.Side, l.WaiterAll = w.sum.side(), clip(w.sum.stack)
	}
	h := p.holder
	if h == nil {
		return l
	}
	l.Holder, l.HolderAll, l.Releases = h.site, clip(h.sum.stack), p.releases
	if p.waiter == nil {
		l.Side, l.Count = h.sum.side(), h.sum.count
		if !c.has(unpark.KindBlock) {
			l.Delay = h.sum.value
		}
	}
	hold := c.hold(p)
	l.HolderCPU, l.HeldCPU, l.Held, l.Utilization = hold.cpu, hold.inside, hold.below, hold.utilization
	return l
}

// runtimeLocks sums contention on the runtime's own locks, which the mutex profile
// holds since Go 1.22 (runtime/mprof.go), by the function that gave them back.
// With more Ps than processors they can be most of the raw profile.
func runtimeLocks(p *profiles) []facts.Lock {
	sums := tally[string]{}
	sites := map[string]unpark.Site{}
	for _, s := range p.stacks[unpark.KindMutex] {
		if s.label.Class != unpark.WaitRuntime || len(s.sites) == 0 {
			continue
		}
		site := s.unlocker()
		sums.add(site.Function, s, s.value, s.count)
		sites[site.Function] = site
	}
	var out []facts.Lock
	for f, v := range sums.all() {
		out = append(out, facts.Lock{
			Side: unpark.RuntimeSide, Type: facts.RuntimeLock, Holder: sites[f],
			Delay: v.value, Released: v.value, Count: v.count, HolderAll: clip(v.stack),
		})
	}
	return out
}

// unlocker returns the first frame that is not the unlocking itself.
func (s stack) unlocker() unpark.Site {
	for _, at := range s.sites {
		if !s.catalogue.Is(at.Function, roles.RuntimeLock) {
			return at
		}
	}
	return s.sites[0]
}

func firstKnown(a, b unpark.Site) unpark.Site {
	if a.IsZero() {
		return b
	}
	return a
}
