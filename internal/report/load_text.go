package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// loadText prints the sections of a load on its page.
type loadText struct {
	*page
	run LoadRun
}

func loadPage(r LoadRun) *page {
	p := loadText{&page{}, r}
	p.banners(r.Void, r.Partial)
	p.searched()
	p.reached()
	p.levels()
	p.blank()
	p.latencies()
	if parts := precisionParts(r.Load.Precision); len(parts) > 0 {
		p.blank()
		p.row(row{"p99", parts})
	}
	p.distribution()
	p.answers()
	p.agents(r.Agents)
	p.notices("WARNINGS", caution, r.Warnings)
	return p.page
}

// reached says what the load came to, then what it was.
func (p loadText) reached() {
	r, l, t := p.run, p.run.Load, strong
	if len(r.Void) > 0 {
		t = quiet
	}
	speed := perSecond(l.AchievedRPS) + " req/s"
	if l.Mode.Open() {
		speed = perSecond(l.AchievedRPS) + " of " + perSecond(l.OfferedRPS) + " req/s offered"
	}
	failed := whole(good, "no errors")
	if l.Errors > 0 {
		failed = whole(alarm, many(l.Errors, "error")+" ("+units.Percent(l.FailedShare().Or(0))+")")
	}
	p.flow(line{say(heading, "REACHED"), say(normal, "  ")},
		whole(t, speed), say(quiet, " · "),
		whole(t, many(l.Requests, "request")+" in "+units.Figure(l.Seconds, "s")), say(quiet, " · "), failed)
	plan := r.Plan
	if len(r.Levels) > 0 && plan.Mode != unpark.Sweep {
		plan.Mode = unpark.Sweep
	}
	if parts := loadParts(unpark.Run{Plan: plan}); len(parts) > 0 {
		p.row(row{"load", parts})
	}
}

// perSecond prints a rate as a whole number where three digits would hide what
// was lost.
func perSecond(v float64) string {
	if v < 100 || math.IsInf(v, 0) || math.IsNaN(v) {
		return units.Figure(v, "")
	}
	return units.Count(int64(math.Round(v)))
}

func many(n int64, noun string) string { return unpark.Plural(units.Count(n), noun) }

// levels prints one row for each level of a sweep.
func (p loadText) levels() {
	r := p.run
	if len(r.Levels) == 0 {
		return
	}
	p.head("LEVELS")
	var rows [][]string
	var tones []tone
	for _, l := range r.Levels {
		cells := []string{levelText(l.Level), perSecond(l.Load.AchievedRPS)}
		cells = append(cells, pick(l.Load.Response, "p50", "p90", "p99", "p99.9", "max")...)
		cells = append(cells, units.Count(l.Load.Errors), coresOnly(l.Load.GeneratorCPU))
		t, mark := normal, ""
		if len(l.Void) > 0 {
			t, mark = quiet, "void"
		}
		rows, tones = append(rows, append(cells, mark)), append(tones, t)
	}
	p.table(2, []string{"level", "req/s", "p50", "p90", "p99", "p99.9", "max", "errors", "own cores", ""}, rows, tones)
	if parts := scalingParts(r.Scaling); len(parts) > 0 {
		p.blank()
		p.row(row{"scaling", parts})
	}
	if len(r.Levels) > 1 {
		best := slices.IndexFunc(r.Levels, func(l LoadLevel) bool { return l.Load.AchievedRPS == r.Load.AchievedRPS })
		if best >= 0 {
			p.blank()
			p.add(say(quiet, "  figures below: "+levelText(r.Levels[best].Level)+", the highest throughput"))
		}
	}
}

// latencies prints the three times side by side.
func (p loadText) latencies() {
	l := p.run.Load
	names := []string{"p50", "p90", "p95", "p99", "p99.9", "p99.99", "max", "mean", "n"}
	var rows [][]string
	for _, t := range []struct {
		name string
		of   unpark.Latency
	}{{"response", l.Response}, {"service", l.Service}, {"lag", l.Lag}} {
		rows = append(rows, append([]string{t.name}, pick(t.of, names...)...))
	}
	p.table(2, append([]string{"        "}, names...), rows, []tone{strong, normal, normal})
}

// pick returns the named figures of a latency; all but n are unknown when
// nothing was recorded.
func pick(l unpark.Latency, names ...string) []string {
	of := map[string]float64{
		"p50": l.P50, "p90": l.P90, "p95": l.P95, "p99": l.P99, "p99.9": l.P999, "p99.99": l.P9999, "max": l.Max, "mean": l.Mean,
	}
	out := make([]string, len(names))
	for i, name := range names {
		switch {
		case name == "n":
			out[i] = units.Count(l.N)
		case l.N == 0:
			out[i] = units.Unknown
		default:
			out[i] = units.Figure(of[name], "s")
		}
	}
	return out
}

