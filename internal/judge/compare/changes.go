package compare

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
)

// The changes of a finding.
const (
	gone   = "gone"
	shrunk = "shrunk"
	grown  = "grown"
	added  = "new"
)

// identity is what makes two findings the same one. The line may move when code
// above it changes; the function stays.
type identity struct {
	rule     string
	class    unpark.Class
	function string
}

func identify(f unpark.Finding) identity { return identity{f.Rule, f.Class, f.Site.Function} }

// moved reports whether two findings of different functions are one all the same:
// a wait between the same two ends, whose line to change is now elsewhere.
func moved(a, b unpark.Finding) bool {
	end := func(x, y *unpark.Site) bool {
		return x != nil && y != nil && !x.IsZero() && x.Function == y.Function
	}
	return a.Rule == b.Rule && a.Class == b.Class && (end(a.Waiter, b.Waiter) || end(a.Holder, b.Holder))
}

// computing reports whether two findings are the computing of one function, whatever
// is said of it: how much of the answers repeat, or which share is a hot path, may
// pass its threshold in one run and not in the next.
func computing(a, b unpark.Finding) bool {
	cpu := func(f unpark.Finding) bool { return f.Class == unpark.ClassCPU || f.Class == unpark.ClassRecompute }
	return cpu(a) && cpu(b) && a.Site.Function == b.Site.Function
}

// changes says what became of each finding: those of the run before in their
// order (with the cost that they have after, when they still exist), then what
// is new. A finding that the run after could not have seen stays "same", and a
// notice says so. Work that is not a finding any more, and still a cost, is not gone.
func changes(before, after unpark.Run) ([]unpark.Changed, []unpark.Notice) {
	there := slices.Concat(after.Findings, after.Costs)
	taken := make([]bool, len(there))
	pick := func(is func(unpark.Finding) bool) *unpark.Finding {
		for i, f := range there {
			if !taken[i] && is(f) {
				taken[i] = true
				return &there[i]
			}
		}
		return nil
	}
	now := make([]*unpark.Finding, len(before.Findings))
	for i, f := range before.Findings {
		now[i] = pick(func(g unpark.Finding) bool { return identify(g) == identify(f) })
	}
	for _, like := range []func(a, b unpark.Finding) bool{moved, computing} {
		for i, f := range before.Findings {
			if now[i] == nil {
				now[i] = pick(func(g unpark.Finding) bool { return like(f, g) })
			}
		}
	}
	out, notices := []unpark.Changed{}, []unpark.Notice{}
	for i, f := range before.Findings {
		switch kind, blind := unseen(f.Class, before, after); {
		case now[i] != nil:
			out = append(out, unpark.Changed{Finding: *now[i], Change: change(f.Cost, now[i].Cost), Was: f.Cost})
		case blind:
			out = append(out, unpark.Changed{Finding: f, Change: same, Was: f.Cost})
			notices = append(notices, unpark.Notice{
				Code:    "finding-not-seen",
				Message: fmt.Sprintf("whether %s is gone is not known: the run after has no %s profile", titled(f), kind),
				Cure:    "capture the same kinds in both arms",
			})
		default:
			out = append(out, unpark.Changed{Finding: f, Change: gone, Was: f.Cost})
		}
	}
	for i, f := range after.Findings {
		if !taken[i] {
			out = append(out, unpark.Changed{Finding: f, Change: added})
		}
	}
	return out, notices
}

// unseen reports whether the kind of profile that findings of a class rest on was
// recorded before and not after.
func unseen(c unpark.Class, before, after unpark.Run) (unpark.Kind, bool) {
	_, kind := classOf(c)
	return kind, kind != "" && recorded(before.Measured(), kind) && !recorded(after.Measured(), kind)
}

// undecided takes back what changes say where times cannot be compared: what else used
// the machine makes findings come and go. Those of allocation and of leaks are no
// matter of time.
func undecided(found []unpark.Changed) {
	for i, f := range found {
		if f.Change == same || f.Class == unpark.ClassAlloc || f.Class == unpark.ClassLeak {
			continue
		}
		found[i].Change = unsaid
		if f.Change == gone {
			found[i].Cost = unpark.Cost{} // it was not seen
		}
	}
}

// costs lists a cost's parts, those per request first: a share grows when something
// else is fixed, and what is counted by the second grows with the throughput.
func costs(c unpark.Cost) []unpark.Quantity {
	return []unpark.Quantity{
		c.WaitPerRequest, c.MeanWaiters, c.CPUPerRequest, c.BytesPerRequest,
		c.Cores, c.GrowthPerSecond, c.Throttled, c.Goroutines,
	}
}

// change judges by the first cost in absolute units that both have.
func change(before, after unpark.Cost) string {
	a, b := costs(before), costs(after)
	for i := range a {
		x, ok := a[i].Value.Get()
		y, also := b[i].Value.Get()
		if !ok || !also || x <= 0 {
			continue
		}
		switch ratio := y / x; {
		case overlap(a[i], b[i]):
			return same
		case ratio < 1-costBand:
			return shrunk
		case ratio > 1+costBand:
			return grown
		default:
			return same
		}
	}
	return same
}

// remains returns the part of a finding's cost that is left; 0 when it is gone.
func remains(c unpark.Changed) (float64, bool) {
	if c.Change == gone {
		return 0, true
	}
	a, b := costs(c.Was), costs(c.Cost)
	for i := range a {
		x, ok := a[i].Value.Get()
		if y, also := b[i].Value.Get(); ok && also && x > 0 {
			return y / x, true
		}
	}
	return 0, false
}

// overlap reports whether the intervals of two quantities overlap; false when one
// has none.
func overlap(a, b unpark.Quantity) bool {
	al, ok1 := a.Low.Get()
	ah, ok2 := a.High.Get()
	bl, ok3 := b.Low.Get()
	bh, ok4 := b.High.Get()
	return ok1 && ok2 && ok3 && ok4 && al <= bh && bl <= ah
}
