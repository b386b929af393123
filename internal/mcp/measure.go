package mcp

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/prove"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
)

type findInput struct {
	load
	Seconds int      `json:"seconds,omitempty" jsonschema:"length of the window, whole seconds (15)"`
	Also    []string `json:"also,omitempty" jsonschema:"services that run and that this one asks, captured as well: NAME=its pprof endpoint or NAME=its pid, as inventory=http://127.0.0.1:6061"`
}

// also are the flags of further services. A command that starts one is for a person to give, as what runs the tests is.
func (in findInput) also() ([]string, error) {
	var out []string
	for _, one := range in.Also {
		name, what, _ := strings.Cut(one, "=")
		_, notNumber := strconv.Atoi(what)
		address := slices.ContainsFunc([]string{"http://", "https://", "unix://"}, func(scheme string) bool { return strings.HasPrefix(what, scheme) })
		if name == "" || notNumber != nil && (!address || strings.ContainsAny(what, " \t")) {
			return nil, fmt.Errorf("also %q: name a service that runs, as inventory=http://127.0.0.1:6061 (its pprof endpoint) or inventory=4711 (its pid)", escape.Line(short(one)))
		}
		out = append(out, "--also="+one)
	}
	return out, nil
}

// find starts a run.
func (s *Server) find(_ context.Context, in findInput, _ func(string)) (text, error) {
	flags, args, err := in.flags()
	if err != nil {
		return text{}, err
	}
	also, err := in.also()
	if err != nil {
		return text{}, err
	}
	flags = append(flags, also...)
	if in.Seconds > 0 {
		flags = append(flags, "--duration="+strconv.Itoa(in.Seconds)+"s")
	}
	if len(args) > 0 {
		flags = append(append(flags, "--"), args...)
	}
	j, err := s.jobs.start("find", "run", flags, in.load)
	if err != nil {
		return text{}, err
	}
	return s.begun(j), nil
}

type proveInput struct {
	load
	Before  string `json:"before" jsonschema:"the tree before the change: a git revision such as HEAD, or a folder that begins with ./ or /"`
	After   string `json:"after,omitempty" jsonschema:"the tree after it (the working tree)"`
	Rounds  int    `json:"rounds,omitempty" jsonschema:"how many rounds (until the intervals are narrow enough)"`
	Minutes int    `json:"minutes,omitempty" jsonschema:"budget (20)"`
}

// prove starts a proof. It has the load of the first run that was measured here, and must not be weaker than that; the tests
// are not for the client to name.
func (s *Server) prove(_ context.Context, in proveInput, _ func(string)) (text, error) {
	first := s.jobs.first()
	if first != nil && !in.given() {
		in.load = first.load
	}
	flags, args, err := in.flags()
	if err != nil {
		return text{}, err
	}
	if in.Before == "" {
		return text{}, fmt.Errorf("prove what? Name the tree before the change: before = HEAD where the change is not committed")
	}
	flags = append(flags, "--before="+in.Before)
	if in.After != "" {
		flags = append(flags, "--after="+in.After)
	}
	if in.Rounds > 0 {
		flags = append(flags, "--rounds="+strconv.Itoa(in.Rounds))
	}
	if in.Minutes > 0 {
		flags = append(flags, "--budget="+strconv.Itoa(in.Minutes)+"m")
	}
	if s.c.Test != "" {
		flags = append(flags, "--test="+s.c.Test)
	}
	if first != nil {
		flags = append(flags, "--than="+first.dir)
	}
	if len(args) > 0 {
		flags = append(append(flags, "--"), args...)
	}
	j, err := s.jobs.start("prove", "prove", flags, in.load)
	if err != nil {
		return text{}, err
	}
	return s.begun(j), nil
}

func (s *Server) begun(j *job) text {
	return said("%s has begun: call wait with this id. Build and test nothing meanwhile: it would be measured as well.", j.id)
}

type waitInput struct {
	ID   string `json:"id" jsonschema:"the id that find or prove returned"`
	Page int    `json:"page,omitempty" jsonschema:"of the verdict, from 1"`
}

// wait tells how far a measurement is, then what came of it.
func (s *Server) wait(ctx context.Context, in waitInput, progress func(string)) (text, error) {
	j, err := s.jobs.find(in.ID)
	if err != nil {
		return text{}, err
	}
	limit := time.NewTimer(longestWait)
	defer limit.Stop()
	for last := ""; ; {
		changed, line := j.last()
		if line != last {
			progress(line)
			last = line
		}
		select {
		case <-j.done:
			return s.verdict(j, in.Page)
		case <-ctx.Done():
			return text{}, ctx.Err()
		case <-limit.C:
			return said("%s goes on since %v: %s\nCall wait again.", j.id, time.Since(j.began).Round(time.Second), line), nil
		case <-changed:
		}
	}
}

// verdict is what a measurement that has ended came to.
func (s *Server) verdict(j *job, page int) (text, error) {
	if err := j.failure(); err != nil {
		return text{}, err
	}
	var b strings.Builder
	if j.kind == "prove" {
		proof, err := prove.Read(j.dir)
		if err != nil {
			return text{}, err
		}
		if err := report.Text(&b, proof); err != nil {
			return text{}, err
		}
		fmt.Fprintf(&b, "\nreceipt: %s/%s\n", escape.Line(j.dir), prove.File)
		return said("%s", b.String()).of(page), nil
	}
	run, _, err := store.Open(j.dir)
	if err != nil {
		return text{}, err
	}
	if err := report.Brief(&b, run, false, "drill has them"); err != nil {
		return text{}, err
	}
	if len(run.Findings)+len(run.Costs) > 0 && !run.IsVoid() {
		fmt.Fprintf(&b, "\nnext: drill with run %s and finding 1\n", j.id)
	}
	return said("%s", strings.TrimRight(b.String(), "\n")).of(page), nil
}

// first is the first run that ended with figures that may be trusted; nil when there is none.
func (j *jobs) first() *job {
	for _, n := range j.ended("find") {
		if run, _, err := store.Open(n.dir); err == nil && !run.IsVoid() && run.Partial == "" {
			return n
		}
	}
	return nil
}

// ended lists the measurements of a kind that came to an end, oldest first.
func (j *jobs) ended(kind string) []*job {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	var out []*job
	for _, n := range j.all {
		if n.kind == kind && n.over() && n.failure() == nil {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b *job) int { return a.began.Compare(b.began) })
	return out
}
