package prove

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/measure/target/build"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
	"github.com/unpark-go/unpark/internal/turns"
)

// Config says what to prove.
type Config struct {
	// Measure is how package ab measures; its arms and its Dir are filled in. Its Run has the plan, and WorkDir in the
	// copy of the tree before: where Package is looked up.
	Measure ab.Config
	Package string
	Args    []string // of the program
	Held    []Held
	Tests   []string // the command that runs the tests
	Dir     string   // of the result; must not exist
	Tell    func(string)

	measure func(context.Context, ab.Config) (ab.Outcome, error) // ab.Run
}

// prover is one proof while it goes on.
type prover struct {
	*Session
	c     Config
	proof unpark.Proof
	arms  [2]*turns.Built // before, after
}

// Prove carries the proof out and writes it. An error says that there is none, and why: it is then neither proven nor
// refused. All that was started and built is gone in any case.
func (s *Session) Prove(ctx context.Context, c Config) (unpark.Proof, error) {
	p := &prover{Session: s, c: c}
	if p.c.Tell == nil {
		p.c.Tell = func(string) {}
	}
	p.proof = unpark.Proof{
		Started: time.Now().UTC(), Unpark: c.Measure.Run.Version, Host: rusage.Host(), Package: c.Package,
		Before: unpark.ProofTree{Name: s.Before.Name, Hash: s.Before.Hash}, After: unpark.ProofTree{Name: s.After.Name, Hash: s.After.Hash},
		Tests: unpark.ProofTests{Command: c.Tests},
	}
	if err := makeResult(c.Dir); err != nil {
		return unpark.Proof{}, err
	}
	defer func() {
		for _, b := range p.arms {
			if err := b.Remove(); err != nil {
				p.c.Tell(err.Error())
			}
		}
	}()
	if err := p.steps(ctx); err != nil {
		// What is left of rounds tells how far it came; an empty folder tells nothing.
		_ = os.Remove(c.Dir)
		if ctx.Err() != nil {
			err = errors.New("interrupted")
		}
		return unpark.Proof{}, fmt.Errorf("prove: %w", err)
	}
	p.conclude()
	return p.proof, write(c.Dir, p.proof)
}

func makeResult(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("prove: make the folder of the result: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("prove: make the folder of the result: %w: choose another --out, or remove it", err)
	}
	return nil
}

// steps goes on until one refuses.
func (p *prover) steps(ctx context.Context) error {
	for _, step := range []func(context.Context) error{p.trees, p.build, p.tested, p.answered, p.measured, p.unchanged} {
		if err := step(ctx); err != nil {
			return err
		}
		if len(p.proof.Reasons) > 0 {
			return ctx.Err()
		}
	}
	return nil
}

func (p *prover) refuse(code, message, cure string) {
	p.proof.Reasons = append(p.proof.Reasons, unpark.Notice{Code: code, Message: message, Cure: cure})
}

func (p *prover) warn(code, message, cure string) {
	p.proof.Warnings = append(p.proof.Warnings, unpark.Notice{Code: code, Message: message, Cure: cure})
}

// trees refuses trees that are one, and links that lead out of the tree after and are new.
func (p *prover) trees(context.Context) error {
	if p.Before.Hash == p.After.Hash {
		p.refuse("same-tree", "both trees have the same content: there is no change to prove", "change the code, and name as the tree before what was there then, such as --before HEAD")
		return nil
	}
	was, err := p.Before.links()
	if err != nil {
		return fmt.Errorf("look for links in the tree before: %w", err)
	}
	is, err := p.After.links()
	if err != nil {
		return fmt.Errorf("look for links in the tree after: %w", err)
	}
	for name, target := range is {
		if was[name] != target {
			p.refuse("outside", fmt.Sprintf("%s in the tree after is a link to %s, outside of it: the hash of the tree says nothing of that", name, target), "put a copy in its place")
		}
	}
	return nil
}

// dirs are the folders of both copies in which the package is looked up.
func (p *prover) dirs() ([2]string, error) {
	work := p.c.Measure.Run.WorkDir
	if work == "" {
		work = p.Before.Dir
	}
	rel, err := filepath.Rel(p.Before.Top, work)
	if err != nil || !filepath.IsLocal(rel) {
		return [2]string{}, fmt.Errorf("the folder %s is not of the tree before", work)
	}
	return [2]string{work, filepath.Join(p.After.Top, rel)}, nil
}

