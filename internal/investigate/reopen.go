package investigate

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/store"
)

// Open reads a run directory, finished or partial, and draws its flame graphs
// again from the profiles in it. The verdict is the one that was saved.
func Open(dir string) (Outcome, error) {
	run, folder, err := store.Open(dir)
	if err != nil {
		return Outcome{}, err
	}
	if len(run.Windows) > 0 {
		i := run.MeasuredAt()
		in, bad := input(run, i, folder)
		in.Traces = nil // what they say is in the document
		_, run.Flames, _ = evidence.Reduce(in)
		run.Warnings = append(run.Warnings, bad...)
	}
	return Outcome{Run: run, Dir: folder}, nil
}

// FlamesOf draws the flame graphs of a service beside the target, by its name; empty: those of the target. Nil of a service that
// the run does not have.
func (o Outcome) FlamesOf(service string) []unpark.Flame {
	if service == "" {
		return o.Run.Flames
	}
	for _, s := range o.Run.Services {
		if s.Name != service {
			continue
		}
		run := unpark.Run{Host: o.Run.Host, Plan: o.Run.Plan, Windows: o.Run.Windows, Services: []unpark.Service{s}}
		in := capturedIn(&run, o.Run.MeasuredAt(), o.Dir)[0].in
		in.Traces = nil
		_, flames, _ := evidence.Reduce(in)
		return flames
	}
	return nil
}

// Anew reads a run directory and reaches the verdict anew, with what the source of modules on this machine offers at the
// places of its findings. Diagnose takes what was read of that when the run was made.
func (c Config) Anew(dir string) (Outcome, error) {
	if err := CheckOwn(c.Own); err != nil {
		return Outcome{}, err
	}
	return rediagnose(dir, c.Own, reoffered)
}

// rediagnose reads a run directory and reaches the verdict anew, with what modules offer.
func rediagnose(dir string, own []string, offer func(*unpark.Run)) (Outcome, error) {
	run, folder, err := store.Open(dir)
	if err != nil {
		return Outcome{}, err
	}
	if len(run.Windows) == 0 {
		return Outcome{}, fmt.Errorf("diagnose %s: the run ended before a window was measured (%s): run it again", dir, run.Partial)
	}
	run.Target.Own = joined(run.Target.Own, own)
	i := run.MeasuredAt()
	in, bad := input(run, i, folder)
	for j, other := range run.Windows {
		if j == i || other.Load == nil {
			continue
		}
		level, worse := input(run, j, folder)
		bad = append(bad, worse...)
		in.Doses = append(in.Doses, dose(&run, j, level))
	}
	run.Void, run.Findings, run.Costs = []unpark.Notice{}, []unpark.Finding{}, nil
	run.Warnings = bad
	conclude(&run, i, in, run.Target.Shares(), capturedIn(&run, i, folder)...)
	spread(&run, i, folder)
	offer(&run)
	return Outcome{Run: run, Dir: folder}, nil
}

// input reads the profiles of window i from a run's folder. A file that cannot
// be read is a warning; the others are used.
func input(run unpark.Run, i int, folder string) (evidence.Input, []unpark.Notice) {
	return inputOf(run, run.Windows[i], folder, windowName(i))
}

// capturedIn reads the profiles of the services beside window i. What cannot be read is a warning of
// the run.
func capturedIn(run *unpark.Run, i int, folder string) []side {
	var out []side
	for _, s := range run.Services {
		its := *run
		its.Target = s.Target
		in, bad := inputOf(its, s.Window, folder, path.Join(calleeFolder(s.Name), windowName(i)))
		for _, n := range bad {
			n.Message = s.Name + ": " + n.Message
			run.Warnings = append(run.Warnings, n)
		}
		out = append(out, side{name: s.Name, target: s.Target, in: in})
	}
	return out
}

// inputOf reads the profiles of a window that has its files in a folder of the run's.
func inputOf(run unpark.Run, w unpark.Window, folder, name string) (evidence.Input, []unpark.Notice) {
	in := evidence.Input{
		Host: run.Host, Target: run.Target, Plan: run.Plan, Window: w,
		Profiles: map[unpark.Kind][]*profile.Profile{}, Lost: map[unpark.Kind]int{},
	}
	pids := map[int]bool{}
	kinds := map[unpark.Kind]*sum{}
	var all []*sum
	failed := map[int]error{} // by the record of the file
	for i, f := range w.Profiles {
		pids[f.PID] = true
		if f.Kind == unpark.KindTrace || f.State != unpark.Present {
			if f.State == unpark.Bad || f.State == unpark.Absent {
				in.Lost[f.Kind]++
			}
			continue
		}
		s := kinds[f.Kind]
		if s == nil {
			s = &sum{kind: f.Kind}
			kinds[f.Kind] = s
			all = append(all, s)
		}
		s.files, s.records = append(s.files, f.File), append(s.records, i)
	}
	snapshots := instants(folder, name, pids)
	readSums(folder, slices.Concat(all, snapshots))
	for _, s := range all {
		for i, err := range s.errs {
			failed[s.records[i]] = err
		}
		if s.out != nil {
			in.Profiles[s.kind] = []*profile.Profile{s.out}
		}
	}
	var bad []unpark.Notice
	for i, f := range w.Profiles {
		if err := failed[i]; err != nil {
			in.Lost[f.Kind]++
			bad = append(bad, unpark.Notice{Code: "profile-unreadable", Message: err.Error(), Cure: "capture it again; the other profiles were used"})
		}
	}
	bad = inOne(bad)
	for _, s := range snapshots {
		if s.out == nil {
			break
		}
		in.Snapshots = append(in.Snapshots, []*profile.Profile{s.out})
	}
	in.Traces = traceFiles(folder, w)
	return in, bad
}

// few is how many files that cannot be read are reported one by one.
const few = 3

// inOne tells many files that cannot be read as one: of a folder that was thinned out
// the first says as much as all.
func inOne(bad []unpark.Notice) []unpark.Notice {
	if len(bad) <= few {
		return bad
	}
	first := bad[0]
	first.Message = fmt.Sprintf("%s cannot be read, the first: %s", unpark.Counted(int64(len(bad)), "profile"), first.Message)
	return []unpark.Notice{first}
}

var errNothing = errors.New("no profile in it could be read")
