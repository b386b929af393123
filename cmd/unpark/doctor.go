package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/doctor"
	"github.com/unpark-go/unpark/internal/measure/target/build"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// exitPrevented says that something prevents a run.
const exitPrevented = 3

// doctorFlags are those of `unpark doctor`.
type doctorFlags struct {
	pid     int
	pprof   []string
	pkg     string
	out     string
	quick   bool
	json    bool
	quiet   bool
	project projectFlags
}

func newDoctor(s streams) *cobra.Command {
	var d doctorFlags
	c := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "What this machine and a target allow, what does not work, and the cure for each",
		Long: `Look at this machine, and at a target where one is named, and say what will and will
not work, with the cure for each.

  unpark doctor                                  this machine, and the package of unpark.yaml
  unpark doctor --pid 4711                       a process: is it Go, whose, where does it listen
  unpark doctor --pprof http://127.0.0.1:6060    an endpoint: which profiles, are their rates on
  unpark doctor --pkg ./cmd/server               does it build with the probe added?
  unpark doctor --quick                          without the two runs that tell the noise

Two identical runs of 5 s against the built-in sample tell how much runs differ here
for no reason.

Exit status: 0 nothing prevents a run, 1 failed, 2 usage, 3 something does.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return d.run(c, s) },
	}
	f := c.Flags()
	f.IntVar(&d.pid, "pid", 0, "process to look at")
	f.StringArrayVar(&d.pprof, "pprof", nil, "profiling endpoint to look at; repeatable")
	f.StringVar(&d.pkg, "pkg", "", "package to build with the probe added")
	f.StringVarP(&d.out, "out", "o", "", "folder that run directories are to be written to ("+runsFolder+")")
	f.BoolVar(&d.quick, "quick", false, "no runs, no build")
	f.BoolVar(&d.json, "json", false, "print the document on standard output")
	f.BoolVarP(&d.quiet, "quiet", "q", false, "no progress on standard error")
	d.project.register(c)
	c.MarkFlagsMutuallyExclusive("pid", "pprof", "pkg")
	return c
}

func (d *doctorFlags) run(c *cobra.Command, s streams) error {
	file, err := d.project.open()
	if err != nil {
		return err
	}
	if c.Flags().Changed("pid") && d.pid < 1 {
		return usage("--pid %d: name a process by its number: pgrep -l NAME", d.pid)
	}
	files := doctor.Files{Root: os.DirFS("/"), Writable: writable, Free: freeBytes}
	runs := d.out
	if runs == "" {
		runs = filepath.Join(dirOf(file), runsFolder)
	}
	r := doctor.Report{Unpark: buildVersion(), Host: rusage.Host()}
	r.Readings = append(files.ReadMachine(existing(runs)), toolchain(c.Context()))
	r.Readings = append(r.Readings, r.Conclusions()...)
	switch dir := ""; {
	case d.pid > 0:
		r.Readings = append(r.Readings, byPID(c.Context(), files, d.pid)...)
	case len(d.pprof) > 0:
		for _, address := range d.pprof {
			r.Readings = append(r.Readings, byEndpoint(c.Context(), files, address)...)
		}
	default:
		if d.pkg == "" && file != nil && file.Package.Given() {
			d.pkg, dir = file.Package.Value, dirOf(file)
		}
		if d.pkg != "" {
			r.Readings = append(r.Readings, d.builds(c.Context(), d.pkg, dir))
		}
	}
	if !d.quick {
		r.Readings = append(r.Readings, noise(c.Context(), s, d.quiet)...)
	}
	if c.Context().Err() != nil {
		return errors.New("interrupted: --quick leaves out what takes long")
	}
	r.Conclude()
	if d.json {
		err = doctor.JSON(s.out, r)
	} else {
		err = doctor.Text(s.out, r)
	}
	if err == nil && !r.Ready {
		return status{exitPrevented, nil} // the first line says it
	}
	return err
}

// existing returns the nearest folder, from a name upwards, that is there.
func existing(name string) string {
	for {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return name
		}
		up := filepath.Dir(name)
		if up == name {
			return name
		}
		name = up
	}
}

// toolchain says which Go builds here.
func toolchain(ctx context.Context) doctor.Reading {
	r := doctor.Reading{Group: doctor.Machine, Name: "toolchain", State: doctor.OK}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output()
	r.Text = strings.TrimSpace(string(out))
	if err != nil || r.Text == "" {
		r.State, r.Text, r.Why = doctor.Warn, "none", "no go command on PATH: --pkg and unpark init cannot work"
		r.Cure = "install Go (https://go.dev/dl), or name a program that was built already after --"
	}
	return r
}

// builds says whether a package can be built with the probe added.
func (d *doctorFlags) builds(ctx context.Context, pkg, dir string) doctor.Reading {
	r := doctor.Reading{Group: doctor.Target, Name: "package", State: doctor.OK, Text: pkg}
	fail := func(err error) doctor.Reading {
		first, rest, _ := strings.Cut(err.Error(), "\n")
		r.State, r.Why, r.Cure = doctor.Bad, strings.TrimSpace(first+" "+rest), "make `go build "+pkg+"` work, or name another package"
		return r
	}
	spec := build.Spec{Package: pkg, Dir: dir}
	if d.quick {
		if _, err := build.ListSources(ctx, spec); err != nil {
			return fail(err)
		}
		r.Text += ": its sources are all here"
		return r
	}
	folder, err := os.MkdirTemp("", "unpark-build-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(folder)
	spec.Output = filepath.Join(folder, "target")
	began := time.Now()
	if err := build.Program(ctx, spec); err != nil {
		return fail(err)
	}
	r.Text += fmt.Sprintf(": builds with the probe added, in %v", time.Since(began).Round(100*time.Millisecond))
	return r
}

// byPID looks at a process and, where it has one, at its endpoint.
func byPID(ctx context.Context, files doctor.Files, pid int) []doctor.Reading {
	p, all := files.ReadProcess(pid, os.Getuid())
	if len(all) == 1 {
		return all // it is not there
	}
	for _, address := range p.Listens {
		if found, ok := endpointAt(ctx, "http://"+reachable(address)); ok {
			return append(all, found.readings(ctx, false)...)
		}
	}
	return append(all, doctor.Reading{
		Group: doctor.Target, Name: "endpoint", State: doctor.Bad, Text: "none on the ports that it listens on",
		Why:  "without one its profiles cannot be had",
		Cure: "start it by unpark run --pkg ./cmd/server, import net/http/pprof, or name an endpoint that is elsewhere: --pprof URL",
	})
}
