package probe

import (
	"context"
	"net/http"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"time"

	"github.com/unpark-go/unpark/probe/agent"
)

// Names that a reader of profiles and traces finds requests by.
const (
	// LabelRoute is the profile label that holds a request's route.
	LabelRoute = "route"
	// RegionRequest is the type of the trace region around a request. It belongs
	// to a task of its own whose type is the route.
	RegionRequest = "request"
	// HeaderSent is a request header with the instant at which the client meant to
	// send the request, in nanoseconds since 1970 by the clock of the same machine.
	HeaderSent = "Unpark-Sent"
	// LogAge is the category of the trace log in a request's task that holds how
	// old the request was when its handler began, in nanoseconds: the time that it
	// spent in the client, in the kernel and before the middleware. Only a request
	// with HeaderSent has it.
	LogAge = "unpark.age"
	// HeaderTrace is the request header of a W3C trace context.
	HeaderTrace = "Traceparent"
	// LogTrace is the category of the trace log in a request's task that holds the trace
	// which the request belongs to, 32 hexadecimal digits: in all services that hand the
	// header on it is the same. Only requests of unpark's own load have it.
	LogTrace = "unpark.trace"
)

// ours is what the traces of unpark's load begin with, behind the version: "unpark".
const ours = "00-756e7061726b"

// oldest is the greatest age that is believed. More, or less than nothing, is the
// clock of another machine, or not ours to read.
const oldest = time.Hour

// Handler returns next with its requests marked while the process is measured (Active):
// a runtime/trace task and region, and a profile label, by route; in a trace also
// its age, if the client sent HeaderSent. While a guard follows the vitals, it is timed.
// While neither goes on, it costs one atomic load and no allocation. The ResponseWriter is handed
// on as it is, so http.Flusher, http.Hijacker and the like keep working.
//
// The route is the pattern that an http.ServeMux matches, for a mux that is next
// itself and, since Go 1.23, for a handler inside one. Elsewhere it is the method
// with the path's first segment; what goes beyond 64 of these per Handler is one
// route, "other", so that hostile paths cannot blow up a profile.
func Handler(next http.Handler) http.Handler {
	m := &marker{next: next, timer: agent.Middleware()}
	m.mux, _ = next.(matcher)
	return m
}

// matcher is what http.ServeMux says of a request before it serves it.
type matcher interface {
	Handler(*http.Request) (http.Handler, string)
}

var _ matcher = (*http.ServeMux)(nil)

type marker struct {
	next   http.Handler
	timer  *agent.Timer
	mux    matcher // next, when it can tell patterns; else nil
	routes routes
}

func (m *marker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at, watched := m.timer.Began()
	if !watched {
		m.next.ServeHTTP(w, r)
		return
	}
	defer m.timer.Ended(at)
	if !agent.Active() {
		m.next.ServeHTTP(w, r)
		return
	}
	m.mark(w, r)
}

func (m *marker) mark(w http.ResponseWriter, r *http.Request) {
	route := m.route(r)
	ctx, task := trace.NewTask(r.Context(), route)
	defer task.End()
	pprof.Do(ctx, pprof.Labels(LabelRoute, route), func(ctx context.Context) {
		defer trace.StartRegion(ctx, RegionRequest).End()
		logAge(ctx, r.Header.Get(HeaderSent))
		logTrace(ctx, r.Header.Get(HeaderTrace))
		marked := r.WithContext(ctx)
		// net/http removes a form's temporary files, and other middleware reads
		// the pattern, through the request that they know.
		defer giveBack(r, marked)
		m.next.ServeHTTP(w, marked)
	})
}

// logAge writes a request's age into the trace, if there is one and the request
// says when it was sent.
func logAge(ctx context.Context, sent string) {
	if sent == "" || !trace.IsEnabled() {
		return
	}
	at, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || at <= 0 {
		return // at ≤ 0 could wrap the difference
	}
	if age := time.Now().UnixNano() - at; age >= 0 && age <= int64(oldest) {
		trace.Log(ctx, LogAge, strconv.FormatInt(age, 10))
	}
}

// logTrace writes which trace a request belongs to, if it is of unpark's load and anything is
// recorded.
func logTrace(ctx context.Context, parent string) {
	const end = len("00-") + 32
	if len(parent) > end && parent[:len(ours)] == ours && parent[end] == '-' && trace.IsEnabled() {
		trace.Log(ctx, LogTrace, parent[len("00-"):end])
	}
}

func (m *marker) route(r *http.Request) string {
	var found string
	if m.mux != nil {
		if _, found = m.mux.Handler(r); found == "" {
			return m.routes.limited(method(r) + " unmatched")
		}
	} else if found = pattern(r); found == "" {
		return m.routes.limited(method(r) + " /" + segment(r.URL.Path))
	}
	if hasMethod(found) {
		return found
	}
	return method(r) + " " + found
}
