package arms

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark/labs/expect"
)

// Request is one arm to run.
type Request struct {
	Lab  expect.Lab
	Arm  expect.Arm
	Rate string // what "calibration" stands for
	Dir  string // the run directory; must not exist
	// Progress is where unpark tells what it does; nil for quiet.
	Progress io.Writer
	Settings
	addr string
}

// Result is how a run ended. A verdict is in the run directory.
type Result struct {
	Exit    int     // of unpark; 0 a verdict, 4 void
	Seconds float64 // from the start of unpark to its end
	Said    string  // the end of its standard error
}

func (r Request) base() string { return "http://" + r.addr }

// Run carries out a request and writes unpark's own output to out. An error means
// that there is no verdict for reasons of this program or of ctx; one of unpark's
// is a Result.
func (b *Bench) Run(ctx context.Context, r Request, out io.Writer) (res Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.Most)
	defer cancel()
	p, err := b.place(ctx, r.Lab, r.Arm)
	if err != nil {
		return res, err
	}
	defer p.leave(&err)
	also, err := rooms(r.Arm.Also)
	if err != nil {
		return res, err
	}
	r.addr, r.Arm = p.addr, p.located(r.Arm, also)
	args, err := b.arguments(r, p.scratch)
	if err != nil {
		return res, err
	}
	asked, err := b.also(ctx, r, p, also)
	if err != nil {
		return res, err
	}
	args = append(args, asked...)
	if r.Attach {
		return b.attached(ctx, r, args, out)
	}
	if r.Arm.GeneratorCPUs > 0 {
		return b.confined(ctx, r, args, p.scratch, out)
	}
	return b.drive(ctx, append(args, b.target(r)...), nil, out, r.Progress)
}

// arguments are those of `unpark run`, without the service.
func (b *Bench) arguments(r Request, scratch string) ([]string, error) {
	load, window := lengthened(r.Arm.Load, r.Window)
	args := []string{
		"run", "--out", r.Dir, "--duration", window.String(), "--warmup", r.Warmup.String(),
		"--baseline", r.Baseline.String(), "--trace", r.Trace.String(),
	}
	if r.Progress == nil {
		args = append(args, "--quiet")
	}
	args = append(args, at(load, r.Rate)...)
	requests, err := b.requests(r.Lab, r.Arm, r.base(), scratch)
	return append(args, requests...), err
}

// also are the flags that name the services which the arm's own asks: unpark starts them, or reads those that were started apart.
func (b *Bench) also(ctx context.Context, r Request, p *place, at map[string]string) (args []string, err error) {
	var apart map[string]*service
	if r.Attach {
		if apart, err = b.startAlso(ctx, p, r.Lab, r.Arm, at); err != nil {
			return nil, err
		}
	}
	for _, name := range r.Arm.Also.Names() {
		what := strings.Join(append([]string{b.binary(r.Lab), "-addr", at[name]}, r.Arm.Also[name]...), " ")
		if s := apart[name]; s != nil {
			what = strconv.Itoa(s.pid)
		}
		args = append(args, "--also", name+"="+what)
	}
	return args, nil
}

// lengthened takes the duration out of an arm's flags: the longer one counts.
func lengthened(load []string, window time.Duration) ([]string, time.Duration) {
	var rest []string
	for i := 0; i < len(load); i++ {
		if load[i] == "--duration" && i+1 < len(load) {
			i++
			if own, err := time.ParseDuration(load[i]); err == nil {
				window = max(window, own)
				continue
			}
			rest = append(rest, load[i-1])
		}
		rest = append(rest, load[i])
	}
	return rest, window
}

// at puts a rate where the service's own is asked for.
func at(load []string, rate string) []string {
	out := slices.Clone(load)
	for i, a := range out {
		if a == fromService || a == rampFromService {
			out[i] = rate
		}
	}
	return out
}

