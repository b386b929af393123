package load

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

const (
	defaultConnections = 100 // of an open plan
	defaultTimeout     = 30 * time.Second
	// maxConnections is above the range of ephemeral ports towards one address.
	maxConnections = 100_000
)

// The protocols of a plan.
const (
	protoHTTP1 = "http/1.1"
	protoH2    = "h2"
	protoH2C   = "h2c"
	protoGRPC  = "grpc"
)

// The engines; empty lets the plan decide.
const engineCrew = "crew"

// settings is a plan that was checked and has its defaults.
type settings struct {
	phase       string // before the first Begin
	mode        unpark.Mode
	connections int
	pacer       pacer // nil in a closed loop
	think       int64 // of a closed loop, ns
	quantum     int64 // shortest sleep before an arrival, ns
	spin        int64 // of it, how long is polled, ns
	kinds       []kind
	choice      choice
	protocol    string
	engine      string
	timeout     time.Duration
	seed        uint64
	part        unpark.Share
	dialer      dialer
}

// kind is one sort of request, as it is sent every time.
type kind struct {
	method string
	shown  string // its URL, without secrets
	socket string // of a unix URL; url then is http://localhost/…
	url    *url.URL
	host   string // of the Host header; empty: by URL
	header http.Header
	body   []byte
	expect []int
	rpc    *rpc // of gRPC

	target, payload unpark.Template // nil: as url and body say
	stamp           bool            // with a header that says when it was meant to be sent
	traced          bool            // with a traceparent
}

// varies reports whether two requests of the kind can differ.
func (k *kind) varies() bool { return k.target != nil || k.payload != nil || k.stamp }

// numbered reports whether a request of the kind has to know which one it is.
func (k *kind) numbered() bool { return k.varies() || k.traced }

// accepts reports whether the plan expected the status.
func (k *kind) accepts(status int) bool {
	if len(k.expect) == 0 {
		return status >= 200 && status < 400
	}
	return slices.Contains(k.expect, status)
}

// name tells one kind of request from another in messages.
func (k *kind) name() string { return k.method + " " + k.shown }

// place is where it goes: one for each listener.
func (k *kind) place() string {
	if k.socket != "" {
		return k.socket
	}
	return k.url.Host
}

// newSettings checks a plan. Its errors name the field, the value and the cure.
func newSettings(plan unpark.Plan) (*settings, error) {
	s := &settings{mode: plan.Mode, phase: firstPhase(plan), seed: plan.Seed, timeout: defaultTimeout, part: plan.Share, dialer: dialer{plan.Hosts}}
	for _, step := range []func(unpark.Plan) error{s.checkPart, s.setArrivals, s.setPart, s.setWaiting, s.setConnections, s.setTimeout, s.setRequests, s.setProtocol} {
		if err := step(plan); err != nil {
			return nil, fmt.Errorf("load: plan: %w", err)
		}
	}
	return s, nil
}

func (s *settings) setArrivals(plan unpark.Plan) error {
	switch plan.Mode {
	case unpark.Closed:
		if !(plan.Think >= 0) || plan.Think > 24*3600 {
			return fmt.Errorf("think_s %g: must be from 0 to a day", plan.Think)
		}
		s.think = nanos(plan.Think)
		return nil
	case unpark.Constant, unpark.Poisson:
		if err := checkRate(plan.RateRPS); err != nil {
			return fmt.Errorf("rate_rps %g: %w; %s", plan.RateRPS, err, rateExamples)
		}
		if plan.Mode == unpark.Poisson {
			s.pacer = poisson{rate: plan.RateRPS, seed: plan.Seed}
		} else {
			s.pacer = constant{rate: plan.RateRPS}
		}
		return nil
	case unpark.Ramp:
		if err := checkStages(plan.Stages); err != nil {
			return fmt.Errorf("stages: %w; %s", err, rateExamples)
		}
		if !(plan.Warmup >= 0) || math.IsInf(plan.Warmup, 0) {
			return fmt.Errorf("warmup_s %g: must be 0 or more seconds", plan.Warmup)
		}
		s.pacer = newRamp(plan.Stages, plan.Warmup)
		return nil
	case unpark.Replay:
		r, err := newReplay(plan.Arrivals)
		if err != nil {
			return fmt.Errorf("arrivals: %w", err)
		}
		s.pacer = r
		return nil
	case unpark.Sweep:
		return errors.New("mode \"sweep\": a sweep is several loads; start one closed plan for each of its levels")
	}
	return fmt.Errorf("mode %q: this generator drives closed, constant, poisson, ramp and replay", plan.Mode)
}

// Connections is how many connections a plan that is no sweep uses at most: an open
// one that names none has a default. Of several generators each has its share of the
// number that the plan names, or the default.
func Connections(plan unpark.Plan) int {
	if plan.Connections == 0 && plan.Mode.Open() {
		return defaultConnections
	}
	return plan.Share.Portion(plan.Connections)
}

