package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

// rest is how long those that meet a lock held wait for it, on average, where a goroutine that is no request computes under it seldom
// and for long: few requests meet it, and these wait for the rest of a hold. It is at least a quarter of the hold where that is constant.
func rest(m *model.Model, q model.Lock) (float64, bool) {
	if len(q.Heaviest.HolderAll) == 0 || roles.On(q.Heaviest.HolderAll, roles.Request) || q.Heaviest.Holder.IsZero() || m.Requests <= 0 {
		return 0, false
	}
	if w := q.Burden.Work; w == roles.Sleep || w == roles.IO || !q.Burden.Other.IsZero() || q.Count < fewEvents {
		return 0, false // to be let go while it waits
	}
	each := q.Delay / q.Count
	return each, each >= longHold && q.Count < seldomMet*m.Requests
}

// inParts is for such a lock: to take it less often, or by many readers at once, makes no hold shorter.
func inParts(m *model.Model, q model.Lock, each float64) []unpark.Remedy {
	name := short(q.Heaviest.Holder.Function)
	parts := unpark.Remedy{
		Title: fmt.Sprintf("Go through it in parts: in %s let the lock go after some hundred items, or after a millisecond, and take it again", name),
		Why: fmt.Sprintf("%s is no request, and holds it seldom but for long: the requests that come meanwhile, %s of all, wait for %s on average; of a lock that is let go in between they wait for one part",
			name, units.Say(q.Count/m.Requests, "ratio"), units.Say(each, "s")),
		Risk: "what it goes through changes between two parts: take the keys first, and look again at each under the lock",
	}
	shards := unpark.Remedy{
		Title: "Shard what it protects by key, with a lock for each, and go through one shard after the other",
		Why:   "a request then waits for one shard's part of the hold, and for no other's",
		Risk:  "operations over all keys must take every shard",
	}
	aside := snapshot()
	aside.Title = fmt.Sprintf("Make what is new beside the old in %s, without the lock, and put it in its place at once (a snapshot behind atomic.Pointer)", name)
	if q.Burden.Frame.IsZero() || minor(m, q, q.Burden) {
		return []unpark.Remedy{parts, shards, aside}
	}
	return []unpark.Remedy{holdLess(m, q, q.Burden), parts, aside, shards}
}

// minor reports whether what was met under a lock is a function of Go's own that does little of what its holder computes: a
// comparison in a loop is met there as well, and moved out of the lock it would leave the loop.
func minor(m *model.Model, q model.Lock, b model.Burden) bool {
	if b.Work != roles.Compute || !b.Other.IsZero() || !roles.Is(b.Frame.Function, roles.Standard) {
		return false
	}
	all := m.Ev.CPU.Tree.Through(q.Heaviest.Holder.Function)
	return all > 0 && m.Ev.CPU.Tree.Between(q.Heaviest.Holder.Function, b.Frame.Function) < model.BindingShare*all
}
