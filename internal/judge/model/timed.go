package model

import "github.com/unpark-go/unpark"

// timed parts the joins into waits that a timer ends, as that of a select with a timeout,
// and all others. A trace has no goroutine that ended them: the processor that runs the
// timer does (runtime/time.go, unlockAndRun).
func timed(m *Model, all []Wait) (timers, rest []Wait) {
	for _, w := range all {
		if byTimer(m, w) {
			w.Heaviest.Class = unpark.WaitSleep
			timers = append(timers, w)
		} else {
			rest = append(rest, w)
		}
	}
	return timers, rest
}

func byTimer(m *Model, w Wait) bool {
	t, class := m.Ev.Tracing, w.Heaviest.Class
	if t == nil || m.Requests <= 0 || class != unpark.WaitSelect && class != unpark.WaitChannel {
		return false
	}
	traced := w.Count / m.Requests * float64(t.Requests)
	var ended float64
	for _, e := range m.Edges([]unpark.WaitClass{class}, w.Function()) {
		ended += float64(e.Count)
	}
	return traced >= ChainWaits && ended < (1-explainedBy)*traced
}
