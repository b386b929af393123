package investigate

import (
	"errors"
	"fmt"
	"path"
	"strconv"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/measure/window"
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

// rediagnose reads a run directory and reaches the verdict anew.
func rediagnose(dir string, own []string) (Outcome, error) {
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
	suggest(&run)
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
	var bad []unpark.Notice
	pids := map[int]bool{}
	for _, f := range w.Profiles {
		pids[f.PID] = true
		if f.Kind == unpark.KindTrace || f.State != unpark.Present {
			if f.State == unpark.Bad || f.State == unpark.Absent {
				in.Lost[f.Kind]++
			}
			continue
		}
		p, err := decodeFile(folder, f.File, f.Kind)
		if err != nil {
			in.Lost[f.Kind]++
			bad = append(bad, unpark.Notice{Code: "profile-unreadable", Message: err.Error(), Cure: "capture it again; the other profiles were used"})
			continue
		}
		in.Profiles[f.Kind] = append(in.Profiles[f.Kind], p)
	}
	bad = inOne(bad)
	in.Traces = traceFiles(folder, w)
	in.Snapshots = snapshots(folder, name, pids)
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

// decodeFile reads a profile in a folder, which may come from elsewhere.
func decodeFile(folder, name string, kind unpark.Kind) (*profile.Profile, error) {
	f, err := store.File(folder, name)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	defer f.Close()
	return profile.Decode(f, kind, path.Base(name))
}

// snapshots reads the goroutine snapshots that a window left beside its profiles.
func snapshots(folder, of string, pids map[int]bool) [][]*profile.Profile {
	var all [][]*profile.Profile
	for i := 0; ; i++ {
		var at []*profile.Profile
		for pid := range pids {
			p, err := decodeFile(folder, path.Join(of, strconv.Itoa(pid), window.SnapshotFile(i)), unpark.KindGoroutine)
			if err == nil {
				at = append(at, p)
			}
		}
		if len(at) == 0 {
			return all
		}
		all = append(all, at)
	}
}

var errNothing = errors.New("no profile in it could be read")
