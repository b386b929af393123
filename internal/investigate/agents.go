package investigate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/steady"
	"github.com/unpark-go/unpark/internal/measure/window"
)

func (c Config) validateAgents() error {
	switch {
	case c.Agents == nil:
		return nil
	case c.Plan.Mode == unpark.NoLoad:
		return nil
	case len(c.Plan.Requests) == 0:
		return errors.New("drive load from agents: name the service's address as they reach it with --url")
	case c.LoadCommand != "" || c.Slowdown > 0 || !c.Plan.Mode.Open() && c.Plan.Mode != unpark.Closed && c.Plan.Mode != unpark.Sweep:
		return errors.New("drive load from agents: they drive unpark's own load alone, without an experiment")
	}
	return nil
}

// remote reports whether all that is captured is captured by agents.
func (c Config) remote() bool {
	return c.Agents != nil && len(c.Agents.Capture) > 0 && len(c.Command) == 0 && c.Package == "" && len(c.Pprof) == 0
}

// endpointsHere are those that this machine captures.
func (s *service) endpointsHere(ctx context.Context) ([]*window.Endpoint, error) {
	if s.c.remote() {
		return nil, nil
	}
	return s.endpoints(ctx)
}

// byAgents measures one level with the load of agents: every machine captures its own
// processes in the same window.
func (r *runner) byAgents(ctx context.Context, i int, plan unpark.Plan) (window.Contents, error) {
	found, err := r.service.endpointsHere(ctx)
	if err != nil {
		return window.Contents{}, err
	}
	defer closeAll(found)
	a := r.c.Agents
	name := fmt.Sprintf("window-%02d", i+1)
	order := fleet.Order{
		Agents: a.Agents, Plan: plan, Loading: a.Loading(), Hosts: a.Hosts, Window: name, Capture: a.Capture,
		Phases: fleet.Phases(seconds(plan.Warmup), seconds(plan.Duration), r.c.Baseline, r.c.Trace, true),
		Block:  r.c.Rates.Block, Mutex: r.c.Rates.Mutex, Create: r.dir.Create,
	}
	if order.Open = plan.P99Within > 0; order.Open {
		order.Phases = fleet.Phases(seconds(plan.Warmup), 0, 0, 0, false)
	}
	order.Plan.Hosts = nil // each agent looks names up for itself
	for _, e := range found {
		order.Taken = append(order.Taken, e.PID)
	}
	session, err := a.Fleet.Begin(ctx, order)
	if err != nil {
		return window.Contents{}, err
	}
	defer session.End()
	r.service.loaded = true
	l := agentsLevel{r, i, order, session, plan}
	shown := l.watch()
	var contents window.Contents
	var result fleet.Result
	settled, err := l.settle(ctx)
	if err == nil {
		contents, err = l.here(ctx, found)
	}
	if err != nil {
		shown()
		return contents, err
	}
	result, err = session.Wait(ctx)
	shown()
	r.rec.run.Agents = result.Agents
	r.rec.run.Void = append(r.rec.run.Void, result.Void...)
	contents.Warnings = append(contents.Warnings, result.Warnings...)
	l.together(&contents, result)
	l.judge(&contents, settled)
	if err == nil {
		err = r.c.missing(plan, contents.Window, result)
	}
	return contents, err
}

// missing says what a window by agents lacks without which there is no verdict, and why.
func (c Config) missing(plan unpark.Plan, w unpark.Window, r fleet.Result) error {
	none := plan.Mode == unpark.NoLoad
	switch {
	case !none && w.Load == nil:
		return errors.New("no agent's part of the load can be trusted" + first(r.Void))
	case len(w.Profiles) == 0 && (none || c.remote()):
		return errors.New("no agent has captured anything" + first(r.Warnings))
	}
	return nil
}

func first(ns []unpark.Notice) string {
	if len(ns) == 0 {
		return ""
	}
	return ": " + ns[0].Message
}

// agentsLevel is one level with the load of agents, while it is measured.
type agentsLevel struct {
	*runner
	i       int // of the level
	order   fleet.Order
	session *fleet.Session
	plan    unpark.Plan // its duration is that of the window
}

// here captures the processes of this machine at the instants of the agents.
func (r *agentsLevel) here(ctx context.Context, found []*window.Endpoint) (window.Contents, error) {
	if len(found) == 0 {
		return window.Contents{}, nil
	}
	options := window.Options{
		Name: r.order.Window, Duration: seconds(r.plan.Duration), Trace: r.c.Trace, Rates: r.c.Rates, Level: r.order.Plan.Level(),
		Endpoints: found, Create: r.dir.Create, Throttled: r.service.throttled,
		Pace: func(ctx context.Context, phase string, ahead time.Duration) (time.Duration, error) {
			for _, p := range r.session.Course.Phases() {
				if p.Name == phase {
					at := r.session.Start().Add(p.At)
					err := sleepUntil(ctx, at.Add(-ahead))
					return time.Until(at), err
				}
			}
			return 0, nil
		},
	}
	if r.service.target != nil {
		options.Processes, options.Throttled = r.service.target.Processes, r.service.target.Throttled
	}
	var before time.Duration // the window, when what lies before it is over
	for _, p := range r.session.Course.Phases() {
		if p.Name == "window" {
			break
		}
		before = p.At + p.Length
	}
	if err := sleepUntil(ctx, r.session.Start().Add(before)); err != nil {
		return window.Contents{}, err
	}
	inside, cancel := r.service.untilItDies(ctx)
	defer cancel()
	contents, err := window.Measure(inside, options)
	r.rec.wrote(contents.Writes)
	if dead := r.service.alive(); dead != nil {
		err = dead
	}
	return contents, err
}