func (s *settings) setConnections(plan unpark.Plan) error {
	s.connections = Connections(plan)
	if plan.Connections > 0 && s.connections == 0 {
		return fmt.Errorf("connections %d: too few for %d generators: each needs one", plan.Connections, plan.Share.Of)
	}
	if s.connections < 1 || s.connections > maxConnections {
		return fmt.Errorf("connections %d: must be from 1 to %d; try 50", plan.Connections, maxConnections)
	}
	return nil
}

// shortest sleep before an arrival, where the plan does not say.
const defaultQuantum = 20_000

// setWaiting reads how precisely to wait for arrivals.
func (s *settings) setWaiting(plan unpark.Plan) error {
	if !(math.Abs(plan.Coalesce) <= 1) {
		return fmt.Errorf("coalesce_s %g: must be up to a second; 20e-6 is the default", plan.Coalesce)
	}
	if !(plan.Spin >= 0 && plan.Spin <= 1) {
		return fmt.Errorf("spin_s %g: must be from 0 to a second", plan.Spin)
	}
	s.spin, s.quantum = nanos(plan.Spin), defaultQuantum
	if plan.Coalesce != 0 {
		s.quantum = max(0, nanos(max(0, plan.Coalesce)))
	}
	return nil
}

func (s *settings) setTimeout(plan unpark.Plan) error {
	if !(plan.Timeout >= 0) || plan.Timeout > 24*3600 {
		return fmt.Errorf("timeout_s %g: must be from 0 (the default, %v) to a day", plan.Timeout, defaultTimeout)
	}
	if plan.Timeout > 0 {
		s.timeout = max(time.Microsecond, time.Duration(plan.Timeout*float64(time.Second)))
	}
	return nil
}

func (s *settings) setRequests(plan unpark.Plan) error {
	if len(plan.Requests) == 0 {
		return errors.New("requests: there is none; name a URL such as http://127.0.0.1:8080/")
	}
	weights := make([]float64, 0, len(plan.Requests))
	for _, r := range plan.Requests {
		k, err := newKind(r)
		if err != nil {
			return err
		}
		k.stamp = plan.Stamp
		k.traced = plan.Traceparent && k.header.Get(traceparent) == ""
		if !(r.Weight >= 0) || math.IsInf(r.Weight, 0) {
			return fmt.Errorf("requests: %s: weight %g: must be 0 (counts as 1) or more", k.name(), r.Weight)
		}
		s.kinds, weights = append(s.kinds, k), append(weights, r.EffectiveWeight())
	}
	s.choice = newChoice(plan.Seed, weights)
	s.choice.part = plan.Share
	return nil
}

func newKind(r unpark.Request) (kind, error) {
	k := kind{method: r.Method, header: http.Header(r.Header).Clone(), body: r.Body, expect: r.Expect, target: r.Target, payload: r.Payload}
	if k.method == "" {
		k.method = http.MethodGet
	}
	if strings.ContainsFunc(k.method, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune("()<>@,;:\\\"/[]?={}", c) }) {
		return k, fmt.Errorf("requests: method %q: not a method such as GET or POST", r.Method)
	}
	u, err := k.parseURL(r.URL)
	if err != nil {
		return k, err
	}
	for _, status := range r.Expect {
		if status < 100 || status > 599 {
			return k, fmt.Errorf("requests: %s: expect %d: a status is from 100 to 599", k.name(), status)
		}
	}
	if k.header == nil {
		k.header = http.Header{}
	}
	k.host = k.header.Get("Host")
	k.header.Del("Host")
	if k.header.Get("User-Agent") == "" {
		k.header.Set("User-Agent", "unpark")
	}
	if overGRPC(u) {
		if err := k.setRPC(r); err != nil {
			return k, fmt.Errorf("requests: %s: %w", k.name(), err)
		}
	}
	return k, nil
}

func (s *settings) setProtocol(plan unpark.Plan) error {
	want := map[string]string{protoHTTP1: "", protoH2: "https", protoH2C: "http", protoGRPC: ""}
	s.protocol = plan.Protocol
	if s.protocol == "" {
		s.protocol = protoHTTP1
		if s.kinds[0].rpc != nil {
			s.protocol = protoGRPC
		}
	}
	scheme, ok := want[s.protocol]
	if !ok {
		return fmt.Errorf("protocol %q: must be http/1.1, h2, h2c or grpc", plan.Protocol)
	}
	for i := range s.kinds {
		if k := &s.kinds[i]; (k.rpc != nil) != (s.protocol == protoGRPC) {
			return fmt.Errorf("protocol %q with %s: gRPC needs grpc:// or grpcs://, and a plan has gRPC alone or none", s.protocol, k.name())
		}
		if k := &s.kinds[i]; k.rpc != nil && (k.target != nil || k.payload != nil) {
			return fmt.Errorf("%s: templates are filled in over HTTP only: a gRPC message is sent as it is", k.name())
		}
		if k := &s.kinds[i]; scheme != "" && k.url.Scheme != scheme {
			return fmt.Errorf("protocol %q with %s: h2 needs https:// (it is agreed on in the TLS handshake), h2c needs http://", s.protocol, k.name())
		}
	}
	return nil
}

// loopback reports whether the address can only be on this machine: a
// certificate proves nothing there, and that of a service under test is
// usually self-signed.
func loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}
