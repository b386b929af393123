package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// chained says of a lock, at which requests queue, that what keeps it is another one; empty where it is that lock itself.
func chained(q model.Lock) string {
	if q.Queue().Taker == q.Taker {
		return ""
	}
	return "whose holder waits for the one in " + short(q.Taker)
}

// chainFacts are the locks whose waits go with this one's.
func chainFacts(m *model.Model, q model.Lock) []unpark.Fact {
	var out []unpark.Fact
	for _, b := range q.Before[:min(len(q.Before), maxHeld)] {
		held := ""
		if u, ok := b.Utilization.Get(); ok {
			held = fmt.Sprintf(", held %s of the window", units.Say(u, "ratio"))
		}
		out = append(out, fact(fmt.Sprintf("of that for the lock in %s%s: its holder waits for the one in %s", short(b.Taker), held, short(q.Taker)), b.Delay, "s", locksFrom(m)))
	}
	for _, b := range q.Beside[:min(len(q.Beside), maxHeld)] {
		out = append(out, fact(fmt.Sprintf("of that for the lock in %s, which the holder has as well meanwhile", short(b.Taker)), b.Delay, "s", locksFrom(m)))
	}
	return out
}

// letGo is the other way out of a chain of locks: requests do not wait for what is done under the second where the first is let go
// before. Of a lock inside a library that is not for the service to do.
func letGo(m *model.Model, q model.Lock) (unpark.Remedy, bool) {
	first := q.Queue()
	if _, foreign := callerOf(m, first); foreign || first.Taker == q.Taker {
		return unpark.Remedy{}, false
	}
	call := short(q.Taker)
	if !first.Burden.Frame.IsZero() {
		call = short(first.Burden.Frame.Function)
	}
	return unpark.Remedy{
		Title: fmt.Sprintf("Let go of the lock in %s before %s: take what that needs under it, and call it afterwards", short(first.Within), call),
		Why:   fmt.Sprintf("it waits there for the lock in %s, and all that want the first lock wait as long", short(q.Taker)),
		Risk:  "what was read under the first lock may have changed when the second is had: check it again",
	}, true
}

// entered is the function of a library that takes the lock at which its callers queue.
func entered(m *model.Model, q model.Lock) string {
	if _, foreign := callerOf(m, q.Queue()); foreign {
		return q.Queue().Taker
	}
	return q.Taker
}