// build compiles both arms, each from its copy alone.
func (p *prover) build(ctx context.Context) error {
	dirs, err := p.dirs()
	if err != nil {
		return err
	}
	driver := turns.New(p.c.Measure.Run, 0)
	trees := [2]*Tree{p.Before, p.After}
	for i, role := range []string{"before", "after"} {
		p.c.Tell(fmt.Sprintf("build     %s: %s at %s, tree %s", role, p.c.Package, trees[i].Name, trees[i].Hash))
		b, err := driver.Build(ctx, role, turns.Arm{Package: p.c.Package, Dir: dirs[i], Revision: trees[i].Name, Command: p.c.Args})
		p.arms[i] = b
		if err != nil && i == 1 && ctx.Err() == nil {
			p.refuse("build", "the tree after: "+err.Error(), "make it build")
			return nil
		}
		if err != nil {
			return fmt.Errorf("the tree %s: %w", role, err)
		}
		sources, err := build.ListSources(ctx, build.Spec{Package: p.c.Package, Dir: dirs[i], Tags: p.c.Measure.Run.Tags})
		if err != nil {
			return fmt.Errorf("the tree %s: %w", role, err)
		}
		for _, dir := range sources.Outside(trees[i].Top) {
			p.refuse("outside", fmt.Sprintf("the tree %s is built from %s, outside of it: the hash of the tree says nothing of that", role, dir),
				"take the replace line or the workspace out, or name folders that hold all of it")
		}
		sum, err := digestOf(b.Binary)
		if err != nil {
			return err
		}
		*[2]*string{&p.proof.Before.Program, &p.proof.After.Program}[i] = sum
	}
	return nil
}

func digestOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// tested runs the tests of the tree before on both.
func (p *prover) tested(ctx context.Context) error {
	tests, wrong, err := p.tests(ctx, p.c.Tests, p.c.Tell)
	p.proof.Tests = tests
	p.proof.Reasons = append(p.proof.Reasons, wrong...)
	return err
}

// measured has package ab measure both.
func (p *prover) measured(ctx context.Context) error {
	c := p.c.Measure
	c.Dir = filepath.Join(p.c.Dir, roundsFolder)
	dirs, err := p.dirs()
	if err != nil {
		return err
	}
	c.Before = turns.Arm{Package: p.c.Package, Command: p.c.Args, Dir: dirs[0], Revision: p.Before.Name, Binary: p.arms[0].Binary}
	c.After = turns.Arm{Package: p.c.Package, Command: p.c.Args, Dir: dirs[1], Revision: p.After.Name, Binary: p.arms[1].Binary}
	measure := p.c.measure
	if measure == nil {
		measure = ab.Run
	}
	out, err := measure(ctx, c)
	if err != nil {
		return err
	}
	sum, err := digestOf(filepath.Join(out.Dir, ab.File))
	if err != nil {
		return err
	}
	p.proof.Rounds = unpark.ProofRounds{File: roundsFolder + "/" + ab.File, Sum: sum, Rounds: out.Comparison.Rounds, Effects: out.Comparison.Effects}
	p.proof.Warnings = append(p.proof.Warnings, out.Comparison.Warnings...)
	if out.Void != "" {
		p.refuse("void", "no round counts: "+out.Void, "cure what voids them: a machine that nothing else uses, or a lower rate for both")
	}
	return nil
}

// unchanged hashes both trees again.
func (p *prover) unchanged(ctx context.Context) error {
	for _, t := range []*Tree{p.Before, p.After} {
		now, err := t.again(ctx)
		if err != nil {
			return fmt.Errorf("hash the tree again: %w", err)
		}
		if now != t.Hash {
			p.refuse("changed", fmt.Sprintf("the tree %s changed while it was measured: it had the hash %s, and has %s", t.Name, t.Hash, now), "prove it again, and leave it as it is meanwhile")
		}
	}
	for i, b := range p.arms {
		sum, err := digestOf(b.Binary)
		if err != nil {
			return err
		}
		if was := [2]string{p.proof.Before.Program, p.proof.After.Program}[i]; sum != was {
			p.refuse("changed", "the program of an arm changed while it was measured", "prove it again")
		}
	}
	return nil
}
