package window

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// contents decodes, subtracts and writes what was captured.
func (s *session) contents() Contents {
	c := Contents{
		Profiles: map[unpark.Kind][]*profile.Profile{},
		Lost:     map[unpark.Kind]int{},
		Warnings: s.notes,
		Window:   s.used.window(),
	}
	c.Window.Observer.Reader = s.reader
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(2) // decoding is bound by memory; DESIGN allows 512 MB for 128 processes
	for _, m := range s.members {
		for _, k := range unpark.Kinds() {
			r := m.raw[k]
			if r == nil || (k == unpark.KindGoroutineLeak && absent(r.err)) {
				continue // a kind that this Go does not have is no loss
			}
			group.Go(func() error {
				f, p := s.settle(m, k, r)
				mu.Lock()
				defer mu.Unlock()
				c.Window.Profiles = append(c.Window.Profiles, f)
				switch {
				case p != nil:
					c.Profiles[k] = append(c.Profiles[k], p)
					c.Warnings = append(c.Warnings, cpuNotices(f, p)...)
				case f.State == unpark.Bad || f.State == unpark.Absent:
					c.Lost[k]++
				}
				return nil
			})
		}
	}
	_ = group.Wait() // the functions return no errors: a bad profile is a record
	for _, m := range s.members {
		for _, r := range m.traces {
			f := m.settleTrace(r)
			c.Window.Profiles = append(c.Window.Profiles, f)
			if f.State != unpark.Present {
				c.Lost[unpark.KindTrace]++
			}
		}
	}
	sortProfiles(c.Window.Profiles)
	c.Snapshots = s.snapshotProfiles()
	s.tellSnapshots(c.Window.Processes)
	c.Warnings = append(c.Warnings, overlap(c.Window, len(s.used.past) > 0)...)
	c.Warnings = append(c.Warnings, s.used.changed()...)
	c.Warnings = append(c.Warnings, s.saveMetrics()...)
	return c
}

// settle turns one answer into a profile and its record. The file is written
// also when it cannot be decoded, so that nothing is lost.
func (s *session) settle(m *member, k unpark.Kind, r *raw) (unpark.ProfileFile, *profile.Profile) {
	name := s.o.file(m, k.File())
	f := unpark.ProfileFile{Kind: k, File: name, PID: m.endpoint.PID, Start: r.start, End: r.end, State: unpark.Present, Rate: r.rate}
	fail := func(state unpark.Coverage, err error) (unpark.ProfileFile, *profile.Profile) {
		f.State, f.Note = state, err.Error()
		return f, nil
	}
	if absent(r.err) {
		f.File = ""
		if r.off != "" {
			f.State, f.Note = unpark.Off, r.off
			return f, nil
		}
		return fail(unpark.Absent, r.err)
	}
	if r.err != nil {
		f.File = ""
		return fail(unpark.Bad, r.err)
	}
	p, err := decode(k, name, r)
	if err != nil {
		if saved := s.o.save(name, r.body); saved != nil {
			err = fmt.Errorf("%w (and %w)", err, saved)
		}
		return fail(unpark.Bad, err)
	}
	p = m.recorded(&f, p)
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		return fail(unpark.Bad, err)
	}
	if err := s.o.save(name, out.Bytes()); err != nil {
		return fail(unpark.Bad, err)
	}
	if why := off(k, r, p); why != "" {
		f.State, f.Note = unpark.Off, why
		return f, nil
	}
	return f, p
}

func decode(k unpark.Kind, name string, r *raw) (*profile.Profile, error) {
	p, err := profile.Decode(bytes.NewReader(r.body), k, name)
	if err != nil {
		return nil, err
	}
	if k.Reading() != unpark.Cumulative {
		return p, nil
	}
	base, err := profile.Decode(bytes.NewReader(r.base), k, name+" (first reading)")
	if err != nil {
		return nil, err
	}
	return p.Sub(base), nil
}

// off says why a rated kind counts as not measured. An empty profile at a known
// rate is a measurement; at an unknown rate it is none. With a CPU profile
// running, the block profile of a recording target holds at least the wait of
// the handler itself.
func off(k unpark.Kind, r *raw, p *profile.Profile) string {
	if !k.Rated() || r.off != "" {
		return r.off
	}
	if !r.rate.Known() && len(p.Samples()) == 0 {
		return "it is empty and its sampling rate is unknown: it was probably never set"
	}
	return ""
}

