package agent

import (
	"fmt"
	"html"
	"io"
	"math"
	"net/http"
	"net/url"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"strings"
	"time"
)

// longest bounds an interval; it is far above any use and keeps a number with
// too many digits from wrapping to an instant.
const longest = 24 * time.Hour

// pprof serves /debug/pprof/.
func (a *Agent) pprof(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	switch name := strings.TrimPrefix(r.URL.Path, "/debug/pprof/"); name {
	case "":
		index(w)
	case "profile":
		hz, err := number(query, "hz")
		if err != nil || hz > mostHertz {
			serveError(w, http.StatusBadRequest, fmt.Sprintf("invalid value for \"hz\": %q is no whole number from 0 to %d", query.Get("hz"), mostHertz))
			return
		}
		a.interval(w, r, recorder{
			file: "profile", seconds: query.Get("seconds"), unset: 30 * time.Second, whole: true,
			failed: "Could not enable CPU profiling",
			start:  func(w io.Writer) error { return startCPU(w, hz) }, stop: pprof.StopCPUProfile,
		})
	case "trace":
		a.interval(w, r, recorder{
			file: "trace", seconds: query.Get("seconds"), unset: time.Second,
			failed: "Could not enable tracing",
			start:  trace.Start, stop: trace.Stop,
		})
	default:
		lookup(w, name, query)
	}
}

// mostHertz bounds the samples a second and thread that may be asked for: a signal of the profiler takes some
// microseconds, and no system sends more for each thread.
const mostHertz = 1000

// startCPU starts the CPU profile with so many samples for each second that a thread computes, 0: runtime/pprof's 100.
// There is no other way to ask for more than to set the rate first: StartCPUProfile's own is then refused, which the runtime
// prints to standard error, and the profile's period is that of the rate that was set (runtime/cpuprof.go). On Linux the
// timers of threads are looked at once a tick, so that there are no more than CONFIG_HZ (250 in most kernels).
func startCPU(w io.Writer, hz int) error {
	if hz > 0 {
		runtime.SetCPUProfileRate(hz)
	}
	return pprof.StartCPUProfile(w)
}

// recorder is a kind that is recorded over an interval.
type recorder struct {
	file    string
	seconds string        // as asked for
	unset   time.Duration // when nothing was asked for
	whole   bool          // seconds must be whole, as net/http/pprof has it for the CPU profile
	failed  string
	start   func(io.Writer) error
	stop    func()
}

func (a *Agent) interval(w http.ResponseWriter, r *http.Request, rec recorder) {
	length, err := rec.length()
	if err != nil {
		serveError(w, http.StatusBadRequest, err.Error())
		return
	}
	setDeadline(w, length+slack)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+rec.file+`"`)
	process.open.Add(1)
	defer process.open.Add(-1)
	if err := rec.start(w); err != nil {
		// Nothing was written yet.
		serveError(w, http.StatusInternalServerError, fmt.Sprintf("%s: %s", rec.failed, err))
		return
	}
	defer rec.stop()
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// length reads the seconds. net/http/pprof silently records 30 s of CPU when it
// cannot read them; that is a request that fails here.
func (rec recorder) length() (time.Duration, error) {
	if rec.seconds == "" {
		return rec.unset, nil
	}
	n, err := strconv.ParseFloat(rec.seconds, 64)
	kind := "number"
	if rec.whole {
		kind = "whole number"
	}
	if err != nil || !(n > 0) || n > longest.Seconds() || rec.whole && n != math.Trunc(n) {
		return 0, fmt.Errorf("invalid value for \"seconds\": %q is no positive %s up to %.0f", rec.seconds, kind, longest.Seconds())
	}
	return time.Duration(n * float64(time.Second)), nil
}

// lookup serves a profile that is read at one instant.
func lookup(w http.ResponseWriter, name string, query url.Values) {
	p := pprof.Lookup(name)
	if p == nil {
		serveError(w, http.StatusNotFound, "Unknown profile")
		return
	}
	if query.Get("seconds") != "" {
		serveError(w, http.StatusBadRequest,
			"\"seconds\" is not served for "+name+": read it twice and subtract, as unpark does (go tool pprof: -base)")
		return
	}
	debug, err := number(query, "debug")
	if err != nil {
		serveError(w, http.StatusBadRequest, err.Error())
		return
	}
	gc, err := number(query, "gc")
	if err != nil {
		serveError(w, http.StatusBadRequest, err.Error())
		return
	}
	if name == "heap" && gc > 0 {
		runtime.GC()
	}
	if debug != 0 {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	} else {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", `attachment; filename="`+url.PathEscape(name)+`"`)
	}
	// An error here is the client's: the status is out, and the missing end of
	// the gzip stream tells it.
	costed(w, func() { _ = p.WriteTo(w, debug) })
}

// number reads a whole number of 0 or more from a query, 0 when it is not there.
func number(query url.Values, name string) (int, error) {
	text := query.Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("invalid value for %q: %q is no whole number of 0 or more", name, text)
	}
	return n, nil
}

func index(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	var b strings.Builder
	b.WriteString("<html><head><title>/debug/pprof/</title></head><body>\n<table>\n")
	for _, p := range pprof.Profiles() {
		fmt.Fprintf(&b, "<tr><td>%d</td><td><a href=\"%s?debug=1\">%s</a></td></tr>\n",
			p.Count(), url.PathEscape(p.Name()), html.EscapeString(p.Name()))
	}
	b.WriteString("<tr><td></td><td><a href=\"profile?seconds=15\">profile</a></td></tr>\n" +
		"<tr><td></td><td><a href=\"trace?seconds=1\">trace</a></td></tr>\n" +
		"</table>\n<a href=\"goroutine?debug=2\">full goroutine stack dump</a>\n</body></html>\n")
	_, _ = io.WriteString(w, b.String())
}
