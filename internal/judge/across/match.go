package across

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
)

// Request is one request of a service in its execution trace, with the trace of the load that it
// belongs to; "" where it did not say. Times are in seconds.
type Request struct {
	Trace  string
	Wall   float64
	States []State
}

// State is what a request did, or waited for, in all.
type State struct {
	Class unpark.WaitClass
	Site  unpark.Site // zero for a state without a place
	Time  float64
}

// Match joins requests of a caller to those of a callee by their traces, one by one, and puts what
// that shows into a join. Left is returned as it was where too few are in both: the service does
// not hand the header on, or is not marked.
func Match(caller, callee []Request, name string, left unpark.Join) unpark.Join {
	by := map[string][]Request{}
	ours, all := 0.0, 0.0
	for _, r := range callee {
		all += r.Wall
		if r.Trace != "" {
			by[r.Trace] = append(by[r.Trace], r)
			ours += r.Wall
		}
	}
	var found []Request
	for _, r := range caller {
		if r.Trace != "" && len(by[r.Trace]) > 0 {
			found = append(found, r)
		}
	}
	if len(found) < enoughMatched {
		return left
	}
	j := left
	j.How, j.Unsure = unpark.ByTraceparent, ""
	if ours < mine*all {
		j.Unsure = fmt.Sprintf("%.0f %% of the time of %s's requests is not of the run's: what it does for others cannot be told apart", 100*(1-ours/all), name)
	}
	slices.SortFunc(found, func(a, b Request) int { return cmp.Compare(b.Wall, a.Wall) })
	sum := func(some []Request) (wall, inside, calls float64) {
		for _, r := range some {
			wall += r.Wall
			for _, c := range by[r.Trace] {
				inside, calls = inside+c.Wall, calls+1
			}
		}
		return wall, inside, calls
	}
	wall, inside, calls := sum(found)
	n := float64(len(found))
	j.Calls = unpark.Between(calls/n, calls/n*(1-wider), calls/n*(1+wider), "requests/req", int64(n))
	j.Wall = unpark.Between(inside/calls, inside/calls*(1-wider), inside/calls*(1+wider), "s", int64(calls))
	if inside > overlapping*wall {
		j.Unsure = fmt.Sprintf("the requests of %s take %.2g times as long as those that make them: they are made at the same time, or in the background", name, inside/wall)
	}
	slow := found[:max(fewestSlow, int(slowestPart*n))]
	wall, inside, _ = sum(slow)
	if !j.Tail.Known() {
		j.Tail = unpark.Num(min(1, inside/wall))
	}
	share := map[unpark.Cause]float64{}
	for _, r := range slow {
		for _, c := range by[r.Trace] {
			for _, s := range c.States {
				share[unpark.Cause{Class: s.Class, Site: s.Site}] += s.Time / wall
			}
		}
	}
	j.Causes = largestCauses(share, 1)
	return j
}
