package unpark

import "time"

// SchemaRun names the version of the run document. Keys are stable within it.
const SchemaRun = "unpark.run/v1"

// Run is one investigation: a target, a load plan, one or more windows and a
// verdict. It is the document that `--json` prints and run.json holds.
type Run struct {
	Schema   string    `json:"schema"`
	ID       string    `json:"id"`
	Started  time.Time `json:"started"`
	Unpark   Version   `json:"unpark"`
	Host     Host      `json:"host"`
	Target   Target    `json:"target"`
	Plan     Plan      `json:"plan"`
	Partial  string    `json:"partial,omitempty"` // why the run did not end; empty when it did
	Agents   []Agent   `json:"agents,omitempty"`  // machines that drove the load or captured
	Trigger  *Trigger  `json:"trigger,omitempty"` // of a run that a guard captured
	Void     []Notice  `json:"void"`              // not empty: figures are not to be trusted
	Limit    Limit     `json:"limit"`
	Blocking *Blocking `json:"blocking,omitempty"` // nil when no block profile was recorded
	Search   *Search   `json:"search,omitempty"`   // of a promise
	Scaling  *Scaling  `json:"scaling,omitempty"`  // of a sweep
	Findings []Finding `json:"findings"`
	// Costs are the functions that a limit of the CPU is made of and that no finding
	// tells of, the largest first. Whether their work is needed no profile can say; what
	// it would buy to be without each, their predictions do.
	Costs []Finding `json:"costs,omitempty"`
	// Offers are what the modules at the places of findings offer, read from their source
	// when the run was made.
	Offers []Offer `json:"offers,omitempty"`
	// Tables are what the profiles hold, told where no load of ours says what of it
	// limits requests; Unsaid is what cannot be said then, and how to get it.
	Tables  []Table  `json:"tables,omitempty"`
	Unsaid  []Notice `json:"unsaid,omitempty"`
	Windows []Window `json:"windows"`
	// Services are those that the target asks and that were captured beside it.
	Services []Service `json:"services,omitempty"`
	Warnings []Notice  `json:"warnings"`

	// Flames holds one flame graph per captured kind, merged over processes. It
	// is derived from the profiles and not part of the document.
	Flames []Flame `json:"-"`
}

// IsVoid reports whether the figures are not to be trusted.
func (r Run) IsVoid() bool { return len(r.Void) > 0 }

// Version says which unpark made a run, and with which Go.
type Version struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Commit  string `json:"commit,omitempty"`
}

// Host is the machine that a run was made on.
type Host struct {
	OS     string  `json:"os"`
	Arch   string  `json:"arch"`
	CPUs   int     `json:"cpus"`
	Model  string  `json:"model,omitempty"`
	Kernel string  `json:"kernel,omitempty"`
	Memory float64 `json:"memory_bytes"`
}

// Target is the service under test.
type Target struct {
	Command []string `json:"command,omitempty"`
	Package string   `json:"package,omitempty"` // --pkg: built with the probe added
	Pprof   []string `json:"pprof,omitempty"`   // endpoints of something that ran already
	URL     string   `json:"url,omitempty"`
	// Revision is the commit that Package was built from, twelve digits, with a + behind them where
	// files that git knows were changed; empty where that is not known.
	Revision string `json:"revision,omitempty"`
	Module   string `json:"module,omitempty"` // path of the target's main module, when known
	// Own are modules that are the user's beside the main one and those of its
	// organisation: named, of its workspace, or replaced by a folder. A path, or PATH/...
	Own []string `json:"own,omitempty"`
	Go  string   `json:"go,omitempty"` // version of Go that built it, when known
	// Quota is the CPU limit on the target in cores: set by unpark, or found on
	// its cgroup. Unknown when there is none.
	Quota Number `json:"quota_cores"`
	// Confinement says how the quota and affinity were applied, or why not:
	// "cgroup v1", "cgroup v2", "none: …".
	Confinement string `json:"confinement,omitempty"`
	// CPUs lists the processors that the target may use; empty means all.
	CPUs []int `json:"cpus,omitempty"`
	// Overlaps tells that the load generator may use some of CPUs too: unpark did not
	// choose them.
	Overlaps bool `json:"overlaps,omitempty"`
	// Elsewhere tells that the target runs on another machine than unpark, or that nothing
	// says it runs on this one: Host is then not its machine, and nothing is shared.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Probe reports whether the processes answered through unpark's own probe
	// (rates leased, metrics known) and not through net/http/pprof alone.
	Probe bool `json:"probe"`
	// Attach is set for processes that were read from outside; nil for others.
	Attach *Attach `json:"attach,omitempty"`
}

// ByNumber returns the processes of a target that has no endpoint: all of it was read from outside.
func (t Target) ByNumber() []int {
	if t.Attach == nil || len(t.Pprof) > 0 {
		return nil
	}
	return t.Attach.PIDs
}

// Attach says what was done to processes that were read from outside: they were not stopped,
// not signalled, and nothing but these words was written.
type Attach struct {
	PIDs     []int   `json:"pids"`
	ReadOnly bool    `json:"read_only,omitempty"`
	Writes   []Write `json:"writes"`
}

// Write is one word of a process's memory that was written for as long as it was read: what was
// there before is put back at the end, unless the process has changed it itself.
type Write struct {
	PID      int    `json:"pid"`
	Variable string `json:"variable"` // of the runtime
	Address  string `json:"address"`  // in the process, hexadecimal
	Before   int64  `json:"before"`
	Value    int64  `json:"value"`
}

// Notice is something the reader must know beside a figure: a warning, or a
// reason for which a run is void. Code is stable and in kebab-case.
type Notice struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Cure    string `json:"cure"`
}

// MeasuredAt is the index of the window that a run's verdict is about: the one with the
// highest throughput, without load the first; -1 when there is none.
func (r Run) MeasuredAt() int {
	best := -1
	for i, w := range r.Windows {
		if best < 0 || w.Load != nil && (r.Windows[best].Load == nil || w.Load.AchievedRPS > r.Windows[best].Load.AchievedRPS) {
			best = i
		}
	}
	return best
}

// Measured is the window at MeasuredAt; nil when there is none.
func (r Run) Measured() *Window {
	if i := r.MeasuredAt(); i >= 0 {
		return &r.Windows[i]
	}
	return nil
}
