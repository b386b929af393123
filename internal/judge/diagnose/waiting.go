package diagnose

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

func felt(m *model.Model, p model.Wait) bool {
	waiters := p.Delay / max(m.Seconds, 1e-9)
	share, ok := m.Share(p.Lost()).Get()
	switch {
	case !p.Plausible:
		return false
	case !ok:
		return waiters >= loneWaiters
	case p.Heaviest.Count == 0 && p.Seen < leastSightings:
		return false
	}
	least := pauseShare
	switch {
	case p.Heaviest.Class == unpark.WaitSleep && roles.On(p.Heaviest.Stack, roles.Retries):
		least = retryShare
	case p.Heaviest.Class == unpark.WaitSleep:
		least = sleepShare
	}
	return share >= least && (waiters >= pauseWaiters || share >= pauseLarge)
}

// waitConfidence of a wait: high when a second kind of measurement agrees, which is
// the goroutines met there, or the time that requests take.
func waitConfidence(m *model.Model, p model.Wait) unpark.Confidence {
	met, known := met(m, p)
	share, loaded := m.Share(p.Delay).Get()
	waiters := p.Delay / max(m.Seconds, 1e-9)
	switch {
	case p.Seen < fewEvents, known && (met > dumpsDiffer*waiters || waiters > dumpsDiffer*met):
		return unpark.Low
	case known && met <= dumpsAgree*waiters && waiters <= dumpsAgree*met, loaded && share >= model.BindingShare && !p.Overlaps(m):
		return unpark.High
	default:
		return unpark.Medium
	}
}

// met is the mean number of goroutines that snapshots met at a wait which the
// block profile recorded; unknown with few sightings.
func met(m *model.Model, p model.Wait) (float64, bool) {
	if p.Sources[unpark.KindBlock.File()] == 0 {
		return 0, false // the wait itself comes from snapshots
	}
	var mean, seen float64
	for _, g := range m.Ev.Goroutines {
		if g.Class == p.Heaviest.Class && g.Side == unpark.RequestPath && g.Site.Function == p.Function() {
			mean += g.Mean
			seen += g.Mean * float64(g.Snapshots)
		}
	}
	return mean, seen >= fewEvents
}

// finding fills in what all wait findings share.
func finding(m *model.Model, rule string, class unpark.Class, p model.Wait) unpark.Finding {
	share, of := waitingShare(m, p)
	f := unpark.Finding{
		Rule: rule, Class: class, Site: p.Heaviest.Waiter, Waiter: pointer(p.Heaviest.Waiter),
		Share: share, ShareOf: of, Confidence: waitConfidence(m, p),
		Cost: lostCost(m, p.Delay, p.Requeue, p.Seen), Path: path(p.Heaviest.Stack),
	}
	if asked := p.Heaviest.Asked; !asked.IsZero() {
		f.Site = asked // which a library's goroutine waits for
	}
	reach(&f, slices.Concat(p.Heaviest.Stack, p.Heaviest.Above))
	if p.Heaviest.Class != unpark.WaitSleep { // a timer ends that
		f.Behind = p.Links(m)
	}
	// What most of it was seen by comes first: one line of it may be all that is read.
	for _, source := range mostFirst(p.Sources) {
		f.Facts = append(f.Facts, fact("requests waited here, summed", p.Sources[source], "s", source))
	}
	f.Facts = append(f.Facts, requeueFacts(p.Requeue)...)
	f.Facts = append(f.Facts, numberFact("share of a request's time", m.Share(p.Lost()), "ratio", timesFrom(m))...)
	function := p.Function()
	f.Facts = append(f.Facts, mutexFacts(m, "on this path, below "+short(function), pathDelay, func(l facts.Lock) bool {
		return facts.Through(l.WaiterAll, function) || facts.Through(l.HolderAll, function)
	})...)
	for _, b := range p.Beside {
		f.Facts = append(f.Facts, fact("part of it in "+short(b.Function()), b.Delay, "s", b.Heaviest.Source))
	}
	for _, b := range p.Between {
		f.Facts = append(f.Facts, fact("goroutines in "+short(b.Function())+" that wait for the same on behalf of others, mean", b.Delay/max(m.Seconds, 1e-9), "goroutines", b.Heaviest.Source))
	}
	return f
}

// mostFirst are what waits were seen by, that which saw most first.
func mostFirst(sources map[string]float64) []string {
	return slices.SortedFunc(maps.Keys(sources), func(a, b string) int {
		return cmp.Or(cmp.Compare(sources[b], sources[a]), cmp.Compare(a, b))
	})
}

// lostCost is the cost of a wait, with what requests take after it until they run again.
func lostCost(m *model.Model, delay, requeue, seen float64) unpark.Cost {
	c := m.WaitCost(delay, seen)
	if requeue > 0 {
		c.WaitPerRequest = m.WaitCost(delay+requeue, seen).WaitPerRequest
	}
	return c
}

func requeueFacts(requeue float64) []unpark.Fact {
	if requeue <= 0 {
		return nil
	}
	return []unpark.Fact{fact("woken, and ready to run but not yet running, summed", requeue, "s", "trace.out")}
}

// waitingShare is a pause's part of all waiting on the request path.
func waitingShare(m *model.Model, p model.Wait) (share unpark.Number, of string) {
	var total float64
	for _, w := range m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle {
			total += w.Delay
		}
	}
	return partOf(m, p.Delay, total, "request-path waiting")
}

// requestTime is what a wait is a part of where all waiting is no measure.
const requestTime = "a request's time"

// partOf is the part that a wait is of all waiting, which is of a sort. Where several goroutines of a request wait at
// once, all of that is more than requests take, and a wait that is nearly the whole of one a small part of it:
// then it is its part of a request's time.
func partOf(m *model.Model, delay, all float64, of string) (unpark.Number, string) {
	fits := func(seconds float64) bool { return !model.Wait{Delay: seconds}.Overlaps(m) }
	if part, ok := m.Share(delay).Get(); ok && !fits(all) && fits(delay) {
		return unpark.Num(min(1, part)), requestTime // the ends of the window are a little more than all
	}
	return unpark.Ratio(delay, max(all, delay)), of // by dumps and by the block profile, of which one may show a little more
}

// waitFindings reports the felt ones of some pauses, those left out that happen
// below a lock which binds: they are facts of that lock.
func waitFindings(m *model.Model, rule string, class unpark.Class, pauses []model.Wait,
	describe func(model.Wait) (string, []unpark.Remedy),
) []unpark.Finding {
	queues := m.Locks
	var out []unpark.Finding
	for _, p := range pauses {
		if _, held := under(m, p, queues); held || !felt(m, p) || elsewhere(m, p) || len(out) == maxOfRule {
			continue
		}
		f := finding(m, rule, class, p)
		f.Title, f.Remedies = describe(p)
		out = append(out, f)
	}
	return out
}

// elsewhere reports that a pause is another one seen from its far end: a process
// that asks itself waits as the caller while it sleeps or dials as the other
// side. Two waits that do not fit one after the other into a request's time
// happen at the same time.
func elsewhere(m *model.Model, p model.Wait) bool {
	switch {
	case p.Heaviest.Class == unpark.WaitSleep:
		for _, other := range m.Downstream {
			if p.ExplainedBy(other) && p.Overlaps(m, other) {
				return true
			}
		}
	case p.Heaviest.Class == unpark.WaitDownstream:
		// The dialling goroutine of a Transport: what asked waits for the connection.
		return roles.Is(facts.Outermost(p.Heaviest.Stack), roles.Transport) || queuedFor(m, p)
	}
	return false
}
