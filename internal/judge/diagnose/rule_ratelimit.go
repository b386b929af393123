package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

func rateLimitRule() Rule {
	return Rule{
		ID: "ratelimit", Title: "intended waits", Class: unpark.ClassRateLimit,
		Doc: "Reads request-path waits that the program asked for: rate limiters from a hundredth of " +
			"a request's time, time.Sleep and waits that a timer ends from 30 %. Silent for tickers and sleeping background loops, and for a sleep below a " +
			"lock that binds: it is that lock's hold.",
		Needs: []unpark.Kind{unpark.KindGoroutine},
		Run: func(m *model.Model) []unpark.Finding {
			out := waitFindings(m, "ratelimit", unpark.ClassRateLimit, m.Intended, rateLimitText)
			for i := range out {
				nameWhoWaits(&out[i])
				nameClock(m, &out[i])
				nameTries(m, &out[i])
				nameLooks(m, &out[i])
			}
			return out
		},
	}
}

// nameWhoWaits puts a library's function that waits for a time into the title: the program did
// not ask for that.
func nameWhoWaits(f *unpark.Finding) {
	if f.Culprit == nil || roles.Of(f.Culprit.Function).WaitBelow == unpark.WaitRateLimit || roles.On(f.Path, roles.Retries) {
		return
	}
	what := "waits until a timer ends it"
	if strings.HasPrefix(f.Title, "Requests sleep") {
		what = "sleeps"
	}
	f.Title = fmt.Sprintf("%s %s, in requests of %s", short(f.Culprit.Function), what, short(f.Site.Function))
}

// nameClock names the goroutine that waits for a timer where requests wait for others that wait for it.
func nameClock(m *model.Model, f *unpark.Finding) {
	i := slices.IndexFunc(m.Intended, func(w model.Wait) bool { return w.Function() == f.Site.Function && !w.Clock.IsZero() })
	if i < 0 {
		return
	}
	clock := m.Intended[i].Clock
	if m.Intended[i].Paced {
		namePace(f, clock)
		return
	}
	f.Culprit, f.Way = pointer(clock), nil
	f.Title = fmt.Sprintf("Requests of %s wait for %s, which waits until a timer ends it", short(f.Site.Function), short(clock.Function))
	f.Remedies = []unpark.Remedy{{
		Title: "Shorten the time that " + short(clock.Function) + " waits (its interval, delay or timeout), or let it go on as soon as enough has come: told by an event in place of polling",
		Why:   "each request takes the whole time, however little there is to do after it",
		Risk:  "smaller batches: what is asked for together now is asked for in more calls",
	}, {
		Title: "Do not wait for it where one item is asked for: ask at once",
		Why:   "gathering pays where many come within the time, and costs the whole of it where they do not",
		Risk:  "none where few come together",
	}}
}

// namePace names the goroutine that lets requests go one at a time, each time that a timer ends its wait: a limiter, or a loop that takes
// one item at each tick.
func namePace(f *unpark.Finding, clock unpark.Site) {
	where := short(clock.Function)
	f.Title = fmt.Sprintf("Requests queue in %s for %s, which lets one go each time its timer fires", short(f.Site.Function), where)
	f.Remedies = []unpark.Remedy{{
		Title: "Decide whether this rate is the one that is wanted; raise it, let several go each time, or refuse early instead of waiting",
		Why:   "throughput is what " + where + " lets through, whatever the number of requests; those that come faster queue",
		Risk:  "what it protects gets more",
	}}
}

// nameTries says of a wait that few requests have, and those over and over, that it is one between tries.
func nameTries(m *model.Model, f *unpark.Finding) {
	if !slices.ContainsFunc(m.Intended, func(w model.Wait) bool { return w.Function() == f.Site.Function && w.Again(m) }) {
		return
	}
	f.Title = "A few requests wait in " + short(f.Site.Function) + " between tries, and again"
	f.Remedies = []unpark.Remedy{{
		Title: "Try again sooner: a shorter interval between tries, or wait for the event instead of for a time (channel, context, condition)",
		Why:   "what is tried for may be there soon after the wait began, and others that come meanwhile take it",
		Risk:  "each try costs what it costs now, more often",
	}, {
		Title: "Make the wait needless: let those in together that only read, hold what is tried for less, or refuse at once instead of waiting",
		Why:   "a request that finds it taken waits the whole interval, however short it was taken",
		Risk:  "what it guards must bear that",
	}}
}

