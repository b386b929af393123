package investigate

import (
	"context"
	"errors"
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/window"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
)

// Outcome is a finished or partial run and the directory that holds it.
type Outcome struct {
	Run unpark.Run
	Dir string

	sent map[string][]byte // profiles that are in no file of their own, by the name that the run has for them
}

// Run carries out the whole investigation. When it fails or ctx ends after the
// run directory was made, the error comes with a partial outcome.
func Run(ctx context.Context, c Config) (Outcome, error) {
	if c.LoadCommand != "" {
		c.Plan.Mode = unpark.External
	}
	r := newRunner(c)
	if err := c.validate(); err != nil {
		return Outcome{}, err
	}
	dir, err := store.Create(c.Dir)
	if err != nil {
		return Outcome{}, err
	}
	r.dir = dir
	done := r.broadcast()
	err = r.pipeline(ctx)
	if stopped := r.stop(); err == nil {
		err = stopped
	}
	if err != nil {
		done()
		return r.keep(ctx, err)
	}
	r.slowDown(ctx)
	done()
	r.page()
	path, err := dir.Commit(r.rec.run)
	return Outcome{Run: r.rec.run, Dir: path}, err
}

// runner is one investigation while it goes on.
type runner struct {
	c        Config
	rec      *record
	service  *service
	load     *driver
	dir      *store.Dir
	callees  []*callee        // services beside the target
	standing *window.Standing // the mutex fraction, from before the load
}

func newRunner(c Config) *runner {
	rec := &record{run: newRun(c), progress: c.Progress}
	s := &service{c: c, rec: rec}
	return &runner{c: c, rec: rec, service: s, load: &driver{c: c, rec: rec, service: s, plan: c.Plan}, callees: newCallees(c)}
}

func (r *runner) pipeline(ctx context.Context) error {
	if err := r.beginCallees(ctx); err != nil {
		return err
	}
	if err := r.service.start(ctx); err != nil {
		return err
	}
	found, err := r.service.endpointsHere(ctx)
	if err != nil {
		return err
	}
	defer closeAll(found)
	r.service.introduce(found)
	if r.c.Considerate {
		if err := r.consider(ctx, found); err != nil {
			return err
		}
	}
	r.stand(ctx, found)
	if err := r.load.prepare(ctx); err != nil {
		return err
	}
	if err := r.dir.Save(r.rec.run); err != nil {
		return err
	}
	r.service.loaded = r.c.Agents == nil // agents may refuse
	if err := r.load.search(ctx); err != nil {
		return err
	}
	var measured []window.Contents
	for i, level := range r.load.plan.Plans() {
		contents, err := r.level(ctx, i, level)
		if len(contents.Window.Profiles) > 0 {
			measured = append(measured, contents)
		}
		if err != nil {
			r.conclude(measured)
			return err
		}
	}
	r.rec.tell(Event{Phase: "diagnose", Detail: "reading the profiles"})
	r.conclude(measured)
	return nil
}

// stand sets the mutex fraction before there is load, unless a guard has done that.
func (r *runner) stand(ctx context.Context, found []*window.Endpoint) {
	standing := r.c.Since
	if standing == nil {
		r.standing = window.Stand(ctx, found, window.Rates{Mutex: r.c.Rates.Mutex}, r.c.length())
		standing = r.standing
	}
	r.rec.wrote(standing.Writes)
	for _, note := range standing.Notes {
		r.rec.warn("lease", note, "end the other observer of this process, or wait until its lease runs out")
	}
}

// stop ends the load and the target; safe to call at any point.
func (r *runner) stop() error {
	r.standing.Release()
	return errors.Join(r.load.stop(), r.service.stop(), r.stopCallees())
}

// keep saves a run that ended early. A run that failed before there was load
// has nothing to keep; one that was interrupted is kept in every phase.
func (r *runner) keep(ctx context.Context, cause error) (Outcome, error) {
	if ctx.Err() != nil {
		cause = fmt.Errorf("interrupted during %q", r.rec.phase)
	} else if !r.service.loaded {
		if err := r.dir.Discard(); err != nil {
			return Outcome{}, fmt.Errorf("%w (and the empty run directory stayed: %w)", cause, err)
		}
		return Outcome{}, cause
	}
	r.rec.run.Partial = unpark.RedactText(cause.Error()) // it may quote what others printed
	r.page()
	path, err := r.dir.Keep(r.rec.run, r.rec.run.Partial)
	if err != nil {
		return Outcome{Run: r.rec.run}, fmt.Errorf("%w (and the partial run could not be kept: %w)", cause, err)
	}
	return Outcome{Run: r.rec.run, Dir: path}, cause
}

// ReportFile is the name of the page in a run directory.
const ReportFile = "report.html"

func (r *runner) page() { writePage(r.dir, &r.rec.run) }

func page(d *store.Dir, run unpark.Run) error {
	w, err := d.Create(ReportFile)
	if err != nil {
		return err
	}
	return errors.Join(report.HTML(w, run), w.Close())
}
