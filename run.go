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
	// Tables are what the profiles hold, told where no load of ours says what of it
	// limits requests; Unsaid is what cannot be said then, and how to get it.
	Tables   []Table  `json:"tables,omitempty"`
	Unsaid   []Notice `json:"unsaid,omitempty"`
	Windows  []Window `json:"windows"`
	Warnings []Notice `json:"warnings"`

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
	Module  string   `json:"module,omitempty"` // path of the target's main module, when known
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
}

// Notice is something the reader must know beside a figure: a warning, or a
// reason for which a run is void. Code is stable and in kebab-case.
type Notice struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Cure    string `json:"cure"`
}

// Window is one bounded measurement at one load level: profiles and load result
// of the same interval.
type Window struct {
	Level     Level         `json:"level"`
	Start     time.Time     `json:"start"`
	End       time.Time     `json:"end"`
	Load      *Load         `json:"load"`     // nil when unpark drove no load
	Baseline  *Load         `json:"baseline"` // the unprofiled stretch beside the window; nil when there was none
	Processes []Process     `json:"processes"`
	Observer  Observer      `json:"observer"`
	Machine   Machine       `json:"machine"`
	Profiles  []ProfileFile `json:"profiles"`
	Timeline  []Tick        `json:"timeline,omitempty"`
	Tracing   *Tracing      `json:"tracing,omitempty"` // nil without a readable execution trace
}

// Seconds returns the length of the window.
func (w Window) Seconds() float64 { return w.End.Sub(w.Start).Seconds() }

// bystanderCores is the CPU below which a process without an endpoint does no work of
// the target's: a shell that started it, a supervisor that waits for its workers.
const bystanderCores = 0.01

// Total is the sum of a figure over the processes; unknown where that of one is, unless
// it is a bystander: what only a Go program has is no loss there.
func (w Window) Total(of func(Process) Number) Number {
	sum, known := 0.0, false
	for _, p := range w.Processes {
		v, ok := of(p).Get()
		if !ok && (p.Endpoint != "" || p.Cores.Or(bystanderCores) >= bystanderCores) {
			return Number{}
		}
		sum, known = sum+v, known || ok
	}
	if !known {
		return Number{}
	}
	return Num(sum)
}

// Level is the load at which a window was taken.
type Level struct {
	Connections int     `json:"connections,omitempty"`
	RateRPS     float64 `json:"rate_rps,omitempty"`
}

// Load is what the generator saw in one stretch of time.
//
// Response counts from the intended start of a request, service from the moment
// it was written, lag is the difference (see Gil Tene, "How NOT to Measure
// Latency"). A closed loop intends a request at the instant it may send it.
type Load struct {
	Mode        Mode             `json:"mode"`
	Seconds     float64          `json:"seconds"`
	OfferedRPS  float64          `json:"offered_rps"`  // intended starts per second; equals achieved in a closed loop
	AchievedRPS float64          `json:"achieved_rps"` // completions within the stretch per second
	Requests    int64            `json:"requests"`     // completed within the stretch
	Errors      int64            `json:"errors"`
	Unfinished  int64            `json:"unfinished"`      // intended in the stretch, still without an answer when it was closed
	Late        int64            `json:"late"`            // sent late for the generator's own reasons (a connection was free)
	Status      map[string]int64 `json:"status"`          // "200": n
	ErrorKinds  map[string]int64 `json:"error_kinds"`     // "refused", "timeout", "reset", "ports", "descriptors", "status", …
	ErrorSample string           `json:"error,omitempty"` // the first error, in words
	Response    Latency          `json:"response_s"`
	Service     Latency          `json:"service_s"`
	Lag         Latency          `json:"lag_s"`
	// OwnLag is the part of Lag that the generator is to blame for: not the wait
	// for a connection that the target had not freed.
	OwnLag Latency `json:"own_lag_s"`
	// GeneratorCPU is the mean number of cores that the generator used.
	GeneratorCPU Number `json:"generator_cpu_cores"`
	// BytesPerResponse is the mean size of an answer's body.
	BytesPerResponse Number `json:"bytes_per_response"`
	// Repeated is the share of sampled answers whose body equalled an earlier
	// answer to the same request: 1 means that nothing ever changes.
	Repeated Number `json:"repeated_share"`
}

