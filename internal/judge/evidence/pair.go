package evidence

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// pair is a lock: a waiter, a holder, or both.
type pair struct {
	typ            string
	waiter, holder *end
	released       float64 // the holder's side of this waiter's delay
	releases       float64 // and of its waits: one unlock lets one of all waiters go
	agreement      unpark.Number
	waiters        []end  // all that wait for the same lock
	lock           string // names the lock that functions share, none of which is the holder; empty otherwise
}

// owner names what a lock belongs to, as far as names tell: the receiver type of
// the method that uses it, or the function.
func owner(function string) string {
	// Type arguments hold dots of their own.
	f := strings.ReplaceAll(unpark.ElideTypeArguments(roles.Outer(function)), "[...]", "")
	pkg := unpark.PackageOf(f)
	rest := strings.TrimPrefix(f, pkg+".")
	if i := strings.LastIndexByte(rest, '.'); i > 0 {
		return pkg + "." + strings.Trim(rest[:i], "(*)")
	}
	return f
}

// family is the ends that may be of one lock.
type family struct {
	owner   string
	rw      bool
	waiters []end
	holders []end
}

// pairUp joins ends by what traces prove first, by their names next and by the agreement
// of their delays last. A waiter whose holder is not certain stays without one: a wrong
// holder sends the reader to the wrong line.
func pairUp(waiters, holders []end, j joint) []pair {
	var out []pair
	proved, waiters, holders := j.families(waiters, holders)
	for _, f := range proved {
		out = append(out, f.joined(unpark.Ratio(total(f.holders), total(f.waiters)).Or(0))...)
	}
	families := grouped(waiters, holders, func(e end) string { return owner(e.site.Function) })
	var loneWaiters, loneHolders []end
	for _, f := range families {
		got, w, h := f.resolve()
		out = append(out, got...)
		loneWaiters, loneHolders = append(loneWaiters, w...), append(loneHolders, h...)
	}
	// Lock and Unlock of one lock may stand in functions of different owners of one
	// package, more rarely of two. Only delays tell then, so only a match that is
	// the only one in its package, or of all, counts.
	for _, by := range []func(end) string{
		func(e end) string { return unpark.PackageOf(e.site.Function) },
		func(end) string { return "" },
	} {
		families := grouped(loneWaiters, loneHolders, by)
		loneWaiters, loneHolders = nil, nil
		for _, f := range families {
			got, w, h := f.match()
			out = append(out, got...)
			loneWaiters, loneHolders = append(loneWaiters, w...), append(loneHolders, h...)
		}
	}
	for i := range loneWaiters {
		out = append(out, pair{typ: loneWaiters[i].typ, waiter: &loneWaiters[i]})
	}
	for i := range loneHolders {
		h := &loneHolders[i]
		out = append(out, pair{typ: h.typ, holder: h, released: h.sum.value, releases: h.sum.count})
	}
	return out
}

// grouped splits ends into families, keeping their order.
func grouped(waiters, holders []end, key func(end) string) []*family {
	type id struct {
		key string
		rw  bool
	}
	byID := map[id]*family{}
	var out []*family
	find := func(e end) *family {
		k := id{key(e), e.typ == readLock || e.typ == facts.WriteLock}
		if byID[k] == nil {
			byID[k] = &family{owner: k.key, rw: k.rw}
			out = append(out, byID[k])
		}
		return byID[k]
	}
	for _, w := range waiters {
		f := find(w)
		f.waiters = append(f.waiters, w)
	}
	for _, h := range holders {
		f := find(h)
		f.holders = append(f.holders, h)
	}
	return out
}

// resolve pairs the ends of one owner and returns those it could not pair. First
// come functions that both wait and release as much: they hold a lock of their
// own, or one that is held alike everywhere. The rest may be one lock that one
// function holds long and others wait for. What has waiters only may be a small
// part of the lock that the others make up.
func (f *family) resolve() (out []pair, waiters, holders []end) {
	if len(f.waiters) == 0 || len(f.holders) == 0 {
		return nil, f.waiters, f.holders
	}
	own, rest := f.sameFunction()
	if len(rest.waiters) == 0 {
		return own, nil, rest.holders
	}
	if ratio, ok := rest.agrees(); ok {
		return append(own, rest.joined(ratio)...), nil, nil
	}
	if ratio, ok := f.agrees(); ok && f.mainHolder(facts.WriteLock) != nil {
		return f.joined(ratio), nil, nil
	}
	return own, rest.waiters, rest.holders
}

