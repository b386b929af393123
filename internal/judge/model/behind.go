package model

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// ioWaits is the waits inside system calls, with those for one another at a descriptor: one
// goroutine at a time may write it (internal/poll/fd_mutex.go), so that wait is the calls
// of the requests before.
func ioWaits(m *Model) []Wait {
	out := waits(m, unpark.WaitSyscall)
	for _, l := range m.Contended {
		if l.Heaviest.Type != facts.DescriptorLock {
			continue
		}
		own := atDescriptor(m, l)
		at := slices.IndexFunc(out, func(w Wait) bool { return w.Function() == own.Waiter.Function })
		if at < 0 {
			at = len(out)
			out = append(out, Wait{Sources: map[string]float64{}, Heaviest: own})
		}
		out[at].Delay += l.Delay
		out[at].Count += l.Count
		out[at].Seen += l.Count
		out[at].Requeue += l.Requeue
		out[at].Sources[unpark.KindBlock.File()] += l.Delay
	}
	for _, b := range behindOf(m, unpark.WaitSyscall) {
		// The goroutine that makes the calls is met there as well: it is the same wait,
		// seen from its far end.
		out = slices.DeleteFunc(out, func(other Wait) bool { return other.Function() == b.Calls.Site.Function })
		out = append(out, b)
	}
	if w, ok := serial(m); ok {
		out = append(out, w)
	}
	return syncs(joined(m, out))
}

// atDescriptor is the heaviest wait for a descriptor as the application's line has it.
func atDescriptor(m *Model, l Lock) facts.Wait {
	own := facts.Wait{
		Class: unpark.WaitSyscall, Side: unpark.RequestPath, Waiter: l.Heaviest.Waiter,
		Delay: l.Delay, Count: l.Count, Stack: l.Heaviest.WaiterAll,
	}
	var most float64
	for _, w := range m.Ev.Waits {
		if w.Class == unpark.WaitLock && w.Side == unpark.RequestPath && w.Delay > most && facts.Through(w.Stack, l.Heaviest.Waiter.Function) {
			most, own.Waiter, own.Stack = w.Delay, w.Waiter, w.Stack
		}
	}
	return own
}

// answers are the waits for answers from outside, also for another goroutine that uses a
// connection. Where all connections of the target lead to itself there are none: what is at
// their other ends waits and computes in the same profiles.
func answers(m *Model) []Wait {
	if m.Ev.Window.AsksItself() {
		return nil
	}
	return joined(m, slices.Concat(m.Downstream, behindOf(m, unpark.WaitDownstream)))
}

// joined puts waits of several tables into one.
func joined(m *Model, out []Wait) []Wait {
	slices.SortStableFunc(out, func(a, b Wait) int { return cmp.Compare(b.Delay, a.Delay) })
	for i := range out {
		out[i].Plausible = plausible(m, out[i])
	}
	return out
}

// behindOf returns the joins behind calls of one class.
func behindOf(m *Model, class unpark.WaitClass) []Wait {
	var out []Wait
	for _, w := range m.Behind {
		if w.Heaviest.Class == class {
			out = append(out, w)
		}
	}
	return out
}

// behind returns the joins that are waits for another goroutine's system calls, or for the
// other end of a connection that it uses, one for each place that makes them.
func behind(m *Model) []Wait {
	var out []Wait
	var via [][]string // of each of out
	var rest []Wait
	for _, p := range m.Joins {
		o, ok := behindCalls(m, p)
		if !ok {
			rest = append(rest, p)
			continue
		}
		p.Heaviest.Class, p.Calls = unpark.WaitSyscall, &o.Held
		if o.Held.Class == unpark.WaitNetwork {
			p.Heaviest.Class = unpark.WaitDownstream
		}
		at := slices.IndexFunc(out, func(b Wait) bool {
			return b.Calls.Site.Function == o.Held.Site.Function && b.Calls.Call.Function == o.Held.Call.Function
		})
		switch {
		case at < 0:
			out, via = append(out, p), append(via, o.Via)
		case slices.Contains(via[at], p.Function()):
			rest = append(rest, p)
		case slices.Contains(o.Via, out[at].Function()):
			p.Between = append(out[at].Between, out[at])
			out[at], via[at] = p, o.Via
		default:
			out[at].add(p)
		}
	}
	// A goroutine that commits for others waits in turn: the same time, seen from a link
	// in between.
	for _, p := range rest {
		if at := slices.IndexFunc(via, func(v []string) bool { return slices.Contains(v, p.Function()) }); at >= 0 {
			out[at].Between = append(out[at].Between, p)
		}
	}
	return out
}

// behindCalls reports whether a join is how requests wait for another goroutine's
// system calls (a log that is synced for many, say) or for the other end of a
// connection that it uses. Where those in between want a processor for most of the time, or where
// the waits are not those of requests, it is not.
func behindCalls(m *Model, p Wait) (Origin, bool) {
	if !p.Plausible || p.Starved {
		return Origin{}, false
	}
	most := BindingShare // of what a trace says: the rest, however it is spent, weighs less
	o, ok := m.Origin([]unpark.WaitClass{p.Heaviest.Class}, p.Function())
	if !ok {
		most = explainedBy // dumps and profiles only estimate it
		o, ok = untraced(m, p)
	}
	away := o.Held.Class == unpark.WaitSyscall || o.Held.Class == unpark.WaitNetwork
	return o, ok && away && o.Away >= chainAway && o.Away > most*(o.Known-o.Ready)
}
