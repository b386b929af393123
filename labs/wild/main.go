// Wild holds unpark against documented faults of real modules, before and after their
// fix, and against controls that are healthy or slow on purpose.
//
//	go run ./labs/wild                       every case, both variants (make wild)
//	go run ./labs/wild -half work            the half that rules are made from
//	go run ./labs/wild -half report          the half that is only reported
//	go run ./labs/wild -case NAME -keep      one case, and its run directory
//	go run ./labs/wild -variant before       of each case the service with its fault alone
//	go run ./labs/wild -judge DIR            runs that -work DIR kept, by the rules and the source of now
//	go run ./labs/wild -judge DIR -unknown   the same, as if the catalogue of advice had no module in it
//	go run ./labs/wild -ledger FILE          each forecast, with what the fix brought, is added to a file as a line of JSON
//	go run ./labs/wild -servers              whole servers, each with two loads (make wild-servers); -judge DIR as well
//	go run ./labs/wild -servers -build       only builds them, for a later run; -case NAME for one
//	go run ./labs/wild -turn 3/12            the third twelfth: what CI runs of it
//
// The second half is the newest edition of cases, written when rules were already made: it
// is not looked at while they are changed.
//
// Exit status: 0 all cases could be run, 2 usage, or a case that could not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "wild:", err)
		os.Exit(2)
	}
}

