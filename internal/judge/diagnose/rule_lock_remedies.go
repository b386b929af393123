package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

// How the rungs begin of which the catalogue has code.
const (
	holdTitle  = "Hold it for less work"
	shardTitle = "Shard the lock by key"
	outsideIt  = " outside of that lock" // stands behind what is to be called there
)

// lockRemedies climbs the ladder of DESIGN §5: hold it for less work, call it
// less, shard, RWMutex, copy on write. A lock inside a library cannot be held
// for less, so not sharing the instance comes first there.
func lockRemedies(m *model.Model, q model.Lock, b model.Burden) []unpark.Remedy {
	if own, foreign := callerOf(m, q); foreign {
		out := foreignRemedies(q, b, short(roles.Outer(entered(m, q))))
		if inside, ok := ownInside(q, b, own); ok {
			out = append([]unpark.Remedy{outside(q, b, inside)}, out...)
		}
		return out
	}
	if readers, writer, ok := q.Readers(m); ok {
		return []unpark.Remedy{readLess(readers, writer), snapshot()}
	}
	if each, ok := rest(m, q); ok {
		return inParts(m, q, each)
	}
	out := []unpark.Remedy{holdLess(m, q, b), {
		Title: "Take it less often: batch what it protects (64–128 at a time)",
		Why:   "one acquisition then serves many operations, and the queue shrinks with the rate of acquisitions",
		Risk:  "the first of a batch waits for the last; a batch that is too large makes the hold long again",
	}, {
		Title: shardTitle,
		Why:   "requests for different keys stop waiting for one another; n shards divide ρ = rate × hold by about n",
		Risk:  "one hot key still has one lock; operations over all keys must take every shard",
	}}
	if q.Heaviest.Type == string(roles.Mutex) && q.Hold.Or(1) >= tinyHold && b.Work != roles.Sleep && b.Work != roles.IO {
		out = append(out, unpark.Remedy{
			Title: "Use sync.RWMutex, if most requests only read",
			Why:   "readers hold it together",
			Risk:  "slower than a Mutex when writes are frequent or the hold is tiny; a waiting writer stops new readers",
		})
	}
	if q.Writes >= oftenWritten*q.Delay {
		return append(out, unpark.Remedy{
			Title: "Do not look to the RWMutex for it: write less often, or use a plain Mutex",
			Why: fmt.Sprintf("%.0f %% of the waiting is at its write side; a writer waits for every reader inside and keeps new ones out, "+
				"so with this mix it is a Mutex with more bookkeeping", 100*q.Writes/q.Delay),
			Risk: "a plain Mutex lets one reader in at a time: measure with the mix of production",
		})
	}
	return append(out, snapshot())
}

func snapshot() unpark.Remedy {
	return unpark.Remedy{
		Title: "Copy on write: keep a snapshot behind atomic.Pointer, rebuild it when something changes",
		Why:   "readers take no lock at all",
		Risk:  "each change copies; only for data that changes far less often than it is read",
	}
}

// readLess is for an RWMutex whose writer waits for those that read.
func readLess(readers unpark.Site, writer string) unpark.Remedy {
	return unpark.Remedy{
		Title: "Hold it for less work to read: in " + short(readers.Function) + " take what is needed inside the lock, and compute, encode and write it after RUnlock",
		Why:   fmt.Sprintf("%s waits until all that read are done, and no other may begin to read meanwhile: what requests wait for is the reading, not the change", short(writer)),
		Risk:  "what was read under the lock may have changed when it is used outside; what is shared by pointer must be copied",
	}
}

// ownInside is the function of the application that a library runs, or waits for, while it holds its lock: what it was given to call for
// each of its elements, or the body of a loop over what it sends.
func ownInside(q model.Lock, b model.Burden, own unpark.Site) (unpark.Site, bool) {
	if b.Work == roles.Compute || q.Heaviest.Holder.IsZero() {
		return unpark.Site{}, false
	}
	for i, s := range append([]unpark.Site{b.Other, b.Line}, sitesOf(q.Heaviest.Held)...) {
		if i > 0 && q.Calls(s.Function) {
			continue // it leads to the one that has the lock; what another goroutine does for that is at no place of this stack
		}
		if s.IsZero() || unpark.PackageOf(s.Function) != unpark.PackageOf(own.Function) || s.Function == q.Heaviest.Holder.Function {
			continue
		}
		return s, true
	}
	return unpark.Site{}, false
}

