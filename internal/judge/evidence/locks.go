package evidence

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// The types of locks as the evidence names them.
const (
	typeMutex   = "sync.Mutex"
	typeWrite   = "sync.RWMutex (write)"
	typeRead    = "sync.RWMutex (read)"
	typeFD      = "internal/poll.fdMutex"
	typeRuntime = "runtime"
)

// end is one end of contention: who called Lock, or who called Unlock, with the
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

// locks joins the waiters of the block profile with the unlockers of the mutex
// profile.
func (r *reducer) locks() []facts.Lock {
	var out []facts.Lock
	for _, p := range r.pairs() {
		out = append(out, r.lock(p))
	}
	out = append(out, r.runtimeLocks()...)
	return largest(out,
		func(l facts.Lock) float64 { return max(l.Delay, l.Released) },
		func(l facts.Lock) unpark.Site { return firstKnown(l.Waiter, l.Holder) })
}

// pairs joins waiters and holders: from the profiles, and without a block profile
// from the traces or, failing that, the dumps.
func (r *reducer) pairs() []pair {
	switch {
	case r.has(unpark.KindBlock):
		return pairUp(r.ends(unpark.KindBlock), r.ends(unpark.KindMutex))
	case r.traces.knows():
		return r.tracedPairs()
	default:
		return pairUp(r.dumped(), r.ends(unpark.KindMutex))
	}
}

// ends sums one profile's contention on application and library locks by type and
// caller.
func (r *reducer) ends(kind unpark.Kind) []end {
	sums := tally[endKey]{}
	for _, s := range r.stacks[kind] {
		if s.label.Class != unpark.WaitLock || s.label.Side == unpark.ObserverSide || s.value <= 0 {
			continue
		}
		sums.add(endKey{lockType(s.sites), s.caller()}, s, s.value, s.count)
	}
	var out []end
	for k, v := range sums.all() {
		out = append(out, end{k.typ, k.site, v})
	}
	return largest(out, func(e end) float64 { return e.sum.value }, func(e end) unpark.Site { return e.site })
}

// dumped stands in for the waiters of a block profile that was not recorded: the
// goroutines that the dumps met at a lock, their mean number over the window. How
// often one waited is not known.
func (r *reducer) dumped() []end {
	if len(r.instants) < minSnapshots {
		return nil
	}
	sums := tally[endKey]{}
	for _, instant := range r.instants {
		for _, s := range instant {
			if s.label.Class == unpark.WaitLock && s.label.Side != unpark.ObserverSide && s.value > 0 {
				sums.add(endKey{lockType(s.sites), s.caller()}, s, s.value/float64(len(r.instants))*r.seconds, 0)
			}
		}
	}
	var out []end
	for k, v := range sums.all() {
		out = append(out, end{k.typ, k.site, v})
	}
	return largest(out, func(e end) float64 { return e.sum.value }, func(e end) unpark.Site { return e.site })
}

// lockType tells from the frames at the leaf which lock it is and which way it is
// used. RWMutex.Lock and Unlock go through a Mutex inside (sync/rwmutex.go), so
// the outermost frame of package sync decides.
func lockType(sites []unpark.Site) string {
	typ := typeMutex
	for _, s := range sites {
		switch s.Function {
		case "sync.(*RWMutex).RLock", "sync.(*RWMutex).RUnlock", "sync.(*RWMutex).rUnlockSlow":
			return typeRead
		case "sync.(*RWMutex).Lock", "sync.(*RWMutex).Unlock":
			return typeWrite
		}
		switch pkg := profile.Package(s.Function); {
		case strings.HasPrefix(s.Function, "internal/poll.(*fdMutex)"), strings.HasPrefix(s.Function, "internal/poll.runtime_Sem"):
			return typeFD
		case !machinery(pkg):
			return typ
		}
	}
	return typ
}

// lock turns a pair into evidence.
func (r *reducer) lock(p pair) facts.Lock {
	l := facts.Lock{Type: p.typ, Side: unpark.RequestPath, Released: p.released, Agreement: p.agreement}
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
		if !r.has(unpark.KindBlock) {
			l.Delay = h.sum.value
		}
	}
	hold := r.hold(p)
	l.HolderCPU, l.Held, l.Utilization = hold.cpu, hold.below, hold.utilization
	return l
}

// runtimeLocks sums contention on the runtime's own locks, which the mutex profile
// holds since Go 1.22 (runtime/mprof.go), by the function that gave them back.
// With more Ps than processors they can be most of the raw profile.
func (r *reducer) runtimeLocks() []facts.Lock {
	sums := tally[string]{}
	sites := map[string]unpark.Site{}
	for _, s := range r.stacks[unpark.KindMutex] {
		if s.label.Class != unpark.WaitRuntime || len(s.sites) == 0 {
			continue
		}
		site := unlocker(s.sites)
		sums.add(site.Function, s, s.value, s.count)
		sites[site.Function] = site
	}
	var out []facts.Lock
	for f, v := range sums.all() {
		out = append(out, facts.Lock{
			Side: unpark.RuntimeSide, Type: typeRuntime, Holder: sites[f],
			Delay: v.value, Released: v.value, Count: v.count, HolderAll: clip(v.stack),
		})
	}
	return out
}

// unlocker returns the first frame that is not the unlocking itself.
func unlocker(sites []unpark.Site) unpark.Site {
	for _, s := range sites {
		name := strings.TrimPrefix(s.Function, "runtime.")
		if name == s.Function || !locks(name) && name != "_LostContendedRuntimeLock" {
			return s
		}
	}
	return sites[0]
}

func firstKnown(a, b unpark.Site) unpark.Site {
	if a.IsZero() {
		return b
	}
	return a
}
