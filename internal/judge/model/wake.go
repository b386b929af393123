package model

import "github.com/unpark-go/unpark"

// wakeOf is the time, in seconds, from the moment at which a request is made ready to run
// until it runs, by a trace; 0 where that is not known. It runs once for itself, and once
// more after each wait that another goroutine ends.
//
// The block profile does not have that time: what wakes a goroutine stops the clock of its
// wait (runtime/sema.go and runtime/chan.go, releasetime).
func wakeOf(t *unpark.Tracing) float64 {
	if t == nil {
		return 0
	}
	wakes := float64(t.Requests)
	for _, e := range t.Edges {
		wakes += float64(e.Count)
	}
	return unpark.Ratio(readyOf(t)*float64(t.Requests), wakes).Or(0)
}

// readyOf is the mean time, in seconds, that a traced request is ready to run and does not;
// 0 where that is not known.
func readyOf(t *unpark.Tracing) float64 {
	if t == nil || t.Requests < fewTraced {
		return 0
	}
	for _, s := range t.States {
		if s.Class == unpark.WaitScheduler {
			return s.All
		}
	}
	return 0
}

// requeued is the time, in seconds, for which requests were ready to run after count waits
// of theirs had ended. Where processors are short they would queue for them whatever they
// waited for.
func requeued(m *Model, count float64) float64 {
	if m.Short {
		return 0
	}
	return m.wake * count
}
