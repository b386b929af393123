package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/window"
	"github.com/unpark-go/unpark/internal/project"
)

// loadFlags describe the load plan.
type loadFlags struct {
	urls        []string
	method      string
	headers     []string
	body        string
	bodyFile    string
	expect      []int
	protocol    string
	connections int
	rate        string
	sweep       string
	slo         string
	within      string // of the p99, in percent
	duration    time.Duration
	warmup      time.Duration
	timeout     time.Duration
	seed        uint64
	think       time.Duration
	coalesce    time.Duration
	spin        time.Duration
	stamp       bool
	traceparent bool
	targets     string   // file of requests
	values      []string // files for templates
	arrivals    string   // file of instants
	protoset    string   // descriptors of gRPC
	protos      []string
	protoPaths  []string
	mayLoad     []string // hosts that are neither loopback nor private
	command     string   // drives the load in unpark's place

	fractions bool          // of a second in duration: no profile is taken
	unstarted bool          // the service is to be started after the plan is made
	unasked   bool          // it was not asked for descriptors yet
	rounds    bool          // duration and warmup are those of a round
	project   *project.File // says what the flags do not; nil without one
	given     func(flag string) bool
}

func (l *loadFlags) register(c *cobra.Command) {
	f := c.Flags()
	l.given = f.Changed
	f.StringArrayVarP(&l.urls, "url", "u", nil, "what to request, also unix:///path.sock:/path; repeatable, with a weight as 9*URL")
	f.StringVarP(&l.method, "method", "X", "", "request method (GET, or POST with a body)")
	f.StringArrayVarP(&l.headers, "header", "H", nil, "request header `Name: value`; repeatable")
	f.StringVar(&l.body, "body", "", "request body; of gRPC: messages in JSON")
	f.StringVar(&l.bodyFile, "body-file", "", "request body, from a file")
	f.IntSliceVar(&l.expect, "expect", nil, "accepted statuses (200–399)")
	f.StringVar(&l.protocol, "protocol", "", "http/1.1, h2, h2c or grpc (by URL)")
	f.IntVarP(&l.connections, "connections", "c", 0, fmt.Sprintf("connections: closed loop (%d), or the bound of an open one", investigate.DefaultConnections))
	f.StringVarP(&l.rate, "rate", "r", "", "open loop: 500/s, poisson:500/s, ramp:10..100/3m, steps:100,200/30s, spike:100..2000/10s@60s")
	f.StringVar(&l.sweep, "sweep", "", "one window per level: connections 1,2,4,8 or rates 100/s,200/s")
	f.StringVar(&l.slo, "slo", "", "search the highest rate at which a promise holds: 'p99<50ms,errors<0.1%'")
	f.DurationVarP(&l.duration, "duration", "d", investigate.DefaultDuration, "length of the window, whole seconds")
	f.DurationVar(&l.warmup, "warmup", investigate.DefaultWarmup, "load before the window")
	f.DurationVar(&l.timeout, "timeout", 30*time.Second, "of one request")
	f.Uint64Var(&l.seed, "seed", 1, "of every random choice of the load")
	f.DurationVar(&l.think, "think", 0, "closed loop: how long a connection waits between an answer and its next request")
	f.DurationVar(&l.coalesce, "coalesce", 20*time.Microsecond, "arrivals that are due within it are sent in one wake-up (0 for none)")
	f.DurationVar(&l.spin, "spin", 0, "poll instead of sleeping for so long before an arrival: less lag, on a processor of its own")
	f.BoolVar(&l.stamp, "stamp", false, "each HTTP/1.1 request says when it was meant to be sent: the probe's middleware then knows its age")
	f.BoolVar(&l.traceparent, "traceparent", false, "each request carries a trace context of its own, not sampled, by which other services know it (on with --also)")
	f.StringVar(&l.targets, "targets", "", "`file` of requests: a list of URLs, vegeta's formats, or a HAR recording")
	f.StringArrayVar(&l.values, "values", nil, "`name=file` of lines that fill {{name}} in URLs and bodies, name=file:seq in order; {{counter}}, {{random}} and {{uuid}} need none")
	f.StringVar(&l.arrivals, "arrivals", "", "open loop: `file` of instants to replay, one a line (seconds, RFC 3339, or an access log)")
	f.StringVar(&l.protoset, "protoset", "", "gRPC: `file` of descriptors (protoc --descriptor_set_out --include_imports); without it or --proto the server is asked")
	f.StringArrayVar(&l.protos, "proto", nil, "gRPC: a .proto `file`; repeatable")
	f.StringArrayVar(&l.protoPaths, "proto-path", nil, "gRPC: `folder` of imports; repeatable")
	f.StringArrayVar(&l.mayLoad, "i-may-load", nil, "a `host` that may be loaded although it is neither loopback nor private; repeatable")
	c.MarkFlagsMutuallyExclusive("rate", "sweep", "arrivals", "slo")
	c.MarkFlagsMutuallyExclusive("slo", "think")
	c.MarkFlagsMutuallyExclusive("rate", "think")
	c.MarkFlagsMutuallyExclusive("arrivals", "think")
	c.MarkFlagsMutuallyExclusive("body", "body-file")
	c.MarkFlagsMutuallyExclusive("proto", "protoset")
}