func sitesOf(sums []facts.SiteSum) []unpark.Site {
	var out []unpark.Site
	for _, s := range sums {
		out = append(out, s.Site)
	}
	return out
}

// outside is for what is the application's own under a library's lock: that much of the hold can be shortened from outside.
func outside(q model.Lock, b model.Burden, inside unpark.Site) unpark.Remedy {
	holder := short(q.Heaviest.Holder.Function)
	if !b.By.IsZero() {
		holder = short(b.By.Function)
	}
	return unpark.Remedy{
		Title: "Call " + short(inside.Function) + outsideIt + ": take what it needs from " + holder + " first, as a copy, and go through that when it has returned",
		Why:   "the lock is the library's, and what it is held for is yours: " + holder + " lets it go only when that is done, and all that want it wait meanwhile",
		Risk:  "what was taken may have changed when it is used",
	}
}

// foreignRemedies are what can be done from outside about a lock inside a library, which taker enters.
func foreignRemedies(q model.Lock, b model.Burden, taker string) []unpark.Remedy {
	unshared := unpark.Remedy{
		Title: "Do not share it: give each goroutine, worker or shard its own instance behind " + taker,
		Why:   "the lock is inside a library, so its hold cannot be shortened from outside; an instance that is not shared needs no lock",
		Risk:  "state that must be common (a seed, a sequence) becomes one per instance",
	}
	less := unpark.Remedy{
		Title: "Call " + taker + " less often: batch what it is called for (64–128 at a time)",
		Why:   "one acquisition then serves many operations, and the queue shrinks with the rate of acquisitions",
		Risk:  "the first of a batch waits for the last; a batch that is too large makes the hold long again",
	}
	switch {
	case q.Kept:
		return []unpark.Remedy{cheaper(*q.Under, "the lock"), unshared, less}
	case b.Work == roles.IO: // what it writes to is one, however many instances there are
		return []unpark.Remedy{less, unshared}
	}
	return []unpark.Remedy{unshared, less}
}

func holdLess(m *model.Model, q model.Lock, b model.Burden) unpark.Remedy {
	function := short(cmp.Or(q.Within, q.Heaviest.Holder.Function, q.Heaviest.Waiter.Function))
	if b.Frame.IsZero() || minor(m, q, b) {
		return unpark.Remedy{
			Title: holdTitle + ": in " + function + " keep only the shared state inside the lock",
			Why:   "every request behind waits for the whole hold; the queue shrinks faster than the hold does",
			Risk:  "what was read under the lock may have changed when it is used outside",
		}
	}
	what, why := "move "+short(b.Frame.Function)+" out of the lock in "+function, fmt.Sprintf("%s runs under it", short(b.Frame.Function))
	if b.From == unpark.KindTrace && !b.Other.IsZero() { // nothing of it is below the holder, to be moved
		what = "wait for " + short(b.Other.Function) + " outside of the lock in " + function
		why = fmt.Sprintf("%s waits under it until %s is done with %s", function, short(b.Other.Function), short(b.Named.Function))
	} else if b.Named.Function != b.Frame.Function {
		why += fmt.Sprintf(", in %s", short(b.Named.Function))
	}
	if h, ok := q.Hold.Get(); ok {
		why += fmt.Sprintf("; the hold is about %s a request, and every request behind waits for it", units.Say(h, "s"))
	}
	return unpark.Remedy{
		Title: holdTitle + ": " + what,
		Why:   why,
		Risk:  "two requests may do it at once for the same key (use single-flight); check the state again before storing the result",
	}
}

// withCode is a finding's remedies by its rule, with the code and the sources that the catalogue has for what it says of any lock: it is the
// same advice, and is said once.
func withCode(m *model.Model, f unpark.Finding) []unpark.Remedy {
	out := slices.Clone(f.Remedies)
	if f.Class != unpark.ClassLock {
		return out
	}
	for _, a := range catalogued(m, f) {
		if !ofLocks(a) {
			continue
		}
		rung := map[advice.Remedy]string{advice.Moved: holdTitle, advice.Unshared: shardTitle}[a.Remedy]
		for i, r := range out {
			if rung != "" && strings.HasPrefix(r.Title, rung) {
				out[i].Change, out[i].Sources = strings.Join(a.Change, "\n"), a.Sources
			}
		}
	}
	return out
}

// ofLocks reports whether advice is about code that takes any lock.
func ofLocks(a advice.Advice) bool {
	return !slices.ContainsFunc(a.Culprits, func(f string) bool { return !roles.Is(f, roles.Lock) })
}
