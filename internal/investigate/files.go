package investigate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/exchange"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/store"
)

// Diagnose reaches a verdict on profiles captured by anything: a run directory,
// a directory that probetest wrote, or loose profile files. A bad file is a
// warning, the others are used. Own names modules beside those that the run knows to be
// the user's (Config.Own).
func Diagnose(paths []string, version unpark.Version, own ...string) (Outcome, error) {
	if err := CheckOwn(own); err != nil {
		return Outcome{}, err
	}
	if len(paths) == 1 && isRun(paths[0]) {
		return rediagnose(paths[0], own, suggest)
	}
	g := gather{own: own, profiles: map[unpark.Kind][]*profile.Profile{}, lost: map[unpark.Kind]int{}}
	for _, p := range paths {
		if err := g.add(p); err != nil {
			return Outcome{}, err
		}
	}
	if len(g.profiles) == 0 && len(g.traces) == 0 {
		return Outcome{}, fmt.Errorf("diagnose %s: %w: %s", strings.Join(paths, " "), errNothing, g.firstProblem())
	}
	return Outcome{Run: g.run(version), sent: g.sent}, nil
}

// isRun reports whether a path is a run directory, finished or partial.
func isRun(path string) bool {
	for _, p := range []string{path, path + ".partial"} {
		if _, err := os.Stat(filepath.Join(p, "run.json")); err == nil {
			return true
		}
	}
	return false
}

// gather collects loose profiles.
type gather struct {
	module   string
	own      []string
	profiles map[unpark.Kind][]*profile.Profile
	lost     map[unpark.Kind]int
	notes    []unpark.Notice
	files    []unpark.ProfileFile
	harness  *harness
	traces   []evidence.Trace
	sent     map[string][]byte // what another system sent, by the name that it is listed by
	end      time.Time         // of the interval, where a set of profiles tells it
}

// harness is the part of a probetest window that matters here.
type harness struct {
	Start      time.Time `json:"start"`
	End        time.Time `json:"end"`
	Operations float64   `json:"operations"`
	Workers    int       `json:"workers"`
	GOMAXPROCS int       `json:"gomaxprocs"`
	NumCPU     int       `json:"num_cpu"`
	Go         string    `json:"go"`
	Module     string    `json:"module"`
	PID        int       `json:"pid"`
}

// check refuses what no window can be: a rate that comes of it is not a number, and a
// document with one cannot be written.
func (h harness) check() error {
	length := h.End.Sub(h.Start).Seconds()
	if length <= 0 || h.Operations < 0 || math.IsInf(h.Operations/length, 0) || h.Workers < 0 || h.GOMAXPROCS < 0 {
		return fmt.Errorf("%v operations of %d workers in %v s are no window", h.Operations, h.Workers, length)
	}
	return nil
}

func (g *gather) add(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("diagnose %s: %w: name a run directory or profile files", path, err)
	}
	if !info.IsDir() {
		// A pipe that is named is meant: a shell makes them of <(…).
		g.file(filepath.Dir(path), filepath.Base(path), func() (io.ReadCloser, error) { return os.Open(path) })
		return nil
	}
	in := func(p string) (name string, open func() (io.ReadCloser, error)) {
		name, err := filepath.Rel(path, p)
		if err != nil {
			name = filepath.Base(p)
		}
		name = filepath.ToSlash(name)
		return name, func() (io.ReadCloser, error) { return store.File(path, name) }
	}
	return filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("diagnose %s: %w", path, err)
		}
		switch name := d.Name(); {
		case d.IsDir() || strings.HasPrefix(name, "."):
		case name == "window.json":
			g.window(in(p))
		case strings.HasSuffix(name, ".base.pb.gz"):
		case strings.Contains(name, ".pb") || strings.HasSuffix(name, ".pprof") || strings.HasSuffix(name, ".prof") || strings.HasSuffix(name, ".out") || strings.Contains(name, ".otlp"):
			name, open := in(p)
			g.file(path, name, open)
		}
		return nil
	})
}

func (g *gather) window(path string, open func() (io.ReadCloser, error)) {
	b, err := contents(open)
	var h harness
	if err == nil {
		err = json.Unmarshal(b, &h)
	}
	if err == nil {
		err = h.check()
	}
	if err != nil {
		g.problem(path, err)
		return
	}
	g.harness, g.module = &h, h.Module
}

