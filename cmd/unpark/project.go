package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/target/git"
	"github.com/unpark-go/unpark/internal/project"
)

// projectFlags say which project file is used.
type projectFlags struct{ file string }

// noProject is the name that stands for none.
const noProject = "none"

func (p *projectFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&p.file, "project", "", "project `file`, or none ("+project.FileName+" here or above, up to the root of the module or workspace)")
}

// open reads the project file; nil when there is none.
func (p *projectFlags) open() (*project.File, error) {
	name := p.file
	switch name {
	case noProject:
		return nil, nil //nolint:nilnil // none is no error
	case "":
		found, err := project.Find(".")
		if found == "" || err != nil {
			return nil, err
		}
		name = shortest(found)
	}
	f, err := project.Open(name)
	if err != nil {
		return nil, status{exitUsage, err}
	}
	return f, nil
}

// shortest returns a file name relative to this folder, where that says more.
func shortest(name string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(here, name); err == nil {
		return rel
	}
	return name
}

// dirOf is the folder of a project file, "" for this one and without a file.
func dirOf(f *project.File) string {
	if f == nil {
		return ""
	}
	if dir := filepath.Dir(f.Name); dir != "." {
		return dir
	}
	return ""
}

// values returns what a list of the file says.
func values(all []project.Text) []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = t.Value
	}
	return out
}

// adopted is what a command takes from a project file beside its flags.
type adopted struct {
	file    *project.File // nil without one
	target  bool          // the file names the target: it is started in the file's folder
	args    []string      // of the command line, or of the file
	env     []string
	prepare func(ctx context.Context, base string, plan unpark.Plan) (unpark.Plan, error) // completes paths
	used    []string                                                                      // for the line that says so
}

// adopt fills in what the flags do not say. args are the words after --.
func adopt(f *project.File, l *loadFlags, t *targetFlags, args []string) (adopted, error) {
	a := adopted{file: f, args: args}
	if f == nil {
		return a, nil
	}
	if t != nil {
		if err := a.adoptTarget(t); err != nil {
			return a, err
		}
	}
	a.adoptLoad(l)
	return a, nil
}

// adoptTarget takes the file's target, unless the command line has one.
func (a *adopted) adoptTarget(t *targetFlags) error {
	f := a.file
	if !t.given("cpus") && f.CPUs > 0 {
		t.cpus = f.CPUs
	}
	if len(a.args) > 0 || t.given("pkg") || t.given("pprof") {
		return nil
	}
	t.pkg, t.pprof = f.Package.Value, values(f.Pprof)
	switch {
	case f.Package.Given():
		a.args = values(f.Args)
		a.used = append(a.used, f.Package.Value)
	case len(f.Command) > 0:
		a.args = values(f.Command)
		a.used = append(a.used, a.args[0])
	}
	a.target = true
	for _, v := range f.Environment {
		value, err := f.Expand(v.Value, os.LookupEnv)
		if err != nil {
			return status{exitUsage, err}
		}
		a.env = append(a.env, v.Name+"="+value)
	}
	return nil
}

// adoptLoad takes the file's load, flag by flag: those that exclude each other go
// together.
func (a *adopted) adoptLoad(l *loadFlags) {
	f := a.file
	l.project = f
	given := func(flags ...string) bool {
		for _, name := range flags {
			if l.given(name) {
				return true
			}
		}
		return false
	}
	if l.command != "" {
		return
	}
	if f.Rate.Given() && !given("rate", "sweep", "arrivals", "slo", "think") {
		l.rate = f.Rate.Value
		a.used = append(a.used, l.rate)
	}
	if f.Connections > 0 && !given("connections", "sweep") {
		l.connections = f.Connections
	}
	if !l.rounds {
		if f.Duration.Given() && !given("duration") {
			l.duration = f.Duration.Time
		}
		if f.Warmup.Given() && !given("warmup") {
			l.warmup = f.Warmup.Time
		}
	}
	if l.byFile() {
		a.used = append(a.used, count(len(f.URLs), "URL"))
	}
	a.prepare = l.prepare()
}

// tell says once which file was used.
func (a *adopted) tell(w io.Writer, quiet bool) {
	if a.file == nil || quiet {
		return
	}
	line := a.file.Name
	if len(a.used) > 0 {
		line += ": " + strings.Join(a.used, " · ")
	}
	fmt.Fprintln(w, line)
}

// apply puts the file's target into a run.
func (a *adopted) apply(c *investigate.Config) {
	c.Env, c.Prepare = a.env, a.prepare
	if a.target {
		c.WorkDir = dirOf(a.file)
	}
	if a.file != nil && len(c.Own) == 0 {
		c.Own = values(a.file.Own)
	}
}

// explain adds the line of the file to an error that is about what it says.
func (a *adopted) explain(err error) error {
	var s status
	if err == nil || a.file == nil || len(a.used) == 0 || errors.As(err, &s) || errors.Is(err, git.ErrNoCommit) {
		return err
	}
	return fmt.Errorf("%w\nunpark: target and load are those of %s: edit it, or use flags, which win over it", err, a.file.Name)
}
