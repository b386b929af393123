package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Tested is a package with its test binary.
type Tested struct {
	Package string // import path
	Module  string // path of its module
	Dir     string // of its sources; tests run there
	Binary  string
}

// TestSpec says of which packages to build the tests.
type TestSpec struct {
	Patterns []string // as the go command has them; none: "."
	Dir      string   // where they are looked up; empty: this process's folder
	Output   string   // an existing folder for the binaries
	Tags     string   // build tags, separated by commas
}

// Tests compiles the tests of packages that have any, without the names of folders: equal sources make equal binaries.
// An error says which package does not compile, with what the compiler said.
func Tests(ctx context.Context, s TestSpec) ([]Tested, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, errors.New("build the tests: the go command is not on PATH: install Go")
	}
	patterns := s.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	g := goCommand{dir: s.Dir, tags: s.Tags}
	packages, err := g.withTests(ctx, patterns)
	if err != nil {
		return nil, fmt.Errorf("build the tests of %s: %w", strings.Join(patterns, " "), err)
	}
	for i := range packages {
		p := &packages[i]
		if p.Binary, err = filepath.Abs(filepath.Join(s.Output, Binary("tests-"+strconv.Itoa(i)))); err != nil {
			return nil, fmt.Errorf("build the tests of %s: %w", p.Package, err)
		}
		args := append(append([]string{"test", "-c", "-trimpath", "-buildvcs=false"}, g.tagged()...), "-o", p.Binary, p.Package)
		text, err := g.run(ctx, args...)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("build the tests of %s: %w", p.Package, ctx.Err())
		}
		if err != nil {
			return nil, fmt.Errorf("build the tests of %s: they do not compile (%w): make `go vet %s` work in that revision first:\n%s", p.Package, err, p.Package, firstLines(text, 30))
		}
	}
	return packages, nil
}

// withTests lists the packages that have test files.
func (g goCommand) withTests(ctx context.Context, patterns []string) ([]Tested, error) {
	args := append(append([]string{"list"}, g.tagged()...), "-json=Dir,ImportPath,Module,TestGoFiles,XTestGoFiles", "--")
	cmd := g.command(ctx, append(args, patterns...)...)
	var out, diagnostics strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go list finds no such package (%w): name folders that both revisions have, as in ./...:\n%s", err, firstLines(diagnostics.String(), 10))
	}
	var found []Tested
	for d := json.NewDecoder(strings.NewReader(out.String())); d.More(); {
		var p struct {
			listed
			TestGoFiles, XTestGoFiles []string
			Module                    struct{ Path string }
		}
		if err := d.Decode(&p); err != nil {
			return nil, fmt.Errorf("read what go list printed: %w", err)
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			found = append(found, Tested{Package: p.ImportPath, Module: p.Module.Path, Dir: p.Dir})
		}
	}
	return found, nil
}
