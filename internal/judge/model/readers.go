package model

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// Readers is where those let go of an RWMutex for which requests wait that want it to read, and the function of the writer between: it has
// asked for the lock, waits until all that read it are done, and lets no other reader in meanwhile (sync/rwmutex.go, Lock). The trace
// then names the writer as the holder, and the hold that counts is that of those that read. False where it is not known, or where
// the writer works for most of that time.
func (l Lock) Readers(m *Model) (readers unpark.Site, writer string, ok bool) {
	var all, waited float64
	var n int64
	for _, e := range lockEdges(m, l.Heaviest) {
		if !roles.On(e.WaiterStack, roles.ReadLock) {
			continue
		}
		all, n = all+e.Delay, n+e.Count
		if roles.On(e.HolderStack, roles.ReadLock) { // one that reads keeps out another only by way of a writer that waits
			waited += e.Delay
			continue
		}
		for _, h := range e.Held {
			if h.Class == unpark.WaitLock && roles.Is(h.Call.Function, roles.WriteLock) && h.Site.Function == l.Heaviest.Holder.Function {
				waited += e.Delay * h.Share
			}
		}
	}
	if n < ChainWaits || waited < BindingShare*all {
		return unpark.Site{}, "", false
	}
	writer = l.Heaviest.Holder.Function
	for _, e := range m.Edges([]unpark.WaitClass{unpark.WaitLock}, writer) { // the longest come first
		if roles.On(e.HolderStack, roles.ReadLock) {
			return e.Holder, writer, true
		}
	}
	return unpark.Site{}, "", false
}
