package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// watchText prints the sections of a watch on its page.
type watchText struct {
	*page
	watch unpark.Watch
}

func watchPage(r unpark.Watch) *page {
	p := watchText{&page{}, r}
	p.banners(nil, r.Partial)
	p.verdict()
	p.watched()
	p.motion(unpark.MotionStuck, "STUCK", alarm)
	p.deadlocks()
	p.links()
	p.motion(unpark.MotionWaiting, "IDLE OR FORGOTTEN (a dump cannot say which)", caution)
	p.motion(unpark.MotionOutside, "WAITING FOR OTHERS ALL THE TIME (a peer, a timer, a child that moves)", normal)
	p.advancing()
	p.motion(unpark.MotionRecent, "CAME DURING THE WATCH", normal)
	p.leaks()
	p.motion(unpark.MotionParked, "PARKED", quiet)
	p.notices("WARNINGS", caution, r.Warnings)
	return p.page
}

// verdict says the most urgent thing first.
func (p watchText) verdict() {
	r, t, text := p.watch, good, ""
	n := r.Totals
	all := many(int64(n.Goroutines), "goroutine") + " in " + many(int64(n.Places), "place")
	switch {
	case n.Stuck > 0:
		t, text = alarm, watchStuck(r)
	case len(r.Deadlocks) > 0:
		t, text = alarm, "candidate for a deadlock: "+r.Deadlocks[0].Title
	case len(r.Leaks) > 0:
		l := r.Leaks[0]
		t, text = caution, fmt.Sprintf("nothing is stuck, and goroutines gather at %s: %s → %s", fullSite(l.Site), units.Count(int64(l.First)), units.Count(int64(l.Last)))
	case tooFew(r):
		t, text = caution, "too few dumps to tell: "+all
	case n.Waiting+n.Outside == 0:
		text = "nothing is stuck: " + all + ", all advance or are parked"
	default:
		var still []string
		if n.Waiting > 0 {
			still = append(still, many(int64(n.Waiting), "goroutine")+" may be idle or forgotten")
		}
		if n.Outside > 0 {
			still = append(still, units.Count(int64(n.Outside))+" waited for others all the time")
		}
		text = "nothing is known to be stuck: of " + all + ", " + strings.Join(still, ", ")
	}
	p.flow(line{say(heading, "WATCH"), say(normal, "  ")}, say(t, escape.Prose(text)))
}

// tooFew reports whether the watch was too short to say anything.
func tooFew(r unpark.Watch) bool {
	return slices.ContainsFunc(r.Warnings, func(n unpark.Notice) bool { return n.Code == "few-dumps" })
}

func watchStuck(r unpark.Watch) string {
	first, places := unpark.WatchGroup{}, 0
	for _, g := range r.Groups {
		if g.Motion != unpark.MotionStuck {
			continue
		}
		if places++; places == 1 {
			first = g
		}
	}
	verb := "are"
	if r.Totals.Stuck == 1 {
		verb = "is"
	}
	text := fmt.Sprintf("%s of %s %s stuck: %s at %s", units.Count(int64(r.Totals.Stuck)), many(int64(r.Totals.Goroutines), "goroutine"), verb, first.State, fullSite(first.Site))
	if places > 1 {
		text += fmt.Sprintf(", and %d more places", places-1)
		if places == 2 {
			text = strings.TrimSuffix(text, "s")
		}
	}
	return text
}

// watched says what was looked at.
func (p watchText) watched() {
	r := p.watch
	p.blank()
	slowest, dumps := 0.0, 0
	var names, leaks []string
	for _, proc := range r.Processes {
		dumps = max(dumps, len(proc.Dumps))
		for _, d := range proc.Dumps {
			slowest = max(slowest, d.Took)
		}
		name := escape.Prose(proc.Endpoint)
		if proc.PID > 0 {
			name += " (pid " + strconv.Itoa(proc.PID) + ")"
		}
		names = append(names, name)
		switch proc.LeakProfile {
		case unpark.Present:
			leaks = append(leaks, "read")
		default:
			leaks = append(leaks, "not read: "+escape.Prose(proc.LeakNote))
		}
	}
	p.row(row{"dumps", []string{units.Count(int64(dumps)) + " in " + age(unpark.Num(r.Seconds)), "the slowest took " + units.Figure(slowest, "s")}})
	p.row(row{"leaks", slices.Compact(leaks)})
	p.row(row{"of", append(names[:min(len(names), 4):min(len(names), 4)], rest(len(names)-4)...)})
}

