package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/bench"
	"github.com/unpark-go/unpark/internal/measure/target/build"
)

// Config says which benchmarks of which revisions to run, and how.
type Config struct {
	Before, After string   // git revisions; "." is the working tree
	Packages      []string // patterns of the go command; none: "."
	Pattern       string   // of benchmarks, as go test -bench has it
	WorkDir       string   // where packages are looked up; empty: this process's folder
	BuildDir      string   // where folders for builds are made; empty: the user's cache
	Tags          string
	Dir           string        // of the result; must not exist
	Rounds        int           // 0: DefaultRounds
	Time          time.Duration // of a benchmark in a round (-benchtime); 0: DefaultTime
	Budget        time.Duration // no round begins that would end after it; 0: none
	Profile       bool          // for the functions that changed
	Seed          uint64        // of the order of the arms
	Options       bench.Options
	Tell          func(line string) // may be nil
}

// WorkingTree is the revision that stands for the files as they are now.
const WorkingTree = "."

// Defaults: many short runs tell more than a few long ones.
const (
	DefaultRounds = 20
	DefaultTime   = 500 * time.Millisecond // as long as the yardstick beside it needs
)

// Outcome is what came of it, and the folder that holds it.
type Outcome struct {
	Document unpark.Benchmarks
	Dir      string
}

// Run runs benchmarks in turns and compares them. Where ctx ends, or benchmarks fail, what is known comes with the error.
// What was built is removed and what was started is ended in any case.
func Run(ctx context.Context, c Config) (Outcome, error) {
	if c.Rounds <= 0 {
		c.Rounds = DefaultRounds
	}
	if c.Time <= 0 {
		c.Time = DefaultTime
	}
	if len(c.Packages) == 0 {
		c.Packages = []string{"."}
	}
	e := &experiment{c: c, began: time.Now(), chance: rand.New(rand.NewPCG(c.Seed, 0)), broken: map[bench.ID]bool{}} //nolint:gosec // no secret: it is printed
	defer e.discard()
	if err := e.build(ctx); err != nil {
		return Outcome{}, interrupted(ctx, err)
	}
	if err := e.list(ctx); err != nil {
		return Outcome{}, interrupted(ctx, err)
	}
	var err error
	if e.out, err = newFolder(c.Dir); err != nil {
		return Outcome{}, err
	}
	err = e.rounds(ctx)
	return e.conclude(ctx, err)
}

// interrupted says in a word that ctx ended; otherwise the error stays as it is.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// experiment is a comparison of benchmarks while it goes on.
type experiment struct {
	c      Config
	began  time.Time
	chance *rand.Rand
	arms   [2]*arm // before, after
	both   []benchmark
	only   [2][]string
	out    *folder

	begun    int // rounds
	pairs    map[bench.ID][]bench.Pair
	modules  map[string]string // of packages
	broken   map[bench.ID]bool // top-level benchmarks that failed
	failed   []string
	warnings []unpark.Notice
}

// benchmark is a top-level benchmark that both arms have.
type benchmark struct {
	id       bench.ID
	binaries [2]build.Tested
}

// arm is one revision, built.
type arm struct {
	name, revision string
	tree           *build.Worktree // nil of the working tree
	built          *build.Folder
	tested         []build.Tested
}

func (e *experiment) say(format string, args ...any) {
	if e.c.Tell != nil {
		e.c.Tell(fmt.Sprintf(format, args...))
	}
}

func (e *experiment) warn(code, message, cure string) {
	e.warnings = append(e.warnings, unpark.Notice{Code: code, Message: message, Cure: cure})
}

// build compiles the tests of both revisions before either runs.
func (e *experiment) build(ctx context.Context) error {
	for i, a := range []*arm{{name: "before", revision: e.c.Before}, {name: "after", revision: e.c.After}} {
		e.arms[i] = a
		if err := e.compile(ctx, a); err != nil {
			return fmt.Errorf("the arm %s: %w", a.name, err)
		}
	}
	return nil
}

