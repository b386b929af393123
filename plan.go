package unpark

import (
	"net/netip"
	"strings"
)

// Mode is how requests arrive.
type Mode string

// The modes.
const (
	Closed   Mode = "closed"   // N connections, each sends as soon as it has its answer
	Constant Mode = "constant" // evenly spaced
	Poisson  Mode = "poisson"  // exponential gaps
	Ramp     Mode = "ramp"     // rate changes linearly over stages
	Replay   Mode = "replay"   // at given instants
	Sweep    Mode = "sweep"    // several levels, one window each
	External Mode = "external" // another generator drives
	NoLoad   Mode = "none"     // whatever traffic there is
)

// Open reports whether arrivals do not depend on answers.
func (m Mode) Open() bool { return m == Constant || m == Poisson || m == Ramp || m == Replay }

// Plan is how requests arrive.
type Plan struct {
	Mode        Mode    `json:"mode"`
	Connections int     `json:"connections,omitempty"` // closed: how many; open: at most so many
	RateRPS     float64 `json:"rate_rps,omitempty"`    // constant, poisson: per second
	Stages      []Stage `json:"stages,omitempty"`      // ramp
	// Arrivals are the intended starts of a replay, in seconds from the load's
	// begin, ascending. They can be millions and are not part of the document.
	Arrivals []float64 `json:"-"`
	// Think is how long a connection of a closed loop waits between an answer and
	// its next request.
	Think float64 `json:"think_s,omitempty"`
	// Coalesce is the shortest sleep before an arrival: those that are due within it
	// are sent in one wake-up. 0 is the generator's default (20 µs), negative none.
	Coalesce float64 `json:"coalesce_s,omitempty"`
	// Spin is how long before an arrival the generator stops to sleep and polls, for
	// a processor of its own and the least lag.
	Spin float64 `json:"spin_s,omitempty"`
	// Stamp has every HTTP/1.1 request say when it was meant to be sent (header
	// Unpark-Sent), for a service whose requests the probe's middleware marks.
	Stamp bool `json:"stamp,omitempty"`
	// Traceparent has every request carry an identity of its own, gRPC's as metadata, by which those of
	// other services that it causes are known (W3C Trace Context; not sampled).
	Traceparent bool `json:"traceparent,omitempty"`

	Levels   []float64 `json:"levels,omitempty"`    // sweep: connections, or rates
	LevelsIn string    `json:"levels_in,omitempty"` // of Levels: "req/s"; empty: connections
	Requests []Request `json:"requests,omitempty"`
	// Hosts are the addresses at which names of hosts are dialled, where they were
	// looked up and checked before; other names are looked up when they are dialled.
	Hosts    map[string][]netip.Addr `json:"-"`
	Protocol string                  `json:"protocol,omitempty"` // "http/1.1", "h2", "h2c", "grpc"; empty: by URL
	Warmup   float64                 `json:"warmup_s"`
	Duration float64                 `json:"duration_s"` // of one window, whole seconds
	// P99Within is the half width of the p99's 90 % interval, as a share of it, for which
	// Warmup and Duration are made longer; 0: they are kept to.
	P99Within float64 `json:"p99_within,omitempty"`
	Timeout   float64 `json:"timeout_s"` // of one request
	Seed      uint64  `json:"seed"`      // of every random choice
	// Share is that of this generator, where several drive the plan together; the zero
	// value is all of it.
	Share Share `json:"-"`
}

// Share is one of several equal shares of a plan, Index from 0 below Of.
//
// A Poisson stream of a rate is Of independent ones of rate ÷ Of, however far apart they
// begin. Of every other open plan share Index has arrivals Index, Index+Of, Index+2·Of, …
// at the instants that the whole plan has for them, so that the union is the plan itself.
// Connections are shared out, where the plan names a number.
type Share struct {
	Index int `json:"index"`
	Of    int `json:"of"` // 0: there are no others
}

