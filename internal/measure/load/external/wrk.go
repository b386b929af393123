package external

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// wrkReport is the text that wrk 4 prints, with or without --latency (src/wrk.c,
// src/units.c), and wrk2, which has the same form. Times are in seconds.
type wrkReport struct {
	requests, length    unpark.Number
	rps                 unpark.Number
	connections         unpark.Number
	mean, max           unpark.Number
	quantiles           map[string]unpark.Number // "50": seconds
	connect, read       unpark.Number
	write, timeout      unpark.Number
	statuses            unpark.Number // answers of 400 and above
	wrk2, thread, ended bool
}

// readWrk returns nil for what is no report of wrk. Of several the last counts.
func readWrk(out []byte) (*Result, error) {
	text := string(out)
	if i := strings.LastIndex(text, "Running "); i >= 0 {
		text = text[i:]
	}
	w := wrkReport{quantiles: map[string]unpark.Number{}}
	for line := range strings.Lines(text) {
		w.line(strings.TrimSpace(line))
	}
	if !w.thread || !w.ended {
		return nil, nil
	}
	tool := "wrk"
	if w.wrk2 {
		tool = "wrk2"
	}
	l, err := w.load()
	if err != nil {
		return nil, fmt.Errorf("%s's report: %w", tool, err)
	}
	q := w.quantiles
	quantiles := latency{unit: 1, mean: w.mean, p50: q["50"], p90: q["90"], p95: q["95"], p99: q["99"], p999: q["99.9"], p9999: q["99.99"], max: w.max, n: l.Requests}
	var missing []string
	if mean, ok := w.little(l.AchievedRPS); ok && !w.wrk2 {
		quantiles.mean = unpark.Num(mean)
		missing = append(missing, fmt.Sprintf("the mean is connections ÷ rate: wrk's own (%s) counts what it filled in", span(w.mean.Or(0))))
	}
	summary, lacks, err := quantiles.settle(tool, "run it with --latency")
	if err != nil {
		return nil, err
	}
	l.Response, l.Service = summary, summary
	missing = append(append(lacks, missing...), tool+" counts no statuses, only answers of 400 and above, and does not print the body's size")
	return &Result{Tool: tool, Load: l, Missing: append(missing, w.omission())}, nil
}

// omission says what the quantiles are worth.
func (w wrkReport) omission() string {
	if w.wrk2 {
		return "wrk2 counts from the intended start, but prints no time from the sending (unless -U): service times are unknown, and stand for the response times"
	}
	return "wrk sends the next request when the one before is answered: what a stall held back was not sent (coordinated omission), wrk fills in one for each mean interval of a connection: its p99 is a guess about stalls"
}

// little returns connections ÷ rate: in a closed loop without think time the mean
// latency (Little's law). wrk's own mean counts the latencies that stats_correct
// (src/stats.c) fills in after each request of twice the mean interval or longer,
// which on a fast service nearly doubles it. It is never below the truth: a script
// that delays requests, or a connection that failed, makes it longer.
func (w wrkReport) little(rps float64) (float64, bool) {
	n, known := positive(w.connections).Get()
	own, printed := positive(w.mean).Get()
	if !known || !printed || rps <= 0 || n/rps >= own {
		return 0, false
	}
	return n / rps, true
}

// line takes one line of the report, without the spaces around it.
func (w *wrkReport) line(line string) {
	f := strings.Fields(line)
	switch {
	case len(f) >= 5 && f[1] == "threads" && f[4] == "connections":
		w.connections = plainNumber(f[3])
	case strings.HasPrefix(line, "Thread Stats"):
		w.thread = true
	case strings.HasPrefix(line, "Latency Distribution (HdrHistogram"):
		w.wrk2 = true
	case strings.HasPrefix(line, "Latency") && len(f) >= 4 && w.thread && !w.mean.Known():
		w.mean, w.max = duration(f[1]), duration(f[3])
	case len(f) == 2 && strings.HasSuffix(f[0], "%"):
		w.quantile(strings.TrimSuffix(f[0], "%"), duration(f[1]))
	case len(f) >= 4 && f[1] == "requests" && f[2] == "in":
		w.requests, w.length = plainNumber(f[0]), duration(strings.TrimSuffix(f[3], ","))
	case strings.HasPrefix(line, "Socket errors:"):
		w.sockets(line)
	case strings.HasPrefix(line, "Non-2xx or 3xx responses:"):
		w.statuses = plainNumber(f[len(f)-1])
	case strings.HasPrefix(line, "Requests/sec:") && len(f) == 2:
		w.rps, w.ended = plainNumber(f[1]), true
	}
}

// quantile takes "50" of wrk and "50.000" of wrk2. wrk2 can print a second
// distribution (-U, uncorrected): the first one counts.
func (w *wrkReport) quantile(name string, v unpark.Number) {
	p, err := strconv.ParseFloat(name, 64)
	if err != nil {
		return
	}
	name = strconv.FormatFloat(p, 'f', -1, 64)
	if _, have := w.quantiles[name]; !have {
		w.quantiles[name] = v
	}
}

// sockets takes "Socket errors: connect 0, read 3, write 0, timeout 12".
func (w *wrkReport) sockets(line string) {
	_, list, _ := strings.Cut(line, ":")
	for part := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), " ")
		n := plainNumber(value)
		switch name {
		case "connect":
			w.connect = n
		case "read":
			w.read = n
		case "write":
			w.write = n
		case "timeout":
			w.timeout = n
		}
	}
}

func (w wrkReport) load() (unpark.Load, error) {
	l := newLoad()
	for _, e := range []struct {
		kind string
		n    unpark.Number
	}{{"connect", w.connect}, {"read", w.read}, {"write", w.write}, {"timeout", w.timeout}, {"status", w.statuses}} {
		n, err := count(e.n)
		if err != nil {
			return l, fmt.Errorf("%s: %w", e.kind, err)
		}
		addError(&l, e.kind, n)
	}
	n, err := count(w.requests)
	if err != nil {
		return l, fmt.Errorf("requests: %w", err)
	}
	// The run's length is printed with three digits, its rate with more.
	l.Requests, l.AchievedRPS = n, max(0, w.rps.Or(0))
	l.OfferedRPS = l.AchievedRPS
	l.Seconds = unpark.Ratio(float64(n), l.AchievedRPS).Or(max(0, w.length.Or(0)))
	return l, nil
}

// plainNumber reads digits.
func plainNumber(text string) unpark.Number {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return unpark.Number{}
	}
	return unpark.Num(v)
}

// duration reads a time as format_time_us of wrk's src/units.c prints it.
func duration(text string) unpark.Number {
	for _, u := range []struct {
		suffix  string
		seconds float64
	}{{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}} {
		if digits, ok := strings.CutSuffix(text, u.suffix); ok {
			v, err := strconv.ParseFloat(digits, 64)
			if err != nil {
				return unpark.Number{}
			}
			return unpark.Num(v * u.seconds)
		}
	}
	return unpark.Number{}
}