func (e *experiment) compile(ctx context.Context, a *arm) error {
	dir, title := e.c.WorkDir, "the working tree"
	var err error
	if a.revision != WorkingTree {
		if a.tree, err = build.CheckOut(ctx, dir, a.revision); err != nil {
			return err
		}
		dir, title = a.tree.Dir, fmt.Sprintf("%s (%.12s)", a.revision, a.tree.Commit)
	}
	if a.built, err = build.MakeFolder(e.c.BuildDir); err != nil {
		return err
	}
	e.say("build     %s: go test -c %s at %s", a.name, strings.Join(e.c.Packages, " "), title)
	a.tested, err = build.Tests(ctx, build.TestSpec{Patterns: e.c.Packages, Dir: dir, Output: a.built.Path, Tags: e.c.Tags})
	return a.tree.Explain(err)
}

// discard removes what build made.
func (e *experiment) discard() {
	for _, a := range e.arms {
		if a == nil {
			continue
		}
		var err error
		if a.tree != nil {
			err = a.tree.Remove()
		}
		if err = errors.Join(err, a.built.Remove()); err != nil {
			e.say("%v", err)
		}
	}
}

// list finds the benchmarks of both arms.
func (e *experiment) list(ctx context.Context) error {
	e.pairs, e.modules = map[bench.ID][]bench.Pair{}, map[string]string{}
	var found [2]map[bench.ID]build.Tested
	var order []bench.ID
	for i, a := range e.arms {
		found[i] = map[bench.ID]build.Tested{}
		for _, t := range a.tested {
			names, err := listed(ctx, t, topLevel(e.c.Pattern))
			if err != nil {
				return fmt.Errorf("the arm %s: %w", a.name, err)
			}
			e.modules[t.Package] = t.Module
			for _, name := range names {
				id := bench.ID{Package: t.Package, Name: name}
				if _, has := found[0][id]; i == 0 || !has {
					order = append(order, id)
				}
				found[i][id] = t
			}
		}
	}
	for _, id := range order {
		before, okBefore := found[0][id]
		after, okAfter := found[1][id]
		switch {
		case okBefore && okAfter:
			e.both = append(e.both, benchmark{id: id, binaries: [2]build.Tested{before, after}})
		case okBefore:
			e.only[0] = append(e.only[0], id.String())
		default:
			e.only[1] = append(e.only[1], id.String())
		}
	}
	for i, names := range e.only {
		if len(names) > 0 {
			e.say("only %s: %s", e.arms[i].name, strings.Join(names, ", "))
		}
	}
	if len(e.both) > 0 {
		e.say("%s in both: %s of %v, in turns (order seed %d)", unpark.Counted(int64(len(e.both)), "benchmark"), unpark.Counted(int64(e.c.Rounds), "round"), e.c.Time, e.c.Seed)
		return nil
	}
	if len(order) > 0 {
		return fmt.Errorf("no benchmark that matches %q is in both revisions (%s): compare revisions that both have it",
			e.c.Pattern, strings.Join(append(e.only[0], e.only[1]...), ", "))
	}
	return fmt.Errorf("no benchmark matches %q in %s: see go test -list Benchmark %s",
		e.c.Pattern, unpark.Counted(int64(len(e.arms[1].tested)), "package"), strings.Join(e.c.Packages, " "))
}

// rounds makes rounds until there are enough or the budget is spent.
func (e *experiment) rounds(ctx context.Context) error {
	for e.begun < e.c.Rounds {
		took := time.Since(e.began)
		if e.begun > 0 && e.c.Budget > 0 && took+took/time.Duration(e.begun) > e.c.Budget {
			e.warn("budget", fmt.Sprintf("the budget of %v was spent after %s", e.c.Budget, unpark.Counted(int64(e.begun), "round")), "give it more: --budget")
			break
		}
		e.begun++
		for _, b := range e.both {
			if e.broken[b.id] {
				continue
			}
			if err := e.round(ctx, b); err != nil {
				return err
			}
		}
		if len(e.broken) == len(e.both) {
			return nil
		}
		e.say("round %2d of %d", e.begun, e.c.Rounds)
	}
	return nil
}
