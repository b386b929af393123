package window

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

// Options says what to measure. Endpoints and Duration are required.
type Options struct {
	Name     string        // folder in the run directory, "window-01"
	Duration time.Duration // of the profiled stretch, whole seconds
	Baseline time.Duration // of each unprofiled stretch beside it; 0 for none
	Trace    time.Duration // of the execution trace after it; 0 for none
	// TraceMost lets the window choose the trace's length by how busy the target is:
	// shorter than Trace where its file would be too large, up to TraceMost where there
	// are few requests. Above Trace, where even that sees too few, slow requests are
	// waited for with a flight recorder. 0: Trace is kept to.
	TraceMost time.Duration
	Rates     Rates
	// Costs has [Time] take what tells where costs are, after its window: the CPU profile, and
	// what allocs and block say, over a stretch as long.
	Costs bool
	// CostsHertz bounds how often CPU is sampled for them, for each second that a thread computes; 0: not.
	CostsHertz float64
	Level      unpark.Level
	Endpoints  []*Endpoint
	// Since has the window begin with what a guard has kept of the processes (Standing.Guard): the
	// cumulative kinds, usage and goroutines of some seconds before it is opened, and the
	// flight recorder's trace. The CPU profile is of the rest. nil: it begins when it is
	// opened.
	Since *Standing
	// Create makes a file of the run, by its name in the run directory; nil: none is kept.
	Create func(name string) (io.WriteCloser, error)
	// Generator drives the load; nil when there is whatever traffic there is.
	Generator *load.Generator
	// Beside drives the load of the service that asks the target, so that its trace becomes as
	// long as that one's; nil without one.
	Beside *load.Generator
	// Clients has the window tell which processes ask the target.
	Clients   bool
	LoadStart time.Time // the zero of the timeline
	// Cut closes the window before its length is over, without an error: what drove
	// the load has ended. The CPU profile goes on, because one that is ended early can
	// be lost (profiledUntil); an idle target adds next to nothing to it.
	// nil: never.
	Cut <-chan struct{}
	// Processes lists the target's processes; nil when only the endpoints are known.
	Processes func() ([]target.Process, error)
	// Throttled reads how much a CPU limit has stopped the target so far; may be nil.
	Throttled func() confine.Throttling
	// Pace waits until so long before a phase may begin, "window" or "trace", and says how long
	// is left: several machines then begin at one instant. nil: at once.
	Pace func(ctx context.Context, phase string, ahead time.Duration) (left time.Duration, err error)
	// Traced is how many processes are traced at most; 0: as many as one machine can.
	Traced int
	// Progress is told when a phase begins and how long it lasts; may be nil.
	Progress func(phase string, length time.Duration)
}

// Contents is one finished window: the figures, and the decoded profiles.
type Contents struct {
	Window    unpark.Window
	Profiles  map[unpark.Kind][]*profile.Profile // per process; cumulative kinds as deltas
	Snapshots [][]*profile.Profile               // goroutines: [instant][process]
	Lost      map[unpark.Kind]int                // processes whose profile cannot be used
	Warnings  []unpark.Notice
	Writes    []unpark.Write // into processes that are read from outside
}

// Measure runs the stretches of one window. When ctx ends inside the window, it
// is closed early, what can still be read is read, and the contents come with
// ctx's error.
func Measure(ctx context.Context, o Options) (Contents, error) {
	if err := o.validate(); err != nil {
		return Contents{}, err
	}
	if !slices.ContainsFunc(o.Endpoints, func(e *Endpoint) bool { return !e.attached() }) {
		o.Trace = 0
	}
	watch := startWatch(o.Processes, o.Endpoints)
	defer watch.stop()

	before, err := o.stretch(ctx, "baseline", o.Baseline)
	if err != nil {
		return Contents{}, err
	}
	s := newSession(o, watch)
	s.open(ctx)
	defer s.release()
	if err := s.await(ctx); err != nil {
		return Contents{}, err
	}
	window := s.hold(ctx)
	early := ctx.Err()
	s.close(ctx)
	s.release()

	var traced, after *load.Stretch
	if early == nil {
		if !s.cut {
			if early = o.pace(ctx, "trace"); early == nil {
				t := tracer{o: o, members: s.members, window: s.used.length()}
				traced = t.trace(ctx)
				s.notes = append(s.notes, t.notes...)
			}
		}
		if early == nil {
			after, early = o.stretch(ctx, "baseline", o.Baseline)
		}
	}
	if o.Generator != nil {
		o.Generator.Begin("drain")
	}
	watch.stop()

	c := s.contents()
	c.Writes = s.writes
	s.loads(ctx, &c, stretches{before, window, traced, after})
	if early != nil {
		return c, fmt.Errorf("measure %s: ended early: %w", o.Name, early)
	}
	if gone := ended(c.Window.Processes); gone != "" {
		return c, fmt.Errorf("measure %s: %s inside the window", o.Name, gone)
	}
	if len(c.Profiles) == 0 {
		return c, fmt.Errorf("measure %s: no profile could be captured: %s", o.Name, s.firstFailure())
	}
	return c, nil
}