// options are what the flags say.
type options struct {
	dir, half, unpark, work, turn string
	kept, variant, ledger         string
	names                         []string
	length, trace                 time.Duration
	keep, list, build, servers    bool
	crowded, unknown              bool
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	var o options
	fs := flag.NewFlagSet("wild", flag.ContinueOnError)
	fs.StringVar(&o.dir, "dir", casesDir, "`folder` of the cases")
	fs.StringVar(&o.half, "half", "", "work or report; both when empty")
	fs.StringVar(&o.unpark, "unpark", "", "the `program`; built from this tree when empty")
	fs.StringVar(&o.work, "work", "", "`folder` for runs; a temporary one when empty")
	fs.StringVar(&o.kept, "judge", "", "`folder` of kept runs, which are judged again")
	fs.StringVar(&o.variant, "variant", "", "before or after; both when empty")
	fs.StringVar(&o.ledger, "ledger", "", "`file` to which each forecast is added, with what the fix brought, as a line of JSON")
	fs.StringVar(&o.turn, "turn", "", "`part/of`: only every so manieth case")
	fs.Func("case", "`name` of a case; repeatable", func(name string) error { o.names = append(o.names, name); return nil })
	fs.DurationVar(&o.length, "window", 8*time.Second, "`length` of a window")
	fs.DurationVar(&o.trace, "trace", 0, "`length` of a trace; unpark's own choice when 0")
	fs.BoolVar(&o.keep, "keep", false, "keep the run directories")
	fs.BoolVar(&o.list, "list", false, "only list the cases")
	fs.BoolVar(&o.servers, "servers", false, "whole servers in place of cases: of labs/wild/servers, or of -dir")
	fs.BoolVar(&o.crowded, "crowded", false, "take runs as they are that something else disturbed")
	fs.BoolVar(&o.unknown, "unknown", false, "judge as if the catalogue of advice had no module in it")
	fs.BoolVar(&o.build, "build", false, "only build the services, or the servers")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if o.servers {
		return o.serve(ctx, out)
	}
	cases, err := o.cases()
	if err != nil {
		return err
	}
	if o.list {
		for _, f := range cases {
			fmt.Fprintf(out, "%-34s %-7s %-8s %s\n", f.Name, f.Kind, f.half(), f.Source)
		}
		return nil
	}
	b, leave, err := o.bench(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	if o.build {
		return b.buildAll(ctx, cases, out)
	}
	t, done, err := o.table(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if err := o.each(ctx, b, cases, &t); err != nil {
		return err
	}
	return t.totals()
}

// each runs cases, or reads the runs of them that were kept, and judges them.
func (o options) each(ctx context.Context, b bench, cases []fault, t *table) error {
	t.head()
	for _, f := range cases {
		for _, variant := range f.variants() {
			if o.variant != "" && o.variant != variant || o.kept != "" && !b.isKept(f, variant) {
				continue
			}
			doc, err := b.quiet(ctx, f, variant)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.add(judge(f, variant, doc, err))
		}
	}
	return nil
}

// table is an empty one, with its ledger where that was asked for, and what ends it.
func (o options) table(out io.Writer) (table, func() error, error) {
	if o.ledger == "" {
		return table{out: out}, func() error { return nil }, nil
	}
	to, err := os.OpenFile(o.ledger, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return table{}, nil, fmt.Errorf("ledger of forecasts: %w", err)
	}
	return table{out: out, ledger: to}, to.Close, nil
}

// serve runs whole servers.
func (o options) serve(ctx context.Context, out io.Writer) (err error) {
	dir := o.dir
	if dir == casesDir {
		dir = "labs/wild/servers"
	}
	all, err := servers(dir, o.names)
	if err != nil {
		return err
	}
	b, leave, err := o.bench(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	if o.build {
		return b.buildServers(ctx, all, out)
	}
	t := table{out: out}
	t.head()
	return b.serve(ctx, all, &t)
}

// casesDir is where the cases are, from the root of the repository.
const casesDir = "labs/wild/cases"

// cases are the ones that were asked for.
func (o options) cases() ([]fault, error) {
	all, err := load(o.dir)
	if err != nil {
		return nil, err
	}
	for _, name := range o.names {
		if !slices.ContainsFunc(all, func(f fault) bool { return f.Name == name }) {
			return nil, fmt.Errorf("no case %q in %s", name, o.dir)
		}
	}
	part, of := 0, 1
	if o.turn != "" {
		if n, err := fmt.Sscanf(o.turn, "%d/%d", &part, &of); n != 2 || err != nil || of < 1 || part < 0 || part >= of {
			return nil, fmt.Errorf("-turn %q: want PART/OF, from 0", o.turn)
		}
	}
	var out []fault
	for i, f := range all {
		named := len(o.names) == 0 || slices.Contains(o.names, f.Name)
		if named && (o.half == "" || f.half() == o.half) && i%of == part {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no case is left")
	}
	return out, nil
}

// bench builds unpark where none was given.
func (o options) bench(ctx context.Context) (bench, func() error, error) {
	work, leave := o.work, func() error { return nil }
	if work == "" {
		dir, err := os.MkdirTemp("", "wild")
		if err != nil {
			return bench{}, nil, err
		}
		work = dir
		if !o.keep {
			leave = func() error { return os.RemoveAll(dir) }
		} else {
			fmt.Fprintln(os.Stderr, "runs in", dir)
		}
	}
	if err := os.MkdirAll(work, 0o700); err != nil {
		return bench{}, leave, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return bench{}, leave, err
	}
	kept, program := o.kept, o.unpark
	for _, path := range []*string{&work, &kept, &program} { // unpark runs in the folder of a case
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return bench{}, leave, fmt.Errorf("find folder: %w", err)
		}
	}
	b := bench{unpark: program, bin: filepath.Join(cache, "unpark", "wild"), work: work, length: o.length, trace: o.trace, kept: kept, crowded: o.crowded}
	if b.unpark == "" {
		b.unpark = filepath.Join(work, "unpark")
		args := []string{"build", "-o", b.unpark, "./cmd/unpark"}
		if o.unknown {
			args = slices.Insert(args, 1, "-tags", "nomodules")
		}
		if text, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
			return b, leave, fmt.Errorf("build unpark: %w: %s", err, last(string(text)))
		}
	}
	b.unpark, err = filepath.Abs(b.unpark)
	return b, leave, err
}

func (b bench) buildAll(ctx context.Context, cases []fault, out io.Writer) error {
	var errs error
	for _, f := range cases {
		for _, variant := range f.variants() {
			start := time.Now()
			_, err := f.build(ctx, variant, b.bin)
			fmt.Fprintf(out, "%-34s %-7s %s\n", f.Name, variant, time.Since(start).Round(time.Second))
			errs = errors.Join(errs, err)
		}
	}
	return errs
}

// table prints rows as they come.
type table struct {
	out    io.Writer
	ledger io.Writer // of forecasts; nil for none
	rows   []row
}

const layout = "%-34s %-7s %-12s %-4s %-52s %-4s %-4s %-6s %s\n"

func (t *table) head() {
	fmt.Fprintf(t.out, layout, "case", "variant", "limit", "", "first finding", "top1", "top3", "advice", "false")
}

func (t *table) add(r row) {
	t.rows = append(t.rows, r)
	first := "–"
	if fs := r.run.Findings; len(fs) > 0 {
		first = string(fs[0].Class)
		if of := functions(fs[0]); len(of) > 0 { // garbage that is everybody's has no place
			first += " " + of[0]
		}
	}
	limit := string(r.run.Limit.Kind)
	if r.err != nil {
		limit, first = "error", r.err.Error()
	}
	if len(first) > 52 {
		first = "…" + first[len(first)-50:]
	}
	fmt.Fprintf(t.out, layout, r.Name, r.variant, limit, r.limit, first, r.top1, r.top3, r.advice, none(r.alarms))
	for _, what := range r.contradict {
		fmt.Fprintln(t.out, "  contradiction:", what)
	}
}

func none(n int) string {
	if n == 0 {
		return "."
	}
	return fmt.Sprint(n)
}
