package search

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// Level is one level of a sweep with the load that was measured at it. All levels
// of one sweep differ in connections, or all in rate.
type Level struct {
	At   unpark.Level
	Load unpark.Load
}

// KneeOf finds the knee of a sweep. It is the lowest level from which the way to
// every higher one gains less than half of the throughput per added connection
// (or per added req/s) that the first level gained from nothing, while the mean
// response at each higher level is longer. In a closed loop the second follows
// from the first (Little: connections = throughput × response); asking for both
// keeps a knee from being read into noise.
//
// The rule compares chords and not neighbours, so one level that was measured
// badly makes no knee, and it needs no scaling of the axes, unlike the curvature of
// Satopää et al. ("Finding a Kneedle in a Haystack", 2011), whose answer depends
// on how far the sweep went. Levels measured several times count with their
// medians. False means that there is no knee within the sweep, or fewer than
// three levels.
func KneeOf(levels []Level) (unpark.Knee, bool) {
	points := kneePoints(levels)
	if len(points) < kneeLevels {
		return unpark.Knee{}, false
	}
	first, last := points[0], points[len(points)-1]
	gain := first.rate / first.at
	for i, p := range points[:len(points)-1] {
		if !bends(p, points[i+1:], gain) {
			continue
		}
		b := bend{at: p, last: last, before: gain, after: (last.rate - p.rate) / (last.at - p.at), first: i == 0}
		return unpark.Knee{Level: p.level, Text: b.String()}, true
	}
	return unpark.Knee{}, false
}

// bend is a knee with the figures that make it one.
type bend struct {
	at, last      point
	before, after float64 // req/s for each connection, or for each req/s offered: up to the first level, and from the knee on
	first         bool    // it is the lowest level: it may be below
}

// point is a level of a sweep, on its axis.
type point struct {
	level             unpark.Level
	at, rate, latency float64
}

func bends(p point, later []point, gain float64) bool {
	for _, q := range later {
		if q.rate-p.rate >= halfGain*gain*(q.at-p.at) || q.latency <= p.latency {
			return false
		}
	}
	return later[len(later)-1].latency > moreThan*p.latency
}

// kneePoints sorts the levels and takes medians of those that were repeated.
// Levels without an answer say nothing about latency and are left out.
func kneePoints(levels []Level) []point {
	var sorted []Level
	for _, l := range levels {
		if perLevel(l.At) > 0 && l.Load.Response.N > 0 && l.Load.AchievedRPS > 0 {
			sorted = append(sorted, l)
		}
	}
	slices.SortStableFunc(sorted, func(a, b Level) int { return cmp.Compare(perLevel(a.At), perLevel(b.At)) })
	var out []point
	for len(sorted) > 0 {
		at := perLevel(sorted[0].At)
		var rates, latencies []float64
		n := 0
		for n < len(sorted) && perLevel(sorted[n].At) == at {
			rates = append(rates, sorted[n].Load.AchievedRPS)
			latencies = append(latencies, sorted[n].Load.Response.Mean)
			n++
		}
		out = append(out, point{sorted[0].At, at, stats.Quantile(rates, 0.5), stats.Quantile(latencies, 0.5)})
		sorted = sorted[n:]
	}
	return out
}