// ended names the processes where none of them lived to the end of the window: what was read is then not of one.
func ended(all []unpark.Process) string {
	var pids []string
	for _, p := range all {
		if p.State != "died" {
			return ""
		}
		pids = append(pids, strconv.Itoa(p.PID))
	}
	switch len(pids) {
	case 0:
		return ""
	case 1:
		return "process " + pids[0] + " ended"
	}
	return "processes " + strings.Join(pids, ", ") + " ended"
}

func (o Options) validate() error {
	if o.Duration < time.Second || o.Duration%time.Second != 0 {
		return fmt.Errorf("window of %v: CPU profiles last whole seconds (a fraction makes net/http/pprof fall back to 30 s without a word): use %v",
			o.Duration, max(time.Second, o.Duration.Round(time.Second)))
	}
	if len(o.Endpoints) == 0 {
		return errors.New("window without endpoints: nothing can be captured")
	}
	return nil
}

// stretch holds the load for d without profiling; nil when d is 0 or nothing
// drives load.
func (o Options) stretch(ctx context.Context, phase string, d time.Duration) (*load.Stretch, error) {
	if d <= 0 || o.Generator == nil {
		return nil, ctx.Err()
	}
	s := o.begin(phase, d)
	return s, sleep(ctx, d)
}

func (o Options) begin(phase string, d time.Duration) *load.Stretch {
	if o.Progress != nil {
		o.Progress(phase, d)
	}
	if o.Generator == nil {
		return nil
	}
	return o.Generator.Begin(phase)
}

// closeStretch ends the window's stretch at once: the answers that come in
// while profiles are being read belong to no figure.
func (o Options) closeStretch() {
	if o.Generator != nil {
		o.Generator.Begin("reading")
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	_, err := sleepUntil(ctx, d, nil)
	return err
}

// sleepUntil also ends, without an error, when cut is closed.
func sleepUntil(ctx context.Context, d time.Duration, cut <-chan struct{}) (early bool, err error) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return false, nil
	case <-cut:
		return true, nil
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

// stragglers is how long answers may still come in after their stretch.
const stragglers = 3 * time.Second

// stretches of the load, in the order of time; nil where there was none.
type stretches struct{ before, window, traced, after *load.Stretch }

// loads fills the window's load figures and what capture cost.
func (s *session) loads(ctx context.Context, c *Contents, of stretches) {
	if of.window == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stragglers)
	defer cancel()
	measured := of.window.Load(ctx)
	w := &c.Window
	w.Load = &measured
	c.Warnings = append(c.Warnings, s.saveLatency(of.window)...)
	w.Timeline = s.o.Generator.Ticks()
	for i := range w.Timeline {
		at := s.o.LoadStart.Add(time.Duration(w.Timeline[i].At * float64(time.Second)))
		w.Timeline[i].Cores = s.used.watch.cores(at)
	}
	var beside []unpark.Load
	for _, b := range []*load.Stretch{of.before, of.after} {
		if b != nil {
			beside = append(beside, b.Load(ctx))
		}
	}
	var traced *unpark.Load
	if of.traced != nil {
		l := of.traced.Load(ctx)
		traced = &l
	}
	c.SetLoad(measured, beside, traced)
}

// SetLoad fills the window's load figures, and what capture cost by the unprofiled stretches
// beside it and the traced one, which is nil where there was none.
func (c *Contents) SetLoad(measured unpark.Load, beside []unpark.Load, traced *unpark.Load) {
	w := &c.Window
	w.Load = &measured
	sum := 0.0
	for _, b := range beside {
		sum += b.AchievedRPS
	}
	if len(beside) > 0 {
		w.Baseline = &beside[0]
		w.Observer.Throughput = unpark.Ratio(measured.AchievedRPS, sum/float64(len(beside)))
	}
	if traced != nil {
		traceCost(&w.Observer, *traced, beside)
	}
	perRequest(w)
}

// perRequest divides the CPU of each process by the requests of the window's load.
func perRequest(w *unpark.Window) {
	for i := range w.Processes {
		p := &w.Processes[i]
		if cores, ok := p.Cores.Get(); ok {
			p.CPUPerReq = unpark.Ratio(cores*w.Seconds(), w.Load.Answered())
		}
	}
}