// settle lets the load of all agents become steady where the plan asks how well its p99 is to be known, as [driver.settle] does
// with that of this machine: what all recorded of each block together decides.
func (r *agentsLevel) settle(ctx context.Context) (steady.Settled, error) {
	if !r.order.Open {
		return steady.Settled{}, nil
	}
	block := func(ctx context.Context, seconds float64) (unpark.Load, error) {
		l, err := r.session.Course.Block(ctx, seconds)
		if dead := r.service.alive(); dead != nil {
			err = dead
		}
		return l, err
	}
	s, err := steady.Settle(ctx, r.plan.P99Within, r.plan.Duration, block)
	if err != nil {
		return s, fmt.Errorf("wait until the load of agents is steady: %w", err)
	}
	r.plan.Duration = s.Window
	r.rec.tell(Event{Phase: "steady", Detail: s.String()})
	return s, r.session.Course.Last(ctx, fleet.Phases(0, seconds(s.Window), r.c.Baseline, r.c.Trace, true))
}

// judge says how well the p99 of the window is known, where that was asked for.
func (r *agentsLevel) judge(c *window.Contents, settled steady.Settled) {
	if l := c.Window.Load; l != nil && r.order.Open {
		var notices []unpark.Notice
		l.Precision, notices = settled.Judge(*l, c.Window.Timeline)
		c.Warnings = append(c.Warnings, notices...)
	}
}

func sleepUntil(ctx context.Context, at time.Time) error {
	t := time.NewTimer(time.Until(at))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// watch tells how the load of all goes until its result is called.
func (r *agentsLevel) watch() (stop func()) {
	if r.rec.progress == nil {
		return func() {}
	}
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		t := time.NewTicker(250 * time.Millisecond)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
			}
			var e Event
			e.Phase, e.Left = r.session.Course.Phase()
			if r.order.Plan.Mode != unpark.NoLoad {
				rps, p99, failed, inFlight := r.session.Live()
				e.Live = &load.Live{Phase: e.Phase, RPS: rps, P99: p99, Errors: failed, InFlight: inFlight}
			}
			r.rec.tell(e)
		}
	}()
	return func() {
		close(done)
		<-over
	}
}

// together adds to the window of this machine what agents have seen.
func (r *agentsLevel) together(c *window.Contents, result fleet.Result) {
	w := &c.Window
	if w.Start.IsZero() {
		for _, p := range r.session.Course.Phases() {
			if p.Name == "window" {
				w.Start = r.session.Start().Add(p.At).Round(0)
				w.End = w.Start.Add(p.Length)
			}
		}
		w.Level = r.order.Plan.Level()
		if len(result.Windows) == 1 {
			w.Machine = result.Windows[0].Machine
		}
	}
	w.Machine.GeneratorCPUs, w.Machine.GeneratorQuota = 0, unpark.Number{} // it is judged where it ran
	for _, other := range result.Windows {
		c.Join(other)
		r.rec.run.Target.Elsewhere = true
	}
	if measured, beside, traced := result.Loads(); measured != nil {
		c.SetLoad(*measured, beside, traced)
		w.Timeline = result.Record.Ticks()
		c.Warnings = append(c.Warnings, r.keepLatency(result)...)
	}
	if len(result.Windows) > 0 {
		r.decode(c)
	}
}

// keepLatency writes the response times of all agents together.
func (r *agentsLevel) keepLatency(result fleet.Result) []unpark.Notice {
	var failed []error
	for file, write := range map[string]func(io.Writer) error{
		"latency.hgrm": func(w io.Writer) error { return result.Record.Percentiles(w, result.Measured()) },
		"latency.hlog": result.Record.Log,
	} {
		w, err := r.dir.Create(path.Join(r.order.Window, file))
		if err == nil {
			err = errors.Join(write(w), w.Close())
		}
		failed = append(failed, err)
	}
	if err := errors.Join(failed...); err != nil {
		return []unpark.Notice{{Code: "file", Message: "response times were not written: " + err.Error(), Cure: "free space on the disk, or choose another place with --out; the verdict stands without them"}}
	}
	return nil
}

// decode reads the profiles of the window from the run directory, where agents' artifacts were
// streamed to.
func (r *agentsLevel) decode(c *window.Contents) {
	run := r.rec.run
	run.Windows = make([]unpark.Window, r.i+1)
	run.Windows[r.i] = c.Window
	in, bad := input(run, r.i, r.dir.Path())
	c.Profiles, c.Snapshots, c.Lost = in.Profiles, in.Snapshots, in.Lost
	c.Warnings = append(c.Warnings, bad...)
}