// SnapshotFile names the file of the i-th goroutine snapshot of a window, from 0.
func SnapshotFile(i int) string { return fmt.Sprintf("goroutine-%02d.pb.gz", i+1) }

// snapshotProfiles decodes the goroutine snapshots, by instant. A snapshot that
// cannot be read is left out: the mean is over those that were.
func (s *session) snapshotProfiles() [][]*profile.Profile {
	var all [][]*profile.Profile
	for i := 0; ; i++ {
		var at []*profile.Profile
		more := false
		for _, m := range s.members {
			if i >= len(m.snapshots) {
				continue
			}
			more = true
			r := m.snapshots[i]
			if r.err != nil {
				continue
			}
			name := s.o.file(m, SnapshotFile(i))
			if p, err := profile.Decode(bytes.NewReader(r.body), unpark.KindGoroutine, name); err == nil {
				at = append(at, p)
				m.snapshots[i].read = p
				_ = s.o.save(name, r.body) // a full disk was told with the profiles
			}
		}
		if !more {
			return all
		}
		if len(at) > 0 {
			all = append(all, at)
		}
	}
}

// overlap verifies that the profiles cover the window, and that processes were there all the while.
func overlap(w unpark.Window, past bool) []unpark.Notice {
	out := spans(w, past)
	others := ""
	if len(w.Processes) > 1 {
		others = ", the other processes were used"
	}
	for _, p := range w.Processes {
		if p.State != "whole" {
			out = append(out, unpark.Notice{
				Code:    "process-" + p.State,
				Message: fmt.Sprintf("process %d %s inside the window: its profiles are missing or short%s", p.PID, map[string]string{"died": "ended", "born": "was started"}[p.State], others),
				Cure:    "find out why workers come and go, then measure again",
			})
		}
	}
	return out
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Join adds the processes that another machine captured in the same window, and the records
// of their profiles; the profiles themselves are read from the run directory.
func (c *Contents) Join(other unpark.Window) {
	w := &c.Window
	w.Processes = append(w.Processes, other.Processes...)
	w.Profiles = append(w.Profiles, other.Profiles...)
	w.Peers = append(w.Peers, other.Peers...)
	sortProfiles(w.Profiles)
}

// sortProfiles orders the records as reports show them: by kind, then process, then
// time.
func sortProfiles(all []unpark.ProfileFile) {
	rank := map[unpark.Kind]int{}
	for i, k := range unpark.Kinds() {
		rank[k] = i
	}
	slices.SortFunc(all, func(a, b unpark.ProfileFile) int {
		return cmp.Or(cmp.Compare(rank[a.Kind], rank[b.Kind]), cmp.Compare(a.PID, b.PID), a.Start.Compare(b.Start))
	})
}

// firstFailure names one reason for which nothing could be captured.
func (s *session) firstFailure() string {
	for _, m := range s.members {
		for _, k := range unpark.Kinds() {
			if r := m.raw[k]; r != nil && r.err != nil {
				return r.err.Error()
			}
		}
	}
	return "every profile is switched off"
}

// spans verifies that the profiles cover the window, and little more; of one that began in the past, the
// CPU profile cannot. Those of a process that have the same stretch of time are told together.
func spans(w unpark.Window, past bool) []unpark.Notice {
	length := w.End.Sub(w.Start)
	var out []unpark.Notice
	kinds := map[unpark.Notice][]string{}
	for _, f := range w.Profiles {
		if f.State != unpark.Present || f.Kind.Reading() == unpark.Snapshot || f.Kind == unpark.KindTrace || past && f.Kind == unpark.KindCPU {
			continue
		}
		shared, own := earlier(f.End, w.End).Sub(later(f.Start, w.Start)), f.End.Sub(f.Start)
		n := unpark.Notice{Code: "window-overlap"}
		switch {
		case shared < length*95/100:
			n.Cure = "give the target a moment more before the window (--warmup), or a longer window (--duration)"
		case own > length*115/100+time.Second:
			n.Cure = "the target answered late: give it room, or take a longer window (--duration)"
		default:
			continue
		}
		n.Message = fmt.Sprintf("of process %d cover %.1f s of the %.1f s window and last %.1f s", f.PID, shared.Seconds(), length.Seconds(), own.Seconds())
		if len(kinds[n]) == 0 {
			out = append(out, n)
		}
		kinds[n] = append(kinds[n], string(f.Kind))
	}
	for i, n := range out {
		out[i].Message = fmt.Sprintf("the profiles %s %s", strings.Join(kinds[n], ", "), n.Message)
	}
	return out
}
