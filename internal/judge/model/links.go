package model

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// Links is the functions of modules that the goroutines run which a wait is for, by a trace: what ends it, what ends the waits of that in
// turn, and what the last of them does. A handler that waits at a channel of its own waits for a consumer of a broker where
// a goroutine of the application hands on what that delivers, and the client's settings are read on that one.
func (w Wait) Links(m *Model) []unpark.Site {
	waiter := w.Function()
	var out []unpark.Site
	add := func(all ...unpark.Site) {
		for _, s := range all {
			_, _, _, module := s.Module()
			if module && len(out) < mostLinks && !slices.ContainsFunc(out, func(o unpark.Site) bool { return o.Function == s.Function }) {
				out = append(out, s)
			}
		}
	}
	var classes []unpark.WaitClass // of the first wait any
	var met []string
	for len(met) < chainLinks && !slices.Contains(met, waiter) {
		met = append(met, waiter)
		edges := m.Edges(classes, waiter)
		if len(edges) == 0 || edges[0].Delay+edges[0].Chained <= 0 {
			break
		}
		add(edges[0].HolderStack...)
		if len(edges[0].Held) == 0 {
			break
		}
		h := edges[0].Held[0] // largest first
		add(h.Call, h.Site)
		if !waitsForOthers(h.Class) || h.Share < BindingShare {
			break
		}
		classes, waiter = []unpark.WaitClass{h.Class}, h.Site.Function
	}
	return out
}
