// Package expect reads what unpark must say of a lab: the expect.yaml beside
// each of them.
package expect

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark"
)

// Lab is one expect.yaml.
type Lab struct {
	Name    string         `yaml:"lab"`
	Package string         `yaml:"package"` // import path pattern for go build, from the repository's root
	Arms    map[string]Arm `yaml:"arms"`
	Steps   []Step         `yaml:"steps"`
	// Probe says how the probe comes into the service: empty when its main starts
	// it, "added" when unpark builds it in.
	Probe string `yaml:"probe"`
	// Demo is what `unpark demo LAB` shows.
	Demo *Demo `yaml:"demo"`
}

// Demo is two arms of a lab, one after the other.
type Demo struct {
	Question string `yaml:"question"`
	Before   string `yaml:"before"`
	After    string `yaml:"after"`
	Fix      string `yaml:"fix"` // what differs in After, in one sentence
}

// Arm is one way to start a lab, the load to put on it, and the verdict.
type Arm struct {
	Args []string `yaml:"args"` // of the service, without its address
	Load []string `yaml:"load"` // flags of `unpark run`; a rate of "calibration" is asked from the service
	Path string   `yaml:"path"` // of the requests
	// Targets names a file of requests beside expect.yaml, in place of Path; its
	// host is that of the service.
	Targets string `yaml:"targets"`
	// Beside are arguments of the same program, started beside the service: slow
	// clients, or a server that it asks. Located puts {url} and {beside} in.
	Beside []string `yaml:"beside"`
	// Also are services that it asks, and Joined is how their requests must be joined to its own; empty: in any way.
	Also   Also            `yaml:"also"`
	Joined unpark.JoinedBy `yaml:"joined"`
	// GeneratorCPUs confines the generator to so many cores; 0: it is free.
	GeneratorCPUs float64 `yaml:"generator_cpus"`
	// Extra arms are run when everything is asked for: variants of an arm that is
	// there already. Short ones are also in the scoreboard's short form.
	Extra bool `yaml:"extra"`
	Short bool `yaml:"short"`
	// Void says whether the run is void: "must" or "may"; without it, it must not be.
	Void string `yaml:"void"`
	// Known says what unpark gets wrong of the arm, and why, as long as it does. The
	// scoreboard counts it as a miss all the same.
	Known string `yaml:"known"`
	// Limit lists the acceptable limits; empty when it depends on the machine.
	Limit    []unpark.LimitKind `yaml:"limit"`
	Findings []Finding          `yaml:"findings"`
	// Blocking is what the run must say of requests waiting for one another.
	Blocking *Blocking `yaml:"blocking"`
	// Absent lists classes that no finding on the request path may have.
	Absent []unpark.Class `yaml:"absent"`
}

// Finding describes one expected finding. Empty fields match anything; the
// texts are parts of fully qualified function names.
type Finding struct {
	Class unpark.Class `yaml:"class"`
	// Or lists classes that are as right: garbage is allocation, and CPU.
	Or      []unpark.Class `yaml:"or"`
	Rank    int            `yaml:"rank"`    // 0: any
	Service string         `yaml:"service"` // one of the arm's Also
	Waiter  string         `yaml:"waiter"`
	Holder  string         `yaml:"holder"`
	Path    string         `yaml:"path"` // anywhere: site, waiter, holder or the stack
	// ShareBelow bounds the share of the finding from above; 0: no bound.
	ShareBelow float64 `yaml:"share_below"`
	// MinP99Gain is the smallest predicted improvement of p99, before ÷ after; 0: none.
	MinP99Gain float64 `yaml:"min_p99_gain"`
	// MinThroughputGain is the smallest predicted throughput ratio, for closed loops; 0: none.
	MinThroughputGain float64 `yaml:"min_throughput_gain"`
	// MaxThroughputGain bounds the predicted throughput ratio, for findings that
	// are real and worth nothing; 0: no bound.
	MaxThroughputGain float64 `yaml:"max_throughput_gain"`
}

