package dump

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// TooFew is the code of the warning that nothing can be said yet.
const TooFew = "few-dumps"

// document puts together what the watch has seen.
func (w *watch) document(partial string) unpark.Watch {
	var all []*settled
	for i, p := range w.processes {
		all = append(all, settle(p, i))
	}
	out := join(all)
	out.Started, out.Every, out.Unpark, out.Partial = w.start, w.Every.Seconds(), w.Version, partial
	out.Processes = w.out
	fewestSeen := -1
	for i, p := range w.processes {
		out.Seconds = max(out.Seconds, p.span())
		if fewestSeen < 0 || p.dumps() < fewestSeen {
			fewestSeen = p.dumps()
		}
		w.warn(i, p)
	}
	if fewestSeen < fewest {
		w.warnings = append(w.warnings, unpark.Notice{
			Code: TooFew, Message: sentence("it takes %d dumps to call a goroutine stuck, and there is a process with %d", fewest, fewestSeen),
			Cure: "watch for longer",
		})
	} else if unproven(out) {
		w.warnings = append(w.warnings, unpark.Notice{
			Code:    "short",
			Message: "what did not move could have moved between two dumps and come back: the runtime's own wait times tell from a minute on",
			Cure:    "watch for 1m or longer",
		})
	}
	out.Warnings = w.warnings
	return out
}

// unproven reports whether a goroutine is called stuck that the runtime has not
// confirmed.
func unproven(w unpark.Watch) bool {
	for _, g := range w.Groups {
		if g.Motion == unpark.MotionStuck && g.Proven < g.Goroutines {
			return true
		}
	}
	return false
}

// warn says what is missing of one process.
func (w *watch) warn(i int, p *process) {
	name := w.out[i].Endpoint
	note := func(code, cure, format string, args ...any) {
		w.warnings = append(w.warnings, unpark.Notice{Code: code, Message: name + ": " + sentence(format, args...), Cure: cure})
	}
	if most := w.mostListed(i); most > 0 && w.Sources[i].Living > moreThan*float64(most) {
		note("some-goroutines", sentence("unpark attach --pid %d draws from all of them by chance", w.out[i].PID),
			"it has about %s goroutines, of which a dump lists %s at most: what is told is of those, and nothing is known of the others",
			units.Say(w.Sources[i].Living, ""), units.Say(float64(most), ""))
	}
	truncated, broken, failed, last := 0, 0, 0, ""
	for _, d := range w.out[i].Dumps {
		if d.Truncated {
			truncated++
		}
		broken += d.Broken
		if d.Error != "" {
			failed, last = failed+1, d.Error
		}
	}
	if truncated > 0 {
		note("truncated", "count goroutines with /debug/pprof/goroutine?debug=1", "%s cut off, at 64 MB by net/http/pprof or on the way: goroutines are missing", counted(truncated, "dump"))
	}
	if broken > 0 {
		note("unreadable", "keep a dump and report it: curl .../debug/pprof/goroutine?debug=2", "%s could not be read", counted(broken, "goroutine"))
	}
	if failed > 0 {
		note("missing-dumps", "see whether the process still runs", "%s failed; the last error: %s", counted(failed, "dump"), last)
	}
	if p.restarts > 0 {
		note("another-process", "name the endpoint of one process, not of a balancer in front of several", "another process answered %s: only what came after the last time counts", counted(p.restarts, "time"))
	}
}

// moreThan is by how much goroutines that were drawn have to be more than those that were listed: the draw is within 3 %, and
// goroutines come and go meanwhile.
const moreThan = 1.2

// mostListed is how many goroutines the longest dump of a process has.
func (w *watch) mostListed(i int) int {
	n := 0
	for _, d := range w.out[i].Dumps {
		n = max(n, d.Goroutines)
	}
	return n
}