// nameLooks says of a timer that each request waits for several times that it is no timeout: it looks whether something is there.
func nameLooks(m *model.Model, f *unpark.Finding) {
	i := slices.IndexFunc(m.Intended, func(w model.Wait) bool { return w.Function() == f.Site.Function && w.Clock.IsZero() && byTimer(w) })
	if i < 0 {
		return
	}
	each, known := m.PerRequest(m.Intended[i].Count).Get()
	if !known || each < looksAgain {
		return
	}
	if m.Intended[i].Heaviest.Wrote.Or(0) >= partsSent {
		f.Title = fmt.Sprintf("%s sends its answers in parts, each when a timer fires: %s times a request", short(f.Site.Function), units.Say(each, ""))
		f.Remedies = []unpark.Remedy{{
			Title: "Leave it as it is where this pace is wanted (events, progress, a live view); else send what is there at once, or at shorter intervals",
			Why:   "the time between the parts is the length of the answer, and not work: it holds up no other request",
			Risk:  "clients get more at once, and more often",
		}}
		return
	}
	at := f.Site
	if f.Culprit != nil {
		at = *f.Culprit
	}
	f.Remedies = []unpark.Remedy{{
		Title: fmt.Sprintf("Be told when it is there in place of looking again, or look at shorter intervals: each request waits %s times in %s", units.Say(each, ""), short(at.Function)),
		Why:   "what is waited for is there up to an interval before it is seen",
		Risk:  "each look costs what it costs now, more often",
	}, {
		Title: "Have what it looks for done sooner: goroutines that do it may look at intervals as well, and those add up",
		Why:   "a step that is found by looking waits for the next look, wherever that is",
		Risk:  "more looks that find nothing",
	}}
}

// byTimer reports whether a wait is one that a timer ends: no limiter's, nor between attempts, nor a sleep.
func byTimer(w model.Wait) bool {
	asleep := func(s unpark.Site) bool { return roles.Of(s.Function).Wait == unpark.WaitSleep }
	return w.Heaviest.Class != unpark.WaitRateLimit && !roles.On(w.Heaviest.Stack, roles.Retries) && !slices.ContainsFunc(w.Heaviest.Stack, asleep)
}

func rateLimitText(p model.Wait) (string, []unpark.Remedy) {
	w := p.Heaviest
	where := short(w.Waiter.Function)
	if w.Class == unpark.WaitRateLimit {
		return "A rate limiter holds requests back in " + where, []unpark.Remedy{{
			Title: "Decide whether the limit is the one that is wanted; raise it, or refuse early instead of waiting",
			Why:   "the wait is intended: throughput is what the limiter allows",
			Risk:  "what it protects gets more",
		}}
	}
	if roles.On(w.Stack, roles.Retries) {
		return "Requests wait in " + where + " between attempts at what failed", []unpark.Remedy{{
			Title: "Shorten the first wait between attempts, and mend what fails",
			Why:   "a request that fails once takes the whole wait, however quick the second attempt is",
			Risk:  "a peer that is overloaded gets the second attempt sooner: keep the jitter, and bound the attempts",
		}}
	}
	if byTimer(p) {
		return "Requests wait in " + where + " until a timer ends it", []unpark.Remedy{{
			Title: "Decide whether the timeout is the one that is wanted; answer without what comes too late, or ask for it earlier",
			Why:   "what is waited for does not come in time, so each request takes the whole timeout",
			Risk:  "with a longer timeout requests wait longer for the same",
		}}
	}
	return "Requests sleep in " + where, []unpark.Remedy{{
		Title: "Wait for the event instead of for a time (channel, context, condition)",
		Why:   "a sleep lasts its whole time even when what it waits for is there; the runtime rounds short ones up to about 1 ms",
		Risk:  "if the sleep stands for a remote call, the time belongs to that call",
	}}
}
