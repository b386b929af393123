package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Excess is what the slowest requests have more of than those in the middle, in
// some states.
type Excess struct {
	Tail, More float64       // s per request of the tail
	Share      unpark.Number // of what they are slower
	Sure       bool          // one interval at least does not reach to zero
}

// Excess sums the rows of a trace that are in one of the classes; in one of the
// functions, unless none is given.
func (m *Model) Excess(classes []unpark.WaitClass, functions ...string) Excess {
	var out Excess
	t := m.Ev.Tracing
	if t == nil {
		return out
	}
	for _, e := range t.Excess {
		if !slices.Contains(classes, e.Class) || len(functions) > 0 && !slices.Contains(functions, e.Site.Function) {
			continue
		}
		out.Tail += e.Tail
		out.More += e.Tail - e.Middle
		out.Share = unpark.Num(out.Share.Or(0) + e.Share.Or(0))
		out.Sure = out.Sure || e.More.Low.Or(0) > 0
	}
	return out
}

// StatesOf are the states of a request that a class of finding is about.
func StatesOf(c unpark.Class) []unpark.WaitClass {
	switch c {
	case unpark.ClassLock:
		return []unpark.WaitClass{unpark.WaitLock}
	case unpark.ClassChannel:
		return facts.Joins()
	case unpark.ClassPool:
		return append(facts.Joins(), unpark.WaitPool) // a channel that is used as one
	case unpark.ClassDownstream:
		return append(facts.Joins(), unpark.WaitDownstream) // a join for one that uses a connection
	case unpark.ClassIO, unpark.ClassSyscall:
		return append(facts.Joins(), unpark.WaitSyscall, unpark.WaitNetwork) // a join for another goroutine's calls
	case unpark.ClassRateLimit:
		return []unpark.WaitClass{unpark.WaitRateLimit, unpark.WaitSleep}
	case unpark.ClassGC, unpark.ClassAlloc:
		return []unpark.WaitClass{unpark.WaitGC, unpark.WaitGCAssist, unpark.WaitSTW}
	}
	return nil
}