// registerCommand adds the flag for another generator, and excludes the flags that
// say how unpark's own would drive.
func (l *loadFlags) registerCommand(c *cobra.Command) {
	c.Flags().StringVar(&l.command, "load-command", "", "shell `command` that drives the load in unpark's place: k6, vegeta, autocannon, oha, wrk; {url} and {seconds} are replaced")
	for _, own := range []string{
		"rate", "sweep", "slo", "arrivals", "think", "coalesce", "spin", "stamp", "traceparent", "targets", "values", "connections", "method", "header", "body", "body-file", "expect", "protocol", "timeout", "seed",
	} {
		c.MarkFlagsMutuallyExclusive("load-command", own)
	}
}

// plan checks the flags and builds the load plan. Where a gRPC server is to describe
// itself, it is asked for as long as ctx allows.
func (l *loadFlags) plan(ctx context.Context) (unpark.Plan, error) {
	p := unpark.Plan{Mode: unpark.Closed, Connections: l.connections}
	if l.connections < 0 || l.connections == 0 && l.given("connections") {
		return p, usage("--connections %d: name at least 1", l.connections)
	}
	switch {
	case l.given("load-command"):
		if strings.TrimSpace(l.command) == "" {
			return p, usage("--load-command is empty: write it like 'wrk -d60 {url}'")
		}
		p.Mode = unpark.External
	case l.rate != "":
		parsed, err := load.ParseRate(l.rate)
		if err != nil {
			return p, usage("--rate: %w", err)
		}
		parsed.Connections = l.connections
		p = parsed
	case l.sweep != "":
		if err := parseSweep(l.sweep, &p); err != nil {
			return p, err
		}
	case l.arrivals != "":
		var err error
		if p.Arrivals, err = readArrivals(l.arrivals); err != nil {
			return p, err
		}
		p.Mode = unpark.Replay
	case l.slo != "":
		p.Mode, p.RateRPS = unpark.Constant, 1 // until the search has an answer
	case l.connections == 0:
		p.Connections = investigate.DefaultConnections
	}
	length, err := l.length()
	if err != nil {
		return p, err
	}
	if l.warmup < 0 || l.timeout <= 0 || l.think < 0 {
		return p, usage("--warmup, --timeout and --think take a positive time such as 5s")
	}
	if p.P99Within, err = l.steadiness(p.Mode); err != nil {
		return p, err
	}
	if !p.Mode.Open() {
		p.Think = l.think.Seconds()
	}
	p.Duration, p.Warmup, p.Timeout = length, l.warmup.Seconds(), l.timeout.Seconds()
	p.Protocol, p.Seed, p.Stamp, p.Traceparent = l.protocol, l.seed, l.stamp, l.traceparent
	if l.given("coalesce") {
		p.Coalesce = l.coalesce.Seconds()
		if l.coalesce == 0 {
			p.Coalesce = -1
		}
	}
	p.Spin = l.spin.Seconds()
	p.Requests, err = l.requests(ctx)
	return p, err
}

// parseSweep reads the levels of a sweep: numbers of connections, or rates when
// they have a unit.
func parseSweep(text string, p *unpark.Plan) error {
	for i, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		level, in := 0.0, ""
		if rate, err := load.ParseRate(part); err == nil && rate.Mode == unpark.Constant {
			level, in = rate.RateRPS, unpark.LevelsInRate
		} else if n, err := strconv.Atoi(part); err == nil && n > 0 {
			level = float64(n)
		} else {
			return usage("--sweep %q: %q is no number of connections and no rate: write 1,2,4,8 or 100/s,200/s,400/s", text, part)
		}
		if i > 0 && in != p.LevelsIn {
			return usage("--sweep %q: connections and rates cannot be mixed", text)
		}
		p.Levels, p.LevelsIn = append(p.Levels, level), in
	}
	p.Mode = unpark.Sweep
	return nil
}

