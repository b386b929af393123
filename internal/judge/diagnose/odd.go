package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/units"
)

// figure is what processes of one service are compared by.
type figure struct {
	of   func(unpark.Process, float64) unpark.Number // of a process, in a window of so many seconds
	say  string
	unit string
	cure string
}

// figures are those that say why a process is slower than its like.
func figures() []figure {
	return []figure{
		{
			func(p unpark.Process, _ float64) unpark.Number { return p.Answered }, "answers", "req/s",
			"see how requests are spread over processes: a hot shard, sticky connections, a balancer's weights",
		},
		{
			func(p unpark.Process, s float64) unpark.Number { return unpark.Ratio(p.Throttled.Or(0), s) }, "is stopped by its CPU limit for", "ratio",
			"compare its CPU limit with that of the others",
		},
		{
			func(p unpark.Process, _ float64) unpark.Number { return p.GCShare }, "has its collector take", "ratio",
			"compare its GOGC, GOMEMLIMIT and heap with those of the others",
		},
		{
			func(p unpark.Process, _ float64) unpark.Number {
				if v, ok := p.Answered.Get(); ok && p.Cores.Known() {
					return unpark.Ratio(p.Cores.Or(0), v)
				}
				return unpark.Number{}
			}, "takes CPU per request of", "s",
			"look whether it is asked for other things than the others, and compare its profile with one of theirs: unpark compare",
		},
	}
}

// odd names the process of a service that answers slower than its like, and by what else it
// differs from them. Three or more are compared by their median and the median of the distances
// from it; of two it is only told that they differ, not which is wrong.
func odd(w unpark.Window) []unpark.Notice {
	all := slices.DeleteFunc(slices.Clone(w.Processes), func(p unpark.Process) bool { return p.State != "" && p.State != "whole" })
	wall := func(p unpark.Process) unpark.Number { return p.Wall }
	at, slower := apart(all, wall)
	if at < 0 {
		return otherBuilds(all)
	}
	p, rest := all[at], slices.Delete(slices.Clone(all), at, at+1)
	middle := medianOf(rest, wall)
	text := fmt.Sprintf("process %d is the odd one of %d: a request takes %s in it, and %s in the others", p.PID, len(all), units.Say(p.Wall.Or(0), "s"), units.Say(middle, "s"))
	if len(all) == 2 {
		text = fmt.Sprintf("the two processes differ: a request takes %s in process %d, and %s in process %d", units.Say(p.Wall.Or(0), "s"), p.PID, units.Say(middle, "s"), rest[0].PID)
	}
	if !slower {
		return otherBuilds(all)
	}
	var why, cures []string
	if b, other := p.Build, commonBuild(rest); b != "" && other != "" && b != other {
		why = append(why, fmt.Sprintf("it is another build (%s, the others %s)", b, other))
		cures = append(cures, "run one version, or compare the two: unpark ab")
	}
	for _, f := range figures() {
		of := func(p unpark.Process) unpark.Number { return f.of(p, w.Seconds()) }
		v, ok := of(p).Get()
		base := medianOf(rest, of)
		if !ok || math.IsNaN(base) || !differs(v, base, f.unit) {
			continue
		}
		why = append(why, fmt.Sprintf("it %s %s, the others %s", f.say, units.Say(v, f.unit), units.Say(base, f.unit)))
		cures = append(cures, f.cure)
	}
	cure := "compare its profile with one of the others: unpark diagnose on the files of each; where they are on machines of their own, look at steal and neighbours there"
	if len(why) > 0 {
		text += "; " + strings.Join(why, "; ")
		cure = cures[0]
	}
	return []unpark.Notice{{Code: "odd-process", Message: text, Cure: cure}}
}

// differs reports whether a figure is far enough from that of the others to be told as a reason.
func differs(v, others float64, unit string) bool {
	if unit == "ratio" {
		return v-others >= oddShare
	}
	return v >= (1+oddBy)*others
}

// apart finds the process whose figure is farthest from that of its like, if it is far: its index,
// −1 for none, and whether it is above them.
func apart(all []unpark.Process, of func(unpark.Process) unpark.Number) (at int, above bool) {
	var values []float64
	for _, p := range all {
		v, ok := of(p).Get()
		if !ok {
			return -1, false
		}
		values = append(values, v)
	}
	if len(values) < 2 {
		return -1, false
	}
	at = 0
	middle := middleOf(values)
	for i, v := range values {
		if math.Abs(v-middle) > math.Abs(values[at]-middle) || len(values) == 2 && v > values[at] {
			at = i
		}
	}
	if len(values) == 2 {
		return atLeast(at, values[at] >= (1+oddBy)*values[1-at]), true
	}
	var distances []float64
	for _, v := range values {
		distances = append(distances, math.Abs(v-middle))
	}
	far := max(oddDeviations*normalMAD*middleOf(distances), oddBy*middle)
	return atLeast(at, math.Abs(values[at]-middle) >= far), values[at] > middle
}

func atLeast(at int, is bool) int {
	if is {
		return at
	}
	return -1
}

// medianOf is the median of what is known; NaN of nothing.
func medianOf(all []unpark.Process, of func(unpark.Process) unpark.Number) float64 {
	var values []float64
	for _, p := range all {
		if v, ok := of(p).Get(); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return math.NaN()
	}
	return middleOf(values)
}

// commonBuild is the build of most processes.
func commonBuild(all []unpark.Process) string {
	count := map[string]int{}
	for _, p := range all {
		if p.Build != "" {
			count[p.Build]++
		}
	}
	most := ""
	for b, n := range count {
		if n > count[most] || n == count[most] && b < most {
			most = b
		}
	}
	return most
}

// otherBuilds tells of processes that are of another build than most, and no slower for it.
func otherBuilds(all []unpark.Process) []unpark.Notice {
	common := commonBuild(all)
	var others []unpark.Process
	for _, p := range all {
		if p.Build != "" && p.Build != common {
			others = append(others, p)
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.SortFunc(others, func(a, b unpark.Process) int { return cmp.Compare(a.PID, b.PID) })
	return []unpark.Notice{{
		Code:    "builds-differ",
		Message: fmt.Sprintf("the processes are not of one build: process %d is %s, most are %s", others[0].PID, others[0].Build, common),
		Cure:    "measure one version at a time; to compare two, unpark ab takes turns",
	}}
}

// middleOf is the median.
func middleOf(v []float64) float64 { return stats.Quantile(v, 0.5) }
