package predict

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// keepSync changes a cut whose wait, or whose lock's hold, ends in a sync of the
// disk. An answer that promises to be on disk waits for a sync after any fix: one
// that many share takes as long as one of its own, and comes after the one that is
// under way. What goes is the queue for syncs, and the CPU of those that are saved.
func (c *cut) keepSync(s *service, f unpark.Finding) {
	syncs := func(at unpark.Site) bool { return roles.Is(at.Function, roles.Sync) }
	c.synced = syncs(f.Site) || slices.ContainsFunc(f.Path, syncs) || f.Waiter != nil && endsInSync(s.m, f.Class, f.Waiter.Function)
	if !c.synced {
		return
	}
	if c.queue && f.Class != unpark.ClassChannel { // what waits for a message waits for the sync itself
		// All that wait share the next sync: of n one makes it, while one was under way.
		n := max(2, s.population)
		share := s.m.CPUShare(signalled(s.m, func(v facts.Signal) bool { return v.ID == facts.SignalFsync }))
		c.sync = span{0, share * (1 - 2/n), share * (1 - 1/n)}
		return
	}
	c.queue = false
	c.wait = span{0, syncQueue * c.wait.value, mostSyncQueue * c.wait.high}
}

// endsInSync reports whether a function's requests wait for a disk, directly or through
// other goroutines, but for the time in which those want a processor.
func endsInSync(m *model.Model, of unpark.Class, function string) bool {
	var classes []unpark.WaitClass // any
	if of == unpark.ClassLock {
		classes = []unpark.WaitClass{unpark.WaitLock}
	}
	synced, ready := m.Synced(classes, function)
	return synced >= max(syncLeast, syncShare*(1-ready))
}
