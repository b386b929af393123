package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// KeepsPlace is the part of the time for which the places of a pool are held that goes to this wait of requests: of those that give
// places back, by a trace, what they did meanwhile. It is 0 where no trace says so, or where the wait may be before the place is
// taken or after it is given back.
func (w Wait) KeepsPlace(m *Model, pool Wait) float64 {
	var all, there float64
	for _, e := range m.Edges([]unpark.WaitClass{pool.Heaviest.Class}, pool.Function()) {
		held := keeps(pool.Heaviest.Stack, e.HolderStack, w.Heaviest, pool.Function())
		for _, h := range e.Held {
			if h.Class == pool.Heaviest.Class && h.Site.Function == pool.Function() {
				continue // it has no place yet
			}
			all += h.Share * e.Delay
			if held && h.Site.Function == w.Function() {
				there += h.Share * e.Delay
			}
		}
	}
	return min(1, unpark.Ratio(there, all).Or(0))
}

// keeps reports whether a wait is between the line by which a function takes a place and the one by which it gives it back. What a
// database is asked, it is asked over the connection that was waited for.
func keeps(takes, gives []unpark.Site, wait facts.Wait, function string) bool {
	stack := slices.Concat(wait.Stack, wait.Above)
	if roles.On(takes, roles.Database) && roles.On(stack, roles.Database) {
		return true
	}
	from, taken := lineIn(takes, function)
	to, given := lineIn(gives, function)
	at, called := lineIn(stack, function)
	return taken && given && called && from < at && at < to
}

// lineIn is the line of a function on a stack.
func lineIn(stack []unpark.Site, function string) (int, bool) {
	i := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == function })
	if i < 0 {
		return 0, false
	}
	return stack[i].Line, true
}