// Attempts is how many requests the figures are of: those that were answered, and
// those that failed without an answer. An answer with an unexpected status is in
// Requests and in Errors, and so is what another generator calls unexpected among the
// requests that it counts; each is one attempt.
func (l Load) Attempts() int64 {
	return max(l.Errors, l.Requests+l.Errors-l.ErrorKinds["status"]-l.ErrorKinds["unexpected"])
}

// FailedShare is Errors over Attempts; unknown of no attempt.
func (l Load) FailedShare() Number { return Ratio(float64(l.Errors), float64(l.Attempts())) }

// Latency summarises one histogram; all times in seconds. N is 0 when nothing
// was recorded, and then the other figures mean nothing.
type Latency struct {
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	// P9999 is the 99.99th percentile; of fewer than 10 000 values it is their
	// maximum.
	P9999 float64 `json:"p9999"`
	Max   float64 `json:"max"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	N     int64   `json:"n"`
	// Buckets is the distribution for drawing: ascending upper bounds with the
	// number of values at or below each and above the one before.
	Buckets []Bucket `json:"buckets,omitempty"`
}

// Bucket is one bar of a latency distribution.
type Bucket struct {
	Le    float64 `json:"le"` // seconds
	Count int64   `json:"count"`
}

// Tick is one interval of a window's timeline, usually one second.
type Tick struct {
	At        float64 `json:"at_s"` // seconds since the run's load began
	RPS       float64 `json:"rps"`
	P50       float64 `json:"p50_s"`
	P99       float64 `json:"p99_s"`
	Errors    int64   `json:"errors"`
	Cores     Number  `json:"cpu_cores"` // used by the target
	Generator Number  `json:"generator_cpu_cores"`
	Phase     string  `json:"phase"` // "warmup", "baseline", "window", "trace"
}

// Process is one operating system process of the target, over one window.
type Process struct {
	PID        int    `json:"pid"` // negative: it has none that is its own among the processes
	Parent     int    `json:"ppid,omitempty"`
	Machine    int    `json:"machine,omitempty"` // 0: that of unpark; else which of the others
	State      string `json:"state"`             // "whole", "born" (inside the window), "died" (inside the window)
	GOMAXPROCS Number `json:"gomaxprocs"`
	NumCPU     Number `json:"num_cpu"`
	Go         string `json:"go,omitempty"`
	Cores      Number `json:"cpu_cores"`
	System     Number `json:"system_cores"` // of cpu_cores, inside the kernel
	CPUPerReq  Number `json:"cpu_per_request_s"`
	Threads    Number `json:"threads"`
	RSS        Number `json:"rss_bytes"`
	GCShare    Number `json:"gc_cpu_share"`
	Throttled  Number `json:"throttled_s"` // summed over processors: more than the window is possible
	// Periods of its cgroup's CPU limit in which something ran, and those of them in which
	// the limit stopped it (nr_periods and nr_throttled of cpu.stat).
	Periods        Number `json:"cfs_periods,omitzero"`
	StoppedPeriods Number `json:"cfs_throttled_periods,omitzero"`

	Goroutines  Number  `json:"goroutines"`
	Faults      Number  `json:"minor_faults"` // memory that was touched for the first time, in pages
	Voluntary   Number  `json:"voluntary_switches"`
	Involuntary Number  `json:"involuntary_switches"`
	Endpoint    string  `json:"endpoint,omitempty"`
	Metrics     Metrics `json:"metrics"`
}

// Metrics is the difference, over one window, of the runtime/metrics that the
// stages use; unknown where the target has no probe.
type Metrics struct {
	GCCycles       Number `json:"gc_cycles"`
	GCCPU          Number `json:"gc_cpu_s"`         // /cpu/classes/gc/total
	GCAssist       Number `json:"gc_assist_s"`      // /cpu/classes/gc/mark/assist
	TotalCPU       Number `json:"total_cpu_s"`      // /cpu/classes/total: GOMAXPROCS × time
	AllocBytes     Number `json:"alloc_bytes"`      // /gc/heap/allocs:bytes
	AllocObjects   Number `json:"alloc_objects"`    // /gc/heap/allocs:objects
	HeapLive       Number `json:"heap_live_bytes"`  // /gc/heap/live:bytes, at the end
	HeapGoal       Number `json:"heap_goal_bytes"`  // /gc/heap/goal:bytes, at the end
	MutexWait      Number `json:"mutex_wait_s"`     // /sync/mutex/wait/total:seconds
	SchedP99       Number `json:"sched_p99_s"`      // 99th percentile of /sched/latencies:seconds
	SchedWait      Number `json:"sched_wait_s"`     // estimated sum of /sched/latencies:seconds
	GoroutineStart Number `json:"goroutines_start"` // at the window's start
	GoroutineEnd   Number `json:"goroutines_end"`   // at the window's end
}

// Machine is the whole host of the target over one window; unknown where that is not
// the machine that unpark runs on.
type Machine struct {
	CPUs  int    `json:"cpus"`
	Busy  Number `json:"busy_cores"`  // user + system of everything
	Steal Number `json:"steal_cores"` // taken by the hypervisor
	// What the load generator may use: processors, 0 where that is not known, and how
	// many cores a quota leaves it, unknown where there is none.
	GeneratorCPUs  int    `json:"generator_cpus"`
	GeneratorQuota Number `json:"generator_quota_cores"`
}

// Strangers returns the mean number of cores that neither the target nor the generator
// used over the window, what the hypervisor took among them; the kernel's own work for
// their traffic that it charges to no process is part of it. Unknown when the usage of
// the machine, of a process or of the generator is.
func (w Window) Strangers() Number {
	others, ok := w.Machine.Busy.Get()
	if !ok || w.Load == nil || len(w.Processes) == 0 {
		return Number{}
	}
	others += w.Machine.Steal.Or(0)
	used := []Number{w.Load.GeneratorCPU}
	for _, p := range w.Processes {
		used = append(used, p.Cores)
	}
	for _, n := range used {
		v, ok := n.Get()
		if !ok {
			return Number{}
		}
		others -= v
	}
	return Num(max(0, others))
}

// Observer is what looking cost the target inside the window: waits and CPU of
// stacks that belong to profiling itself. They are removed from the evidence.
type Observer struct {
	Wait float64 `json:"wait_s"`
	CPU  float64 `json:"cpu_s"`
	// Alloc is the bytes that it allocated in the target.
	Alloc Number `json:"alloc_bytes,omitzero"`
	// Throughput is profiled ÷ unprofiled throughput; unknown without a
	// baseline stretch.
	Throughput Number `json:"throughput_ratio"`
	// TraceThroughput and TraceLatency are what the execution trace cost, traced ÷
	// unprofiled: of the throughput of a closed loop (an open one has the rate that
	// it was given), and of the median response. Unknown without baseline stretches,
	// with too few requests, or where the baselines on either side are not alike.
	TraceThroughput Number `json:"trace_throughput_ratio"`
	TraceLatency    Number `json:"trace_p50_ratio"`
}

// ProfileFile is one profile in the run directory.
type ProfileFile struct {
	Kind  Kind      `json:"kind"`
	File  string    `json:"file"` // relative to the run directory
	PID   int       `json:"pid"`
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
	State Coverage  `json:"state"`
	Note  string    `json:"note,omitempty"` // the error, when State is not Present; else what is missing
	Rate  Number    `json:"rate"`           // block: ns; mutex: 1 in n; cpu: Hz
}

// Coverage says whether a kind was measured.
type Coverage string

// The states of coverage.
const (
	Present Coverage = "present"
	Off     Coverage = "off"    // its sampling rate is 0: nothing is known, not "no contention"
	Absent  Coverage = "absent" // the target does not serve it
	Bad     Coverage = "bad"    // it was served and cannot be used
)
