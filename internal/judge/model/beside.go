package model

import "github.com/unpark-go/unpark"

// beside reports whether goroutines that work for requests wait here without a request that waits for it: a trace follows
// what requests wait for from one goroutine to the next, and came to such waits, but to few. A stage of a pipeline that a
// request starts is idle while others work, and that delays nothing.
func beside(m *Model, w Wait) bool {
	t := m.Ev.Tracing
	if t == nil || t.Requests < leastTraced || m.Mean <= 0 || inServer(w.Heaviest.Stack) {
		return false
	}
	edges := m.Edges([]unpark.WaitClass{w.Heaviest.Class}, w.Function())
	var behind float64
	for _, e := range edges {
		behind += e.Delay + e.Chained
	}
	return len(edges) > 0 && behind < hardlyBehind*m.Share(w.Delay).Or(0)*float64(t.Requests)*m.Mean
}
