package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// joint joins places of Lock and of Unlock that traces prove to be of one lock: an unlock wakes a goroutine that waits
// for that very lock (runtime/sema.go, semrelease1), whatever functions the two stand in.
type joint map[unpark.Site]unpark.Site

// jointOf reads which places traces join.
func jointOf(ts *traces) joint {
	j := joint{}
	for i, t := range ts.all {
		for _, e := range t.Edges {
			w, h := ts.spots[i][e.Waiter], ts.spots[i][e.Holder]
			if e.State == exectrace.Lock && w.label.Side != unpark.ObserverSide && !w.site.IsZero() && !h.site.IsZero() {
				j.join(w.site, h.site)
			}
		}
	}
	return j
}

func (j joint) join(a, b unpark.Site) { j[j.root(a)] = j.root(b) }

// root is the place that stands for all that are joined with one.
func (j joint) root(s unpark.Site) unpark.Site {
	for {
		next, ok := j[s]
		if !ok || next == s {
			return s
		}
		s = next
	}
}

// families are the ends that are of one lock and say so with their delays as well: what was waited at the ones was let in
// at the others, most of it by one function. The ends that are of none of them are returned for what names tell.
func (j joint) families(waiters, holders []end) (proved []*family, loneWaiters, loneHolders []end) {
	if len(j) == 0 {
		return nil, waiters, holders
	}
	for _, f := range grouped(waiters, holders, func(e end) string { return j.root(e.site).String() }) {
		if ratio, ok := f.agrees(); ok && ratio >= agreeLow && ratio <= agreeHigh && f.across() {
			proved = append(proved, f)
			continue
		}
		loneWaiters, loneHolders = append(loneWaiters, f.waiters...), append(loneHolders, f.holders...)
	}
	return proved, loneWaiters, loneHolders
}

// across reports whether a family is of more than one function, and of every wait tells which one is behind most of it.
func (f *family) across() bool {
	if functions(append(append([]end(nil), f.waiters...), f.holders...)) == 1 {
		return false
	}
	for _, w := range f.waiters {
		if w.typ == facts.DescriptorLock || f.mainHolder(w.typ) == nil {
			return false
		}
	}
	return true
}
