package dump

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
)

// frozen is a lock that no goroutine got while it was watched: a waiter that was there
// all the time is still there. sync.Mutex hands itself to the first in line after
// 1 ms (internal/sync/mutex.go, starvation mode), so that one goroutine has held it
// ever since, or it was never unlocked.
type frozen struct {
	on      object // unknown address: each place is taken for a lock of its own
	at      *place
	waiters []*member // also those that came later
	users   []*member // those whose stack points at what contains the lock
	holders []*member // those that could hold it: there all the time, and not parked
}

// locks finds the frozen locks, who may hold them, and what cannot be resolved.
func (s *settled) locks() {
	all := s.frozen()
	if len(all) == 0 {
		return
	}
	for _, f := range all {
		s.suspects(f)
		s.tell(f)
	}
	cycle := s.cycle(all)
	if cycle != nil {
		s.circular(cycle)
	}
	s.exhausted(slices.DeleteFunc(all, func(f *frozen) bool { return slices.Contains(cycle, f) }))
}

func (s *settled) frozen() []*frozen {
	by := make(map[lockKey]*frozen)
	var all []*frozen
	for _, m := range s.members {
		if m.at.label.Class != unpark.WaitLock {
			continue
		}
		k := m.lockKey()
		if by[k] == nil {
			by[k] = &frozen{on: m.on, at: m.at}
			all = append(all, by[k])
		}
		by[k].waiters = append(by[k].waiters, m)
	}
	return slices.DeleteFunc(all, func(f *frozen) bool {
		return !slices.ContainsFunc(f.waiters, func(m *member) bool { return m.motion == unpark.MotionStuck })
	})
}

// suspects finds who could hold a lock.
func (s *settled) suspects(f *frozen) {
	nearest := uint64(reach)
	for _, m := range s.members {
		if slices.Contains(f.waiters, m) {
			continue
		}
		if m.born == 0 && !m.parked && m.at.label.Side != unpark.RuntimeSide {
			f.holders = append(f.holders, m)
		}
		if !f.on.known() || m.born > 0 {
			continue
		}
		d, ok := m.uses(f.on)
		switch {
		case !ok || d > nearest:
		case d < nearest:
			nearest, f.users = d, []*member{m}
		default:
			f.users = append(f.users, m)
		}
	}
}

// tell makes the link from the waiters to who could hold the lock.
func (s *settled) tell(f *frozen) {
	switch {
	case len(f.users) > 0:
		s.link(f.waiters, f.users, f.on, unpark.Likely, "an argument on their stack points at what contains the lock")
	case len(f.holders) > 0 && len(f.holders) <= mostListed:
		s.link(f.waiters, f.holders, f.on, unpark.Likely, "they were there all the time and are not parked: one of them holds it, unless it was never unlocked")
	case len(f.holders) > 0:
		s.link(f.waiters, nil, f.on, unpark.Likely, fmt.Sprintf("one of %d goroutines that were there all the time, or none", len(f.holders)))
	default:
		s.link(f.waiters, nil, f.on, unpark.Likely, "no other goroutine was there all the time: it was never unlocked, or one that waits for it has it already")
	}
}

// cycle returns frozen locks in a ring: the users of each wait for the next.
func (s *settled) cycle(all []*frozen) []*frozen {
	waitsFor := make(map[*member]*frozen)
	for _, f := range all {
		for _, m := range f.waiters {
			waitsFor[m] = f
		}
	}
	for _, start := range all {
		var path []*frozen
		for f := start; f != nil; f = next(f, waitsFor) {
			if i := slices.Index(path, f); i >= 0 {
				return path[i:]
			}
			path = append(path, f)
		}
	}
	return nil
}

// next returns the lock that the likely holders of f wait for, when all of them
// wait for one.
func next(f *frozen, waitsFor map[*member]*frozen) *frozen {
	var out *frozen
	for i, m := range f.users {
		if waitsFor[m] == nil || i > 0 && waitsFor[m] != out {
			return nil
		}
		out = waitsFor[m]
	}
	return out
}

// circular tells of a ring of locks.
func (s *settled) circular(ring []*frozen) {
	d := unpark.WatchDeadlock{
		Process: s.index, Certainty: unpark.Likely,
		Title: sentence("%s that wait for each other in a ring", counted(len(ring), "lock")),
	}
	var set []*member
	for _, f := range ring {
		set = append(set, f.waiters...)
		d.Evidence = append(d.Evidence, sentence("%s %s for %s at %s, which no goroutine got; the stack of %s points at what contains it",
			numbered(f.waiters), plural(f.waiters, "waits", "wait"), f.on, f.waiters[0].at.site.Place(), numbered(f.users)))
	}
	s.deadlocked(d, set)
}

// exhausted tells of locks whose possible holders are all stuck, or gone.
func (s *settled) exhausted(all []*frozen) {
	var set []*member
	d := unpark.WatchDeadlock{Process: s.index, Certainty: unpark.Likely}
	gone := true
	for _, f := range all {
		if slices.ContainsFunc(f.holders, func(m *member) bool { return m.motion != unpark.MotionStuck }) {
			continue
		}
		set = append(set, f.waiters...)
		gone = gone && len(f.holders) == 0
		d.Evidence = append(d.Evidence, sentence("%s %s for %s at %s, which no goroutine got", numbered(f.waiters), plural(f.waiters, "waits", "wait"), f.on, f.at.site.Place()))
	}
	switch {
	case len(set) == 0:
		return
	case gone:
		d.Title = "a lock that no goroutine is left to unlock"
		d.Evidence = append(d.Evidence, "every other goroutine is parked or came later: it was never unlocked, or a goroutine that waits for it has it already")
	default:
		d.Title = "every goroutine that could unlock is stuck as well"
		d.Evidence = append(d.Evidence, "every other goroutine is parked, or came later")
	}
	s.deadlocked(d, set)
}

func (s *settled) deadlocked(d unpark.WatchDeadlock, set []*member) {
	slices.SortFunc(set, func(a, b *member) int { return cmp.Compare(a.id, b.id) })
	set = slices.Compact(set)
	d.Count, d.Goroutines = len(set), ids(set)
	if !slices.ContainsFunc(set, func(m *member) bool { return !m.leaked }) {
		d.Certainty = unpark.Proven
		d.Evidence = append(d.Evidence, "the runtime's leak detection says that nothing that runs can reach what they wait on")
	}
	s.locked = append(s.locked, d)
}