// Blocking describes where requests block, whether or not that is worth a change.
type Blocking struct {
	First             string  `yaml:"first"`     // part of the function that waits
	Share             float64 `yaml:"share"`     // of all blocking, at least
	CPUShare          float64 `yaml:"cpu_share"` // of the CPU in that function, below
	MaxThroughputGain float64 `yaml:"max_throughput_gain"`
	// Negligible is the number of mean waiters below which the run may say that
	// too few waits were recorded to name a place.
	Negligible float64 `yaml:"negligible"`
}

// Read reads one expect.yaml. An unknown key is an error, so that a misspelt
// expectation cannot pass for one that was met.
func Read(file string) (Lab, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Lab{}, fmt.Errorf("expect: %w", err)
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	var lab Lab
	if err := d.Decode(&lab); err != nil {
		return Lab{}, fmt.Errorf("expect: decode %s: %w", file, err)
	}
	if err := lab.validate(); err != nil {
		return Lab{}, fmt.Errorf("expect: %s: %w", file, err)
	}
	return lab, nil
}

func (l Lab) validate() error {
	if l.Name == "" || l.Package == "" || len(l.Arms) == 0 {
		return errors.New("lab, package and arms are needed")
	}
	for name, arm := range l.Arms {
		for _, k := range arm.Limit {
			if !slices.Contains(limits(), k) {
				return fmt.Errorf("arm %s: limit %q is unknown", name, k)
			}
		}
		if err := arm.Also.validate(); err != nil {
			return fmt.Errorf("arm %s: %w", name, err)
		}
		if !slices.Contains([]string{"", MustBeVoid, mayBeVoid}, arm.Void) {
			return fmt.Errorf("arm %s: void %q: it is %s, %s or left out", name, arm.Void, MustBeVoid, mayBeVoid)
		}
		all := slices.Clone(arm.Absent)
		for _, f := range arm.Findings {
			all = append(append(all, f.Class), f.Or...)
		}
		for _, c := range all {
			if !slices.Contains(unpark.Classes(), c) {
				return fmt.Errorf("arm %s: class %q is unknown", name, c)
			}
		}
	}
	for _, s := range l.Steps {
		_, before := l.Arms[s.Before]
		_, after := l.Arms[s.After]
		if !before || !after || s.Finding.Class == "" && !s.Blocking {
			return fmt.Errorf("step %q to %q: two arms and the class of a finding are needed", s.Before, s.After)
		}
		if !slices.Contains([]unpark.Fix{"", unpark.FixHalved, unpark.FixSharded, unpark.FixRWMutex}, s.Fix) {
			return fmt.Errorf("step %q to %q: fix %q is unknown", s.Before, s.After, s.Fix)
		}
	}
	return l.validateDemo()
}

func (l Lab) validateDemo() error {
	if l.Probe != "" && l.Probe != ProbeAdded {
		return fmt.Errorf("probe %q: leave it out, or say %q", l.Probe, ProbeAdded)
	}
	if l.Demo == nil {
		return nil
	}
	_, before := l.Arms[l.Demo.Before]
	_, after := l.Arms[l.Demo.After]
	if !before || !after || l.Demo.Question == "" || l.Demo.Fix == "" {
		return errors.New("demo: a question, two arms and what the fix is are needed")
	}
	return nil
}

// ProbeAdded is the Probe of a lab that has no probe of its own.
const ProbeAdded = "added"