func contents(open func() (io.ReadCloser, error)) ([]byte, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// file adds one profile of a folder, subtracting the reading beside it that was taken
// first.
func (g *gather) file(folder, name string, open func() (io.ReadCloser, error)) {
	path := filepath.Join(folder, filepath.FromSlash(name))
	b, err := contents(open)
	if err != nil {
		g.problem(path, err)
		return
	}
	if bytes.HasPrefix(b, []byte("go 1.")) && bytes.Contains(b[:min(len(b), 32)], []byte("trace")) {
		g.traces = append(g.traces, evidence.Trace{Name: filepath.Base(path), Open: open})
		g.files = append(g.files, unpark.ProfileFile{Kind: unpark.KindTrace, File: path, State: unpark.Present})
		return
	}
	if exchange.IsOTLP(name, b) {
		s, err := exchange.ReadOTLP(b, filepath.Base(path))
		if err != nil {
			g.problem(path, err)
			return
		}
		g.received(s)
		return
	}
	g.take(folder, name, "", b)
}

func (g *gather) problem(path string, err error) {
	g.notes = append(g.notes, unpark.Notice{
		Code: "profile-unreadable", Message: fmt.Sprintf("%s: %v", filepath.Base(path), err),
		Cure: "capture it again; the other files were used",
	})
}

func (g *gather) firstProblem() string {
	for _, n := range g.notes {
		if n.Code == "profile-unreadable" {
			return n.Message
		}
	}
	return "there are no .pb.gz, .pprof or .prof files"
}

// run builds the document of a diagnosis without load.
func (g *gather) run(version unpark.Version) unpark.Run {
	c := Config{Plan: unpark.Plan{Mode: unpark.NoLoad}, Version: version}
	run := newRun(c)
	run.Host = unpark.Host{} // of the machine that the profiles are of, nothing is known
	run.Target.Module, run.Target.Own, run.Target.Elsewhere = g.module, joined(g.own, nil), true
	run.Warnings = append(run.Warnings, g.notes...)
	w := unpark.Window{Profiles: g.files}
	slices.SortFunc(w.Profiles, func(a, b unpark.ProfileFile) int { return strings.Compare(a.File, b.File) })
	w.Start, w.End = g.interval()
	if h := g.harness; h != nil {
		run.Target.Go, run.Host.CPUs = h.Go, h.NumCPU
		w.Load = &unpark.Load{Mode: unpark.Closed, Seconds: w.Seconds(), Requests: int64(h.Operations), AchievedRPS: h.Operations / w.Seconds(), OfferedRPS: h.Operations / w.Seconds(), Status: map[string]int64{}, ErrorKinds: map[string]int64{}}
		w.Level.Connections = h.Workers
		run.Plan.Mode, run.Plan.Connections = unpark.Closed, h.Workers
		w.Processes = []unpark.Process{{PID: h.PID, State: "whole", Go: h.Go, GOMAXPROCS: unpark.Num(float64(h.GOMAXPROCS))}}
		if h.NumCPU > 0 {
			w.Processes[0].NumCPU = unpark.Num(float64(h.NumCPU))
		}
	}
	run.Windows = []unpark.Window{w}
	in := evidence.Input{Host: run.Host, Target: run.Target, Plan: run.Plan, Window: w, Profiles: g.profiles, Lost: g.lost, Traces: g.traces}
	conclude(&run, 0, in, false)
	offered(&run)
	started := func(n unpark.Notice) bool { return n.Code == "since-start" }
	if slices.ContainsFunc(run.Warnings, started) { // which says more, and of which file
		run.Warnings = slices.DeleteFunc(run.Warnings, func(n unpark.Notice) bool { return n.Code == "no-interval" })
	}
	return run
}

// interval is the window that the profiles themselves tell: the longest
// duration among them. Both ends are zero when none tells one.
func (g *gather) interval() (start, end time.Time) {
	if h := g.harness; h != nil {
		return h.Start, h.End
	}
	var longest time.Duration
	for _, ps := range g.profiles {
		for _, p := range ps {
			longest = max(longest, p.Duration())
		}
	}
	if longest == 0 {
		return time.Time{}, time.Time{}
	}
	if end = g.end; end.IsZero() {
		end = time.Now()
	}
	end = end.UTC()
	return end.Add(-longest), end
}