// answers says what came back and what sending cost.
func (p loadText) answers() {
	l := p.run.Load
	p.blank()
	var status []string
	for _, code := range keys(l.Status) {
		status = append(status, escape.Prose(code)+" × "+units.Count(l.Status[code]))
	}
	var body []string
	if size, ok := l.BytesPerResponse.Get(); ok {
		body = append(body, units.Figure(size, "B")+" per answer", units.Figure(size*l.AchievedRPS, "B/s"))
	}
	var own []string
	if cores, ok := l.GeneratorCPU.Get(); ok {
		own = append(own, units.Figure(cores, "cores"))
		if l.Requests > 0 {
			own = append(own, units.Figure(1e6*cores*l.Seconds/float64(l.Requests), "")+" CPU-s per million requests")
		}
	}
	if l.OwnLag.N > 0 {
		own = append(own, "own lag p50 "+units.Figure(l.OwnLag.P50, "s")+", p99 "+units.Figure(l.OwnLag.P99, "s"))
	}
	if l.Late > 0 {
		own = append(own, units.Count(l.Late)+" sent late")
	}
	for _, r := range compact([]row{{"status", status}, {"errors", failures(l)}, {"bodies", body}, {"generator", own}}) {
		p.row(r)
	}
}

// failures is empty when every request was answered as expected.
func failures(l unpark.Load) []string {
	var out []string
	for _, k := range keys(l.ErrorKinds) {
		out = append(out, escape.Prose(k)+" × "+units.Count(l.ErrorKinds[k]))
	}
	if l.Unfinished > 0 {
		out = append(out, units.Count(l.Unfinished)+" unfinished")
	}
	if l.ErrorSample != "" {
		out = append(out, "first: "+escape.Prose(l.ErrorSample))
	}
	return out
}

// mostBars and barWidth bound the drawing of a distribution.
const (
	mostBars = 12
	barWidth = 44
)

// distribution draws a latency on a logarithmic axis. What lies above the p99.9
// is one row: a single outlier would squeeze all the rest.
func (p loadText) distribution() {
	l := p.run.Load.Response
	bars := merged(l)
	if len(bars) < 2 {
		return
	}
	most := slices.MaxFunc(bars, func(a, b unpark.Bucket) int { return int(a.Count - b.Count) }).Count
	p.head("RESPONSE TIME")
	edges := make([]string, len(bars))
	counts := make([]string, len(bars))
	for i, b := range bars {
		edges[i], counts[i] = units.Figure(b.Le, "s"), units.Count(b.Count)
	}
	edge, n := widest(edges), widest(counts)
	below := 0.0
	for i, b := range bars {
		text := fmt.Sprintf("  ≤ %*s  %8s  %*s  ", edge+len(edges[i])-width(edges[i]), edges[i], units.Percent(float64(b.Count)/float64(l.N)), n, counts[i])
		spans := []span{say(normal, text), say(place, block(b.Count, most))}
		if m := marks(l, below, b.Le); m != "" {
			spans = append(spans, say(quiet, " "+m))
		}
		p.add(spans...)
		below = b.Le
	}
}

// merged joins neighbouring buckets into at most mostBars, the last of them for
// what is above the p99.9.
func merged(l unpark.Latency) []unpark.Bucket {
	cut := slices.IndexFunc(l.Buckets, func(b unpark.Bucket) bool { return b.Le >= l.P999 })
	if cut < 0 {
		cut = len(l.Buckets) - 1
	}
	per := (cut + mostBars - 1) / (mostBars - 1)
	var out []unpark.Bucket
	for i, b := range l.Buckets {
		switch {
		case i > cut+1, i <= cut && i%per > 0:
			last := &out[len(out)-1]
			last.Le, last.Count = b.Le, last.Count+b.Count
		default:
			out = append(out, b)
		}
	}
	return out
}

// block draws n of most in eighths of a column; what is there at all is seen.
func block(n, most int64) string {
	if n == 0 || most == 0 {
		return ""
	}
	eighths := max(1, int(math.Round(8*barWidth*float64(n)/float64(most))))
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}

// marks names the percentiles that lie in a bar.
func marks(l unpark.Latency, above, to float64) string {
	var out []string
	for _, q := range []struct {
		name string
		at   float64
	}{{"p50", l.P50}, {"p90", l.P90}, {"p99", l.P99}, {"p99.9", l.P999}, {"max", l.Max}} {
		if q.at > above && q.at <= to {
			out = append(out, q.name)
		}
	}
	return strings.Join(out, " ")
}

func widest(all []string) int {
	w := 0
	for _, s := range all {
		w = max(w, width(s))
	}
	return w
}