// Check says how a verdict differs from what the arm expects; nil when it does
// not.
func (a Arm) Check(run unpark.Run) []string {
	limit, found := run.Limit, run.Findings
	wrong := a.asked(run)
	if len(a.Limit) > 0 && !slices.Contains(a.Limit, limit.Kind) {
		wrong = append(wrong, fmt.Sprintf("limit is %q (%s), want one of %q", limit.Kind, limit.Why, a.Limit))
	}
	for _, want := range a.Findings {
		unsaid := want.MaxThroughputGain > 0 && want.MinP99Gain == 0 && !slices.ContainsFunc(found, want.about) // worth nothing
		if !unsaid && !slices.ContainsFunc(found, want.matches) {
			wrong = append(wrong, fmt.Sprintf("no finding is %v; found: %s", want, titles(found)))
		}
	}
	for _, f := range found {
		if slices.Contains(a.Absent, f.Class) {
			wrong = append(wrong, fmt.Sprintf("finding %d is %q: %s", f.Rank, f.Class, f.Title))
		}
	}
	if a.Blocking != nil {
		wrong = append(wrong, a.Blocking.check(run.Blocking)...)
	}
	return wrong
}

func (b Blocking) check(got *unpark.Blocking) []string {
	switch {
	case got == nil:
		return []string{"no word on what requests block on"}
	case got.First == nil && got.Waiters.Value.Or(1) < b.Negligible:
		return nil
	case got.First == nil:
		return []string{fmt.Sprintf("no place is named of %g mean waiters", got.Waiters.Value.Or(0))}
	}
	var wrong []string
	if !anywhere(b.First, *got.First) {
		wrong = append(wrong, fmt.Sprintf("requests block in %s, want %s", got.First.Waiter, b.First))
	}
	if v := got.Share.Value.Or(0); v < b.Share {
		wrong = append(wrong, fmt.Sprintf("%s has %.3f of the blocking, want %g", b.First, v, b.Share))
	}
	if v := got.CPUShare.Or(1); v >= b.CPUShare {
		wrong = append(wrong, fmt.Sprintf("%s has %.3f of the CPU, want less than %g", b.First, v, b.CPUShare))
	}
	if v := got.First.Prediction.Throughput.Value.Or(9); v > b.MaxThroughputGain {
		wrong = append(wrong, fmt.Sprintf("throughput ×%.3f without it, want at most %g", v, b.MaxThroughputGain))
	}
	return wrong
}

func (f Finding) matches(got unpark.Finding) bool {
	return f.isOf(got.Class) &&
		(f.Rank == 0 || got.Rank == f.Rank) &&
		(f.Service == "" || got.Service == f.Service) &&
		(f.Waiter == "" || names(f.Waiter, got.Waiter)) &&
		(f.Holder == "" || names(f.Holder, got.Holder)) &&
		(f.Path == "" || anywhere(f.Path, got)) &&
		(f.ShareBelow == 0 || got.Share.Or(1) < f.ShareBelow) &&
		(f.MinP99Gain == 0 || 1/got.Prediction.P99.Value.Or(got.Prediction.P99.High.Or(1)) >= f.MinP99Gain) &&
		(f.MinThroughputGain == 0 || throughputGain(got) >= f.MinThroughputGain) &&
		(f.MaxThroughputGain == 0 || throughputGain(got) <= f.MaxThroughputGain)
}

// throughputGain is the ratio that a finding promises, or the least where that is all it says.
func throughputGain(f unpark.Finding) float64 {
	q := f.Prediction.Throughput
	return q.Value.Or(q.Low.Or(1))
}

func (f Finding) isOf(c unpark.Class) bool { return c == f.Class || slices.Contains(f.Or, c) }

func names(part string, at *unpark.Site) bool {
	return at != nil && strings.Contains(at.Function, part)
}

func anywhere(part string, f unpark.Finding) bool {
	return names(part, &f.Site) || names(part, f.Waiter) || names(part, f.Holder) ||
		slices.ContainsFunc(f.Path, func(s unpark.Site) bool { return names(part, &s) })
}

func limits() []unpark.LimitKind {
	return []unpark.LimitKind{
		unpark.LimitCPU, unpark.LimitLock, unpark.LimitChannel, unpark.LimitGC, unpark.LimitQuota,
		unpark.LimitPool, unpark.LimitIO, unpark.LimitDownstream, unpark.LimitNetwork,
		unpark.LimitGenerator, unpark.LimitRateLimit, unpark.LimitConnections, unpark.LimitNone, unpark.LimitUnknown,
	}
}
