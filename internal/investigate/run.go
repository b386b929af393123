package investigate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/external"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/target/build"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
	"github.com/unpark-go/unpark/internal/measure/window"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
)

// Outcome is a finished or partial run and the directory that holds it.
type Outcome struct {
	Run unpark.Run
	Dir string
}

// Run carries out the whole investigation. When it fails or ctx ends after the
// run directory was made, the error comes with a partial outcome.
func Run(ctx context.Context, c Config) (Outcome, error) {
	if c.LoadCommand != "" {
		c.Plan.Mode = unpark.External
	}
	r := newRunner(c)
	if err := r.validate(); err != nil {
		return Outcome{}, err
	}
	dir, err := store.Create(c.Dir)
	if err != nil {
		return Outcome{}, err
	}
	r.dir = dir
	err = r.pipeline(ctx)
	if stopped := r.stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return r.keep(ctx, err)
	}
	r.experiments(ctx)
	r.page()
	path, err := dir.Commit(r.run)
	return Outcome{r.run, path}, err
}

// runner is one investigation while it goes on.
type runner struct {
	c         Config
	run       unpark.Run
	throttled func() confine.Throttling // of a target that unpark did not start; may be nil
	dir       *store.Dir
	target    *target.Target
	built     *build.Folder // of a binary that unpark built
	generator *load.Generator
	loader    *external.Command // the generator that the user brought
	loadStart time.Time
	standing  *window.Standing // the mutex fraction, from before the load
	reunite   func()           // gives this process its processors back; nil when it has them
	phase     string           // the last that was told
	driven    unpark.Plan      // run.Plan is what may be shown of it
	base      string           // of URLs, for a load command
	loaded    bool             // load was driven, or a window begun
}

func newRunner(c Config) *runner { return &runner{c: c, run: newRun(c), driven: c.Plan} }

func newRun(c Config) unpark.Run {
	now := time.Now()
	return unpark.Run{
		Schema: unpark.SchemaRun, ID: now.UTC().Format("20060102T150405.000Z"), Started: now.UTC().Truncate(time.Millisecond),
		Unpark: c.Version, Host: rusage.Host(), Plan: c.Plan.Redacted(),
		Target: unpark.Target{Command: c.Command, Package: c.Package, Pprof: c.Pprof}.Redacted(),
		Limit:  unpark.Limit{Kind: unpark.LimitUnknown, Why: "the run has not reached a verdict"},
		Void:   []unpark.Notice{}, Findings: []unpark.Finding{}, Windows: []unpark.Window{}, Warnings: []unpark.Notice{},
	}
}

func (r *runner) validate() error {
	if len(r.c.Command) == 0 && r.c.Package == "" && len(r.c.Pprof) == 0 {
		return errors.New("nothing to investigate: name a command after --, a package with --pkg, or an endpoint with --pprof")
	}
	if err := CheckOwn(r.c.Own); err != nil {
		return err
	}
	if err := r.validateExperiment(); err != nil {
		return err
	}
	if r.c.Plan.Mode == unpark.External {
		return r.validateExternal()
	}
	if r.attached() && r.c.Plan.Mode != unpark.NoLoad && len(r.c.Plan.Requests) == 0 {
		return errors.New("drive load at a service that runs already: name its address with --url, or use `unpark capture` to measure the traffic it has")
	}
	return nil
}

// attached reports whether the target is not ours to start and stop.
func (r *runner) attached() bool { return len(r.c.Command) == 0 && r.c.Package == "" }

func (r *runner) pipeline(ctx context.Context) error {
	if err := r.start(ctx); err != nil {
		return err
	}
	found, err := r.endpoints(ctx)
	if err != nil {
		return err
	}
	defer closeAll(found)
	r.introduce(found)
	if r.c.Considerate {
		if err := r.consider(ctx, found); err != nil {
			return err
		}
	}
	r.standing = window.Stand(ctx, found, r.c.Rates.Mutex, r.length())
	for _, note := range r.standing.Notes {
		r.warn("lease", note, "end the other observer of this process, or wait until its lease runs out")
	}
	if err := r.plan(ctx); err != nil {
		return err
	}
	if err := r.dir.Save(r.run); err != nil {
		return err
	}
	r.loaded = true
	if err := r.search(ctx); err != nil {
		return err
	}
	var measured []window.Contents
	for i, level := range r.driven.Plans() {
		contents, err := r.level(ctx, i, level)
		if len(contents.Window.Profiles) > 0 {
			measured = append(measured, contents)
		}
		if err != nil {
			r.conclude(measured)
			return err
		}
	}
	r.tell(Event{Phase: "diagnose", Detail: "reading the profiles"})
	r.conclude(measured)
	return nil
}

// start builds and starts the target, and waits until it answers.
func (r *runner) start(ctx context.Context) error {
	if r.attached() {
		return nil
	}
	command, err := r.command(ctx)
	if err != nil {
		return err
	}
	if err := r.portFree(); err != nil {
		return err
	}
	r.tell(Event{Phase: "start", Detail: strings.Join(unpark.RedactCommand(command), " ")})
	spec := target.Spec{Command: command, Dir: r.c.WorkDir, Env: r.c.Env, Quota: r.c.Quota, Output: r.c.Output}
	spec.CPUs, spec.Dial = r.separate(), load.Dial(r.c.Plan)
	t, err := target.Start(ctx, spec)
	if err != nil {
		return err
	}
	r.target = t
	ready, cancel := context.WithTimeout(ctx, r.c.Ready)
	defer cancel()
	address := ""
	if len(r.c.Plan.Requests) > 0 {
		address = r.c.Plan.Requests[0].URL
		if after, ok := strings.CutPrefix(address, "grpc"); ok {
			address = "http" + after // who answers that with HTTP/2 is ready as well
		}
	}
	if err := t.WaitReady(ready, address); err != nil {
		return err
	}
	described := t.Describe()
	described.Package = r.c.Package
	described.Pprof = r.c.Pprof
	r.run.Target = described.Redacted()
	if len(described.CPUs) == 0 {
		r.onProcessors(confine.Allowed()) // it has those of this process
	}
	if strings.HasPrefix(described.Confinement, "none") && r.c.Quota > 0 {
		r.warn("quota", "the CPU quota was not applied: "+strings.TrimPrefix(described.Confinement, "none: "),
			"run unpark on Linux where it may write cgroups (as root, or in a delegated cgroup), or leave --cpus out")
	}
	return nil
}

