package investigate

import (
	"context"
	"io"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// Config says what to investigate. One of Command, Package and Pprof is
// required.
type Config struct {
	Command  []string // starts the target; with Package, only its arguments
	Package  string   // built with the probe added, then started
	Pprof    []string // endpoints: of the command, or of something that runs already
	Built    string   // Package's binary, when it was built already
	WorkDir  string   // where the target is built and runs; empty: this process's folder
	BuildDir string   // where folders for builds are made; empty: the user's cache
	Tags     string   // build tags of Package, separated by commas
	Token    string   // bearer token for the endpoints
	Own      []string // modules that are the user's as the main one is: a path, or PATH/... (CheckOwn)

	// Callees are services that the target asks, captured in the same windows: each with a Name, and
	// a Command, which is started before the target, or the endpoints of what runs already.
	Callees []Config
	Name    string // of a callee: letters, digits, dots and dashes

	Plan unpark.Plan // Requests may be empty with a command: the port it opens is asked
	// URL is joined with the found port when Plan has no requests.
	Path    string
	Prepare func(ctx context.Context, base string, plan unpark.Plan) (unpark.Plan, error)

	// SLO is a promise: the highest rate at which it holds is searched first, and is
	// the rate of the window. Nil: the plan says how to load.
	SLO *search.SLO

	// LoadCommand is a shell command that drives the load in unpark's place; the
	// plan's mode is then External, and its requests only say where the target is.
	LoadCommand string

	// Slowdown slows down the sites of findings whose prediction is not certain, after
	// the run, for about so long; 0: none. It takes Package, and a load of unpark's own.
	Slowdown time.Duration
	// SlowdownWidth is the width of a prediction's throughput interval, high ÷ low,
	// from which it is not certain; 0: slowdown.DefaultWidth.
	SlowdownWidth float64

	Dir      string        // of the run; must not exist
	Quota    float64       // cores; 0 for none
	Env      []string      // added to the target's environment
	Baseline time.Duration // each unprofiled stretch beside the window
	Trace    time.Duration // execution trace after the window
	// TraceMost lets Trace follow the request rate, up to this (window.Options). In a
	// sweep, and under a load command, the trace is only ever made shorter.
	TraceMost time.Duration
	Rates     window.Rates
	Ready     time.Duration // patience until the target answers
	Output    io.Writer     // the target's output; may be nil
	Version   unpark.Version
	Progress  func(Event) // may be nil; called from one goroutine at a time
	// Costs has [Time] hold the load for as long again after its window, and profile that: the run
	// then has flame graphs of CPU, allocations and waits.
	Costs bool
	// CostsHertz bounds how often CPU is sampled for that, so that two services can be sampled in one way; 0: as often as
	// can be had of each.
	CostsHertz float64
	// Considerate refuses to add the cost of capture to a service that is saturated
	// already, by traffic that is not ours (see consider).
	Considerate bool

	// Agents are other machines, which drive the load and capture. nil: this one does.
	Agents *fleet.Team

	// Since is what a guard holds of the target: its rates are used, and the window begins
	// with what was read of the seconds before. nil: without a guard.
	Since   *window.Standing
	Trigger *unpark.Trigger // for what the guard captures; its Before is filled in
}

// Window is the length of the window under the plan.
func (c Config) Window() time.Duration { return seconds(c.Plan.Duration) }

// Warmup is how long the target is loaded before the window.
func (c Config) Warmup() time.Duration { return seconds(c.Plan.Warmup) }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Defaults of the load, and of a slowdown that is asked for. 15 s is a bench window
// (DESIGN §5); the warm-up is outside.
const (
	DefaultDuration    = 15 * time.Second
	DefaultWarmup      = 5 * time.Second
	DefaultConnections = 50
	DefaultSlowdown    = 2 * time.Minute
)

// Defaults returns how a target is captured unless something else is asked for. It
// names neither a target nor a load.
func Defaults() Config {
	return Config{
		Baseline: 3 * time.Second, Trace: time.Second, TraceMost: 10 * time.Second,
		Rates: window.DefaultRates(), Ready: 30 * time.Second,
	}
}

// Event is one step of progress.
type Event struct {
	Phase  string        // "build", "start", "search", "warm-up", "steady", "baseline", "window", "trace", "measured", "load", "diagnose", "experiment"
	Detail string        // one line for people
	Left   time.Duration // of the phase; 0 when unknown
	Live   *load.Live    // the last second; nil when no load is driven
	Cores  float64       // without a load: what the target used in the last second, on this machine; 0 when unknown
	Load   *unpark.Load  // of phase "measured": what the window measured, as the document has it
	Line   string        // one that stays, and nothing else; empty for a phase
}