func rest(n int) []string {
	if n <= 0 {
		return nil
	}
	return []string{"and " + units.Count(int64(n)) + " more"}
}

// age prints seconds as one says them.
func age(n unpark.Number) string {
	s, ok := n.Get()
	switch {
	case !ok:
		return units.Unknown
	case s < 59.95:
		return units.Figure(s, "s")
	case s > 1e8:
		return "years"
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

// mostGroups is how many places of one motion a reader is shown.
const mostGroups = 12

// motion prints the groups of one motion.
func (p watchText) motion(m unpark.Motion, title string, t tone) {
	var rows [][]string
	var groups []unpark.WatchGroup
	for _, g := range p.watch.Groups {
		if g.Motion != m {
			continue
		}
		groups = append(groups, g)
		rows = append(rows, []string{units.Count(int64(g.Goroutines)), age(g.Oldest), escape.Prose(g.State), "", ""})
	}
	if len(groups) == 0 {
		return
	}
	left := len(groups) - mostGroups
	groups, rows = groups[:min(len(groups), mostGroups)], rows[:min(len(rows), mostGroups)]
	p.head(title)
	sites := make([][2]unpark.Site, len(groups))
	for i, g := range groups {
		sites[i] = [2]unpark.Site{g.Site, g.Created}
	}
	p.places([]string{"n", "age", "waits for", "at", "created by"}, rows, sites, t, func(i int) {
		if g := groups[i]; m == unpark.MotionStuck || m == unpark.MotionWaiting {
			p.evidence(g)
		}
	})
	if left > 0 {
		p.add(say(quiet, "  and "+many(int64(left), "more place")+", see --json"))
	}
}

// advancing prints the places at which goroutines move, those with most movement
// first. What merely ran when a dump was taken is only counted.
func (p watchText) advancing() {
	var groups []unpark.WatchGroup
	running := 0
	for _, g := range p.watch.Groups {
		switch {
		case g.Motion != unpark.MotionAdvancing:
		case g.State == "running" || g.State == "runnable":
			running += g.Goroutines
		default:
			groups = append(groups, g)
		}
	}
	if len(groups)+running == 0 {
		return
	}
	slices.SortStableFunc(groups, func(a, b unpark.WatchGroup) int { return b.Came + b.Went - a.Came - a.Went })
	p.head("ADVANCING")
	shown := groups[:min(len(groups), mostGroups)]
	sites := make([][2]unpark.Site, len(shown))
	var rows [][]string
	for i, g := range shown {
		rows = append(rows, []string{units.Count(int64(g.Goroutines)), units.Count(int64(g.Came)), units.Count(int64(g.Went)), escape.Prose(g.State), "", ""})
		sites[i] = [2]unpark.Site{g.Site, g.Created}
	}
	if len(shown) > 0 {
		p.places([]string{"n", "came", "left", "waits for", "at", "created by"}, rows, sites, normal, func(int) {})
	}
	var more []string
	if left := len(groups) - len(shown); left > 0 {
		more = append(more, "and "+many(int64(left), "more place")+", see --json")
	}
	if running > 0 {
		more = append(more, many(int64(running), "goroutine")+" on a processor or about to be")
	}
	if len(more) > 0 {
		p.add(say(quiet, "  "+strings.Join(more, " · ")))
	}
}

// evidence prints why a group is where it is, and which goroutines it is.
func (p watchText) evidence(g unpark.WatchGroup) {
	parts := []string{escape.Prose(g.Why)}
	if len(g.Objects) > 0 {
		text := "on " + escape.Prose(strings.Join(g.Objects[:min(2, len(g.Objects))], ", "))
		if n := len(g.Objects) - 2; n > 0 {
			text += " and more"
		}
		parts = append(parts, text)
	}
	if g.Motion == unpark.MotionStuck {
		var ids []string
		for _, m := range g.Members[:min(4, len(g.Members))] {
			id := strconv.FormatInt(m.ID, 10)
			if len(p.watch.Processes) > 1 {
				id = strconv.Itoa(m.Process) + "/" + id
			}
			ids = append(ids, id)
		}
		word := "goroutines "
		if g.Goroutines == 1 {
			word = "goroutine "
		}
		parts = append(parts, word+strings.Join(ids, ", ")+strings.Join(more(g.Goroutines-len(ids)), ""))
	}
	p.flow(line{say(quiet, "       ")}, say(quiet, strings.Join(parts, " · ")))
}

func more(n int) []string {
	if n <= 0 {
		return nil
	}
	return []string{" and " + units.Count(int64(n)) + " more"}
}