// command returns what to start, building the package first if one was named.
func (r *runner) command(ctx context.Context) ([]string, error) {
	switch {
	case r.c.Package == "":
		return r.c.Command, nil
	case r.c.Built != "":
		return append([]string{r.c.Built}, r.c.Command...), nil
	}
	r.tell(Event{Phase: "build", Detail: "go build -overlay " + r.c.Package + " (the probe added, sources untouched)"})
	dir, err := build.MakeFolder(r.c.BuildDir)
	if err != nil {
		return nil, err
	}
	r.built = dir
	spec := r.c.build()
	spec.Output = filepath.Join(dir.Path, build.Binary("target"))
	if err := build.Program(ctx, spec); err != nil {
		return nil, err
	}
	return append([]string{spec.Output}, r.c.Command...), nil
}

// build is how Package is built; where to is not said.
func (c Config) build() build.Spec {
	return build.Spec{Package: c.Package, Dir: c.WorkDir, Tags: c.Tags}
}

// portFree checks that nobody else answers where the target will be asked.
func (r *runner) portFree() error {
	for _, q := range r.c.Plan.Requests {
		if socket, _, ok := unpark.SplitUnix(q.URL); ok {
			if c, err := net.Dial("unix", socket); err == nil {
				_ = c.Close()
				return fmt.Errorf("start the target: another process answers at the socket %s: stop it, or give the target another socket and name it with --url (to measure what runs there, use --pprof without a command)", socket)
			}
			continue
		}
		u, err := url.Parse(q.URL)
		if err != nil || u.Port() == "" {
			continue
		}
		hostport := net.JoinHostPort(u.Hostname(), u.Port())
		if pid, ok := sockets.Listening(hostport); ok && local(hostport) {
			holder := "another user's process"
			if pid != 0 {
				holder = fmt.Sprintf("process %d", pid)
			}
			return fmt.Errorf("start the target: port %s is in use by %s: stop it, or give the target another port and name it with --url (to measure what runs there, use --pprof without a command)", u.Port(), holder)
		}
	}
	return nil
}

// length bounds how long the whole run may take.
func (r *runner) length() time.Duration {
	p := r.run.Plan
	one := seconds(p.Warmup+p.Duration) + 2*r.c.Baseline + max(r.c.Trace, r.c.TraceMost) + 2*time.Minute
	all := one * time.Duration(max(1, len(p.Levels)))
	if r.c.SLO != nil {
		all += mostProbes * (probeWarmup + 2*probeLength)
	}
	return all
}

// stop ends the load and the target; safe to call at any point.
func (r *runner) stop() error {
	r.standing.Release()
	if r.generator != nil {
		r.generator.Stop()
		r.generator = nil
	}
	err := r.stopLoader()
	if r.target != nil {
		err = errors.Join(err, r.target.Stop())
		r.target = nil
	}
	if r.reunite != nil {
		r.reunite()
		r.reunite = nil
	}
	if gone := r.built.Remove(); err == nil {
		err = gone
	}
	return err
}

// keep saves a run that ended early. A run that failed before there was load
// has nothing to keep; one that was interrupted is kept in every phase.
func (r *runner) keep(ctx context.Context, cause error) (Outcome, error) {
	if ctx.Err() != nil {
		cause = fmt.Errorf("interrupted during %q", r.phase)
	} else if !r.loaded {
		if err := r.dir.Discard(); err != nil {
			return Outcome{}, fmt.Errorf("%w (and the empty run directory stayed: %w)", cause, err)
		}
		return Outcome{}, cause
	}
	r.run.Partial = unpark.RedactText(cause.Error()) // it may quote what others printed
	r.page()
	path, err := r.dir.Keep(r.run, r.run.Partial)
	if err != nil {
		return Outcome{r.run, ""}, fmt.Errorf("%w (and the partial run could not be kept: %w)", cause, err)
	}
	return Outcome{r.run, path}, cause
}

// ReportFile is the name of the page in a run directory.
const ReportFile = "report.html"

// page writes the report; without room for it the run document still holds the
// verdict, and the page can be made again from it.
func (r *runner) page() {
	w, err := r.dir.Create(ReportFile)
	if err == nil {
		err = report.HTML(w, r.run)
		if closed := w.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		r.warn("report", "the HTML report was not written: "+err.Error(), "make it again: unpark report --html RUN > report.html")
	}
}

func (r *runner) tell(e Event) {
	r.phase = e.Phase
	if r.c.Progress != nil {
		r.c.Progress(e)
	}
}

// warnOnce is for what each level would tell again.
func (r *runner) warnOnce(code, message, cure string) {
	if n := (unpark.Notice{Code: code, Message: message, Cure: cure}); !slices.Contains(r.run.Warnings, n) {
		r.run.Warnings = append(r.run.Warnings, n)
	}
}

func (r *runner) warn(code, message, cure string) {
	r.run.Warnings = append(r.run.Warnings, unpark.Notice{Code: code, Message: unpark.RedactText(message), Cure: cure})
}