// Number is which request of the whole plan the k-th of the share is.
func (s Share) Number(k int64) int64 {
	if s.Of <= 1 {
		return k
	}
	return k*int64(s.Of) + int64(s.Index)
}

// Portion is how many of n equal things the share has; the first shares take what does not
// divide.
func (s Share) Portion(n int) int {
	if s.Of <= 1 {
		return n
	}
	share := n / s.Of
	if s.Index < n%s.Of {
		share++
	}
	return share
}

// LevelsInRate is the LevelsIn of a sweep over rates.
const LevelsInRate = "req/s"

// Plans returns the plan of every level of a sweep, in order; of any other plan
// itself alone.
func (p Plan) Plans() []Plan {
	if p.Mode != Sweep {
		return []Plan{p}
	}
	out := make([]Plan, len(p.Levels))
	for i, v := range p.Levels {
		out[i] = p
		out[i].Levels, out[i].LevelsIn = nil, ""
		if p.LevelsIn == LevelsInRate {
			out[i].Mode, out[i].RateRPS = Constant, v
		} else {
			out[i].Mode, out[i].Connections = Closed, int(v)
		}
	}
	return out
}

// Level returns where a plan that is no sweep stands among the levels of one.
func (p Plan) Level() Level {
	if p.Mode.Open() {
		return Level{RateRPS: p.RateRPS, Connections: p.Connections}
	}
	return Level{Connections: p.Connections}
}

// Stage is one leg of a ramp.
type Stage struct {
	From     float64 `json:"from_rps"`
	To       float64 `json:"to_rps"`
	Duration float64 `json:"duration_s"`
}

// Stream is who sends a stream of messages in a gRPC call. Without one, each side
// sends one message.
type Stream string

// The streams.
const (
	Unary        Stream = ""
	ClientStream Stream = "client"
	ServerStream Stream = "server"
	BidiStream   Stream = "bidi"
)

// Request is one kind of request of a plan. Header values and the body may hold
// secrets, so they are not part of the document.
type Request struct {
	Method string `json:"method"`
	// URL is http, https, grpc, grpcs, or unix (SplitUnix).
	URL string `json:"url"`
	// Sum, of a plan that was redacted, tells requests apart whose URLs differ in what
	// is not shown. It has eight bits: too few to find a secret from.
	Sum string `json:"redacted,omitempty"`
	// Varied, of a plan that was redacted, tells that its URL or body was drawn anew each time (FilledIn).
	Varied bool                `json:"varied,omitempty"`
	Header map[string][]string `json:"-"`
	// Body holds, for gRPC, the marshalled messages one after the other, each with
	// gRPC's prefix: a 0 and its length in four bytes, the highest first.
	Body   []byte `json:"-"`
	Stream Stream `json:"stream,omitempty"` // of gRPC
	// Target and Payload, where they are not nil, render the request target (path
	// and query) and the body of every single request, over HTTP/1.1.
	Target  Template `json:"-"`
	Payload Template `json:"-"`
	Weight  float64  `json:"weight,omitempty"` // 0 counts as 1
	Expect  []int    `json:"expect,omitempty"` // accepted statuses; empty: 200–399
}

// FilledIn reports whether it is another request each time: its URL or body is drawn anew.
func (r Request) FilledIn() bool {
	return r.Varied || r.Target != nil || r.Payload != nil || strings.Contains(r.URL, "{{")
}

// EffectiveWeight is how often the request is sent, against the others of its plan.
func (r Request) EffectiveWeight() float64 {
	if r.Weight == 0 {
		return 1
	}
	return r.Weight
}

// Template renders what differs from request to request. Append appends what
// request k renders and returns the extended slice; it is a pure function of seed
// and k, may be called from several goroutines, and what it renders fits where it
// stands: a request target has no blank and no line break.
type Template interface {
	Append(dst []byte, seed uint64, k int64) []byte
}
