package report

import (
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// deadlocks prints the candidates for deadlocks with their evidence.
func (p watchText) deadlocks() {
	if len(p.watch.Deadlocks) == 0 {
		return
	}
	p.head("DEADLOCK CANDIDATES")
	for _, d := range p.watch.Deadlocks {
		spans := []span{say(alarm, escape.Prose(d.Title)), say(quiet, " · "), whole(quiet, many(int64(d.Count), "goroutine")), say(quiet, " · "), whole(quiet, escape.Prose(string(d.Certainty)))}
		p.flow(line{say(normal, "  ")}, append(spans, p.process(d.Process)...)...)
		for _, e := range d.Evidence {
			p.flow(line{say(quiet, "     - ")}, say(normal, escape.Prose(e)))
		}
	}
}

// process names a process where there are several.
func (p watchText) process(i int) []span {
	all := p.watch.Processes
	if len(all) < 2 || i < 0 || i >= len(all) {
		return nil
	}
	return []span{say(quiet, " · "), say(quiet, escape.Prose(all[i].Endpoint))}
}

// mostLinks is how many steps of the chain a reader is shown.
const mostLinks = 12

// links prints waiters and holders.
func (p watchText) links() {
	all := p.watch.Links
	if len(all) == 0 {
		return
	}
	p.head("WAITERS AND HOLDERS")
	for _, l := range all[:min(len(all), mostLinks)] {
		spans := []span{
			say(normal, goroutines(l.From, l.FromCount)), say(quiet, " at "), whole(place, shortSite(l.Site)), say(quiet, " → "), whole(strong, escape.Prose(l.Object)),
		}
		if len(l.To) > 0 {
			spans = append(spans, say(quiet, " → "), say(normal, goroutines(l.To, l.ToCount)), say(quiet, " at "), whole(place, shortSite(l.ToSite)))
		} else {
			spans = append(spans, say(quiet, " → "), say(normal, "holder not known"))
		}
		p.flow(line{say(normal, "  ")}, append(spans, p.process(l.Process)...)...)
		p.flow(line{say(quiet, "       ")}, say(quiet, escape.Prose(string(l.Certainty)+": "+l.Why)))
	}
	if left := len(all) - mostLinks; left > 0 {
		p.add(say(quiet, "  and "+units.Count(int64(left))+" more, see --json"))
	}
}

// goroutines names a few of many.
func goroutines(ids []int64, n int) string {
	const most = 3
	var names []string
	for _, id := range ids[:min(most, len(ids))] {
		names = append(names, strconv.FormatInt(id, 10))
	}
	word := "goroutines "
	if n == 1 {
		word = "goroutine "
	}
	return word + strings.Join(names, ", ") + strings.Join(more(n-len(names)), "")
}

// leaks prints the places at which goroutines only gather.
func (p watchText) leaks() {
	all := p.watch.Leaks
	if len(all) == 0 {
		return
	}
	p.head("LEAK CANDIDATES")
	shown := all[:min(len(all), mostGroups)]
	var rows [][]string
	sites := make([][2]unpark.Site, len(shown))
	for i, l := range shown {
		grew := units.Count(int64(l.First)) + " → " + units.Count(int64(l.Last))
		rows = append(rows, []string{grew, age(l.Oldest), escape.Prose(l.State), "", ""})
		sites[i] = [2]unpark.Site{l.Site, l.Created}
	}
	p.places([]string{"n", "age", "waits for", "at", "created by"}, rows, sites, caution, func(i int) {
		l := shown[i]
		parts := []string{escape.Prose(string(l.Certainty) + ": " + l.Why)}
		if l.Leaked > 0 {
			parts = append(parts, units.Count(int64(l.Leaked))+" leaked")
		}
		if v, ok := l.PerSecond.Get(); ok && v > 0 {
			parts = append(parts, units.Figure(v, "count")+" a second")
		}
		p.flow(line{say(quiet, "       ")}, say(quiet, strings.Join(parts, " · ")))
	})
	if left := len(all) - len(shown); left > 0 {
		p.add(say(quiet, "  and "+units.Count(int64(left))+" more, see --json"))
	}
}