// requests are the flags that say what is asked for.
func (b *Bench) requests(lab expect.Lab, arm expect.Arm, base, scratch string) ([]string, error) {
	var args []string
	if arm.Targets == "" {
		for _, path := range Paths(arm.Path) {
			args = append(args, "--url", base+path)
		}
		return args, nil
	}
	file := filepath.Join(scratch, filepath.Base(arm.Targets))
	data, err := os.ReadFile(filepath.Join(b.root, lab.Package, arm.Targets))
	if err != nil {
		return nil, fmt.Errorf("read the requests of %s: %w", lab.Name, err)
	}
	data = host.ReplaceAll(data, []byte(base))
	return append(args, "--targets", file), os.WriteFile(file, data, 0o600)
}

// host matches the host of a URL in a file of requests.
var host = regexp.MustCompile(`http://[^/\s]+`)

// target is the end of the command line: the service and how it comes to a probe.
func (b *Bench) target(r Request) []string {
	service := append([]string{"-addr", r.addr}, r.Arm.Args...)
	if r.Lab.Probe == expect.ProbeAdded {
		return append([]string{"--pkg", r.Lab.Package, "--"}, service...)
	}
	return append([]string{"--", b.binary(r.Lab)}, service...)
}

// drive runs unpark, behind the words of wrap.
func (b *Bench) drive(ctx context.Context, args, wrap []string, out, progress io.Writer) (Result, error) {
	line := append(append([]string{}, wrap...), append([]string{b.unpark()}, args...)...)
	c := exec.CommandContext(ctx, line[0], line[1:]...)
	var said bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = b.root, out, &said
	if progress != nil {
		c.Stderr = progress
	}
	// Interrupted it stops its target, and keeps what it has.
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	begin := time.Now()
	err := c.Run()
	res := Result{Seconds: time.Since(begin).Seconds(), Said: tail(said.String())}
	if ctx.Err() != nil {
		return res, fmt.Errorf("run %s: %w", strings.Join(args, " "), ctx.Err())
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		res.Exit = exit.ExitCode()
		return res, nil
	}
	return res, err
}

// confined runs the service apart and unpark in a cgroup, so that the quota is
// the generator's alone.
func (b *Bench) confined(ctx context.Context, r Request, args []string, scratch string, out io.Writer) (Result, error) {
	group, err := newGroup(r.Arm.GeneratorCPUs)
	if err != nil {
		return Result{}, err
	}
	defer group.remove()
	p, err := b.start(ctx, r.Lab, append([]string{"-addr", r.addr}, r.Arm.Args...), io.Discard, "UNPARK_PROBE=unix:"+scratch)
	if err != nil {
		return Result{}, err
	}
	defer p.stop()
	if err := p.answers(ctx, r.addr); err != nil {
		return Result{}, err
	}
	args = append(args, "--pprof", "unix://"+filepath.Join(scratch, strconv.Itoa(p.pid)+".sock"))
	return b.drive(ctx, args, group.wrap(), out, r.Progress)
}

// attached runs the service apart, without a probe, and has its processes read from outside.
func (b *Bench) attached(ctx context.Context, r Request, args []string, out io.Writer) (Result, error) {
	p, err := b.start(ctx, r.Lab, append([]string{"-addr", r.addr}, r.Arm.Args...), io.Discard)
	if err != nil {
		return Result{}, err
	}
	defer p.stop()
	if err := p.answers(ctx, r.addr); err != nil {
		return Result{}, err
	}
	return b.drive(ctx, append(args, "--pid-of", filepath.Base(b.binary(r.Lab))), nil, out, r.Progress)
}

// Compare prints two runs side by side.
func (b *Bench) Compare(ctx context.Context, before, after string, out, progress io.Writer) (Result, error) {
	return b.drive(ctx, []string{"compare", before, after}, nil, out, progress)
}

// Paths expands the path of an arm: "/lookup/{0..63}" is 64 of them.
func Paths(path string) []string {
	var low, high int
	before, rest, ok := strings.Cut(path, "{")
	_, after, _ := strings.Cut(rest, "}")
	if _, err := fmt.Sscanf(rest, "%d..%d}", &low, &high); !ok || err != nil {
		return []string{path}
	}
	var out []string
	for i := low; i <= high; i++ {
		out = append(out, before+strconv.Itoa(i)+after)
	}
	return out
}

// tail is the end of a text, at most some lines.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}