func (l *loadFlags) length() (float64, error) {
	if !l.fractions {
		return wholeSeconds(l.duration)
	}
	if l.duration <= 0 {
		return 0, usage("--duration %v: name a time above 0, such as 10s", l.duration)
	}
	return l.duration.Seconds(), nil
}

// wholeSeconds refuses fractions: net/http/pprof answers 400 to them on most
// endpoints and takes 30 s without a word on /profile.
func wholeSeconds(d time.Duration) (float64, error) {
	if d < time.Second || d%time.Second != 0 {
		return 0, usage("--duration %v: a CPU profile lasts whole seconds: use %v", d, max(time.Second, d.Round(time.Second)))
	}
	return d.Seconds(), nil
}

// targetFlags describe the service and how to look at it.
type targetFlags struct {
	pkg      string
	tags     string
	buildDir string
	pprof    []string
	pid      pidFlags
	cpus     float64
	baseline time.Duration
	trace    time.Duration
	block    time.Duration
	mutex    int
	ready    time.Duration
	verbose  bool
	own      []string
	duration time.Duration // of capture

	given func(flag string) bool
}

func (t *targetFlags) register(c *cobra.Command, starts bool) {
	f := c.Flags()
	t.given = f.Changed
	usual := investigate.Defaults()
	f.StringArrayVar(&t.pprof, "pprof", nil, "profiling endpoint: http://host:port[/path] or unix:///path.sock[:/path]; repeatable")
	t.pid.register(c)
	f.DurationVar(&t.trace, "trace", usual.Trace, "execution trace after the window, 0 for none; unless it is given, shorter or up to 10s by how busy the service is")
	f.DurationVar(&t.block, "block-rate", usual.Rates.Block, "block events at least this long are always recorded")
	f.IntVar(&t.mutex, "mutex-fraction", usual.Rates.Mutex, "one in so many lock contentions is recorded")
	registerOwn(c, &t.own)
	if !starts {
		f.BoolVarP(&t.verbose, "verbose", "v", false, "all that is known of a finding")
		return
	}
	f.BoolVarP(&t.verbose, "verbose", "v", false, "all that is known of a finding, and the service's own output")
	f.StringVar(&t.pkg, "pkg", "", "package to build with the probe added, such as ./cmd/server; sources stay untouched")
	f.StringVar(&t.tags, "tags", "", "with --pkg: build tags, separated by commas; other flags of the go command: GOFLAGS")
	f.StringVar(&t.buildDir, "build-dir", "", "with --pkg: `folder` in which the build gets a folder of its own, removed at the end (unpark/build in the user's cache)")
	f.Float64Var(&t.cpus, "cpus", 0, "CPU quota of the service in cores (cgroup)")
	f.DurationVar(&t.baseline, "baseline", usual.Baseline, "unprofiled stretch on each side of the window, to tell what capture costs (0 for none)")
	f.DurationVar(&t.ready, "ready", usual.Ready, "how long the service may take until it answers")
}

// building refuses flags of a build where nothing is built.
func (t *targetFlags) building() error {
	for _, name := range []string{"tags", "build-dir"} {
		if t.pkg == "" && t.given(name) {
			return usage("--%s is for a package that unpark builds: name it with --pkg", name)
		}
	}
	return nil
}

// starting refuses what is of a process that runs already, where each of the versions that are compared is started.
func (t *targetFlags) starting() error {
	for _, name := range []string{"pid", "pid-of", "read-only", "memory-rate"} {
		if t.given(name) {
			return usage("--%s is of a process that runs already; here each version is started, in turns", name)
		}
	}
	return t.building()
}

func (t *targetFlags) config(args []string, plan unpark.Plan) investigate.Config {
	c := investigate.Config{
		Command: args, Package: t.pkg, BuildDir: t.buildDir, Tags: t.tags, Pprof: t.pprof, Token: os.Getenv("UNPARK_PROBE_TOKEN"),
		Plan: plan, Quota: t.cpus, Baseline: t.baseline, Trace: t.trace,
		Rates: window.Rates{Block: t.block, Mutex: t.mutex}, Ready: t.ready,
		Version: buildVersion(), Own: t.own,
	}
	if !t.given("trace") {
		c.TraceMost = investigate.Defaults().TraceMost
	}
	if t.verbose {
		c.Output = os.Stderr
	}
	return c
}