// agrees returns the delay that was released over the delay that was waited, and
// whether the two can be of one lock. One function at each end needs less proof.
func (f *family) agrees() (ratio float64, ok bool) {
	if len(f.waiters) == 0 || len(f.holders) == 0 {
		return 0, false
	}
	low, high := agreeLow, agreeHigh
	if functions(f.waiters) == 1 && functions(f.holders) == 1 {
		low, high = looseLow, looseHigh
	}
	ratio = total(f.holders) / total(f.waiters)
	return ratio, ratio >= low && ratio <= high
}

// joined makes pairs of a family that is one lock: every waiter with the main
// holder that it can have waited for.
func (f *family) joined(ratio float64) []pair {
	var out []pair
	waited, releases := total(f.waiters), 0.0
	for _, h := range f.holders {
		releases += h.sum.count
	}
	for i := range f.waiters {
		w := &f.waiters[i]
		p := pair{
			typ: w.typ, waiter: w, released: w.sum.value * ratio, releases: releases * w.sum.value / waited,
			agreement: unpark.Num(ratio), waiters: f.waiters,
		}
		if h := f.mainHolder(w.typ); h != nil {
			p.holder = h
		} else {
			p.released, p.releases, p.agreement = 0, 0, unpark.Number{}
			if functions(f.waiters) > 1 {
				p.lock = f.waiters[0].site.String()
			}
		}
		out = append(out, p)
	}
	return out
}

// mainHolder returns the unlocker with most of the delay among those that a
// waiter can have waited for; nil when no function has most of it. A reader waits
// for writers only.
func (f *family) mainHolder(waiterType string) *end {
	byFunction := map[string]float64{}
	top := map[string]*end{}
	var sum float64
	for i := range f.holders {
		h := &f.holders[i]
		if waiterType == readLock && h.typ == readLock {
			continue
		}
		fn := h.site.Function
		byFunction[fn] += h.sum.value
		sum += h.sum.value
		if top[fn] == nil || h.sum.value > top[fn].sum.value {
			top[fn] = h
		}
	}
	best := heaviest(byFunction)
	if sum == 0 || byFunction[best] < mainHolder*sum {
		return nil
	}
	return top[best]
}

// sameFunction pairs functions whose two ends agree and returns what is left.
func (f *family) sameFunction() (out []pair, rest family) {
	rest = family{owner: f.owner, rw: f.rw}
	if f.rw {
		return nil, *f // a reader waits for a writer, which is often another function
	}
	for _, g := range grouped(f.waiters, f.holders, func(e end) string { return roles.Outer(e.site.Function) }) {
		ratio, ok := g.agrees()
		if ok && ratio >= agreeLow && ratio <= agreeHigh {
			out = append(out, g.joined(ratio)...)
			continue
		}
		rest.waiters = append(rest.waiters, g.waiters...)
		rest.holders = append(rest.holders, g.holders...)
	}
	return out, rest
}

// match pairs ends by their delay alone, when it fits only one way.
func (f *family) match() (out []pair, waiters, holders []end) {
	fits := func(w, h end) bool {
		ratio := h.sum.value / w.sum.value
		return ratio >= agreeLow && ratio <= agreeHigh && !(w.typ == readLock && h.typ == readLock)
	}
	taken := make([]bool, len(f.holders))
	for i := range f.waiters {
		w := &f.waiters[i]
		found := -1
		for j, h := range f.holders {
			if !fits(*w, h) {
				continue
			}
			if found >= 0 {
				found = -2
				break
			}
			found = j
		}
		if found < 0 || rivals(f.waiters, i, func(o end) bool { return fits(o, f.holders[found]) }) {
			waiters = append(waiters, *w)
			continue
		}
		taken[found] = true
		h := &f.holders[found]
		out = append(out, pair{
			typ: w.typ, waiter: w, holder: h, released: h.sum.value, releases: h.sum.count,
			agreement: unpark.Ratio(h.sum.value, w.sum.value), waiters: []end{*w},
		})
	}
	for j, h := range f.holders {
		if !taken[j] {
			holders = append(holders, h)
		}
	}
	return out, waiters, holders
}

// rivals reports whether another waiter than i fits as well.
func rivals(waiters []end, i int, fits func(end) bool) bool {
	for j, w := range waiters {
		if j != i && fits(w) {
			return true
		}
	}
	return false
}

func total(ends []end) float64 {
	var sum float64
	for _, e := range ends {
		sum += e.sum.value
	}
	return sum
}

// functions counts the declared functions among ends.
func functions(ends []end) int {
	seen := map[string]bool{}
	for _, e := range ends {
		seen[roles.Outer(e.site.Function)] = true
	}
	return len(seen)
}
