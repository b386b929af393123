package investigate

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// calleeName is what a service may be called: it becomes a folder of the run.
var calleeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// validateCallees checks the names, and that there is one window to take them in.
func (c Config) validateCallees() error {
	seen := map[string]bool{}
	for _, o := range c.Callees {
		switch {
		case !calleeName.MatchString(o.Name):
			return fmt.Errorf("service %q: call it by letters, digits, dots and dashes, such as inventory", o.Name)
		case seen[o.Name]:
			return fmt.Errorf("two services are called %s: give each a name of its own", o.Name)
		case len(o.Pprof) == 0 && len(o.Command) == 0:
			return fmt.Errorf("service %s: name its endpoint, its process or its command", o.Name)
		}
		seen[o.Name] = true
	}
	return nil
}

// callee is a service that the target asks, while the run goes on.
type callee struct {
	Name     string
	service  *service
	standing *window.Standing
	measured map[string]window.Contents // by the name of the target's window
}

func newCallees(c Config) []*callee {
	var out []*callee
	for _, o := range c.Callees {
		own := Config{
			Command: o.Command, Pprof: o.Pprof, WorkDir: c.WorkDir, Token: c.Token, Own: c.Own, Env: c.Env, Ready: c.Ready,
			Output: c.Output, Version: c.Version, Rates: c.Rates, Plan: unpark.Plan{Mode: unpark.NoLoad, Duration: c.Plan.Duration},
		}
		out = append(out, &callee{
			Name: o.Name, measured: map[string]window.Contents{},
			service: &service{c: own, rec: &record{run: newRun(own), progress: c.Progress}, beside: true},
		})
	}
	return out
}

// beginCallees starts the services that are to be started, finds all of them, and turns on what has to
// be on before there is load.
func (r *runner) beginCallees(ctx context.Context) error {
	for _, o := range r.callees {
		if err := o.service.start(ctx); err != nil {
			return fmt.Errorf("service %s: %w", o.Name, err)
		}
		found, err := o.service.endpoints(ctx)
		if err != nil {
			return fmt.Errorf("service %s: %w", o.Name, err)
		}
		o.service.introduce(found)
		o.standing = window.Stand(ctx, found, window.Rates{Mutex: r.c.Rates.Mutex}, r.c.length())
		closeAll(found)
	}
	return nil
}

// stopCallees ends those that were started; safe to call at any point.
func (r *runner) stopCallees() error {
	var errs []error
	for _, o := range r.callees {
		o.standing.Release()
		errs = append(errs, o.service.stop())
	}
	return errors.Join(errs...)
}

// alongside captures the services in the window of the target, which begins when opened is
// called; join waits for them. What fails is told as a warning: the target's window stands.
func (r *runner) alongside(ctx context.Context, o window.Options) (opened func(), join func()) {
	var wg sync.WaitGroup
	opened = sync.OnceFunc(func() {
		for _, s := range r.callees {
			wg.Go(func() { s.measure(ctx, o) })
		}
	})
	return opened, func() {
		wg.Wait()
		for _, s := range r.callees {
			for _, n := range s.service.rec.run.Warnings {
				r.rec.warnOnce(n.Code, s.Name+": "+n.Message, n.Cure)
			}
			s.service.rec.run.Warnings = nil
		}
	}
}

func (s *callee) measure(ctx context.Context, of window.Options) {
	found, err := s.service.endpoints(ctx)
	if err != nil {
		s.service.rec.warn("service", err.Error(), "start it again, and keep it running until the window ends")
		return
	}
	defer closeAll(found)
	o := window.Options{
		Name: path.Join(calleeFolder(s.Name), of.Name), Duration: of.Duration, Trace: of.Trace, TraceMost: of.Trace,
		Rates: of.Rates, Level: of.Level, Endpoints: found, Create: of.Create, Beside: of.Generator, Clients: true, Cut: of.Cut,
		Throttled: s.service.throttled,
	}
	o.TraceMost = of.TraceMost
	if s.service.target != nil {
		o.Processes, o.Throttled = s.service.target.Processes, s.service.target.Throttled
	}
	inside, cancel := s.service.untilItDies(ctx)
	defer cancel()
	c, err := window.Measure(inside, o)
	if dead := s.service.alive(); dead != nil {
		err = dead
	}
	if err != nil {
		s.service.rec.warn("service", fmt.Sprintf("it was not captured to the end: %v", err), "keep it running until the window ends")
	}
	if len(c.Window.Profiles) > 0 {
		s.measured[of.Name] = c
		s.service.rec.run.Warnings = append(s.service.rec.run.Warnings, c.Warnings...)
	}
}

// calleeFolder is where the files of a service are in the run's directory.
func calleeFolder(name string) string { return "service-" + name }

// captured are the services of one window, for the verdict.
func (r *runner) captured(i int) []side {
	var out []side
	for _, o := range r.callees {
		c, ok := o.measured[windowName(i)]
		if !ok {
			continue
		}
		t := o.service.rec.run.Target
		in := r.input(c)
		in.Target = t
		in.Plan = o.service.rec.run.Plan
		out = append(out, side{name: o.Name, target: t, in: in})
	}
	return out
}

// windowName is the folder of the i-th window.
func windowName(i int) string { return fmt.Sprintf("window-%02d", i+1) }

// nameOf is what the target is called beside other services.
func nameOf(t unpark.Target) string {
	switch {
	case t.Package != "" && t.Package != ".":
		return path.Base(t.Package)
	case len(t.Command) > 0:
		return filepath.Base(t.Command[0])
	case t.Module != "":
		return path.Base(t.Module)
	}
	return "the target"
}
