package unpark

import "time"

// Window is one bounded measurement at one load level: profiles and load result
// of the same interval.
type Window struct {
	Level     Level     `json:"level"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`
	Load      *Load     `json:"load"`     // nil when unpark drove no load
	Baseline  *Load     `json:"baseline"` // the unprofiled stretch beside the window; nil when there was none
	Processes []Process `json:"processes"`
	Observer  Observer  `json:"observer"`
	Machine   Machine   `json:"machine"`
	Peers     []Peer    `json:"peers,omitempty"` // whom the target has connections to, at the end of the window
	// Clients are the processes with connections that the target has accepted, of a service beside it.
	Clients  []Peer        `json:"clients,omitempty"`
	Profiles []ProfileFile `json:"profiles"`
	Timeline []Tick        `json:"timeline,omitempty"`
	Tracing  *Tracing      `json:"tracing,omitempty"` // nil without a readable execution trace
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

	Goroutines Number `json:"goroutines"`
	// Snapshots are the goroutine profiles that were spread over the window; nil where
	// there were none.
	Snapshots   *Snapshots `json:"snapshots,omitempty"`
	Faults      Number     `json:"minor_faults"` // memory that was touched for the first time, in pages
	Voluntary   Number     `json:"voluntary_switches"`
	Involuntary Number     `json:"involuntary_switches"`
	// Reads and Writes are its calls of read and write, to files and connections alike, and
	// Written the bytes of the latter; unknown where the kernel does not say. Datagrams are
	// not among them.
	Reads    Number `json:"read_calls,omitzero"`
	Writes   Number `json:"write_calls,omitzero"`
	Written  Number `json:"written_bytes,omitzero"`
	Endpoint string `json:"endpoint,omitempty"`
	// Answered is its requests per second, and Wall how long one takes inside it in seconds, by
	// its own execution trace; Build is what its program was built from: the revision, else the
	// beginning of its build ID. Told where the target has several processes.
	Answered Number  `json:"answered_rps,omitzero"`
	Wall     Number  `json:"wall_s,omitzero"`
	Build    string  `json:"build,omitempty"`
	Metrics  Metrics `json:"metrics"`
}

// Snapshots says what goroutine profiles of one process rest on. Each has all goroutines, but for a process
// that is read from outside: of very many a sample, drawn by chance anew each time.
type Snapshots struct {
	Count int    `json:"count"`
	Every Number `json:"every_s"` // from one's begin to the next's, on average; unknown of a single one
	Drawn Number `json:"drawn"`   // goroutines that were read, in each on average; unknown where all were
	Of    Number `json:"of"`      // goroutines that there were then; unknown where all were read
	Moved Number `json:"moved"`   // of the drawn ones, which changed while they were read and were left out
}

// Metrics is the difference, over one window, of the runtime/metrics that the
// stages use; unknown where the target has no probe.
type Metrics struct {
	GCCycles       Number `json:"gc_cycles"`
	GCCPU          Number `json:"gc_cpu_s"`                    // /cpu/classes/gc/total
	GCAssist       Number `json:"gc_assist_s"`                 // /cpu/classes/gc/mark/assist
	TotalCPU       Number `json:"total_cpu_s"`                 // /cpu/classes/total: GOMAXPROCS × time
	AllocBytes     Number `json:"alloc_bytes"`                 // /gc/heap/allocs:bytes
	AllocObjects   Number `json:"alloc_objects"`               // /gc/heap/allocs:objects
	HeapLive       Number `json:"heap_live_bytes"`             // /gc/heap/live:bytes, at the end
	HeapGoal       Number `json:"heap_goal_bytes"`             // /gc/heap/goal:bytes, at the end
	GOGC           Number `json:"gogc_percent,omitzero"`       // /gc/gogc:percent, at the end; −1 where it is off, as in debug.SetGCPercent
	MemoryLimit    Number `json:"memory_limit_bytes,omitzero"` // /gc/gomemlimit:bytes, at the end; unknown where there is none
	MutexWait      Number `json:"mutex_wait_s"`                // /sync/mutex/wait/total:seconds
	SchedP99       Number `json:"sched_p99_s"`                 // 99th percentile of /sched/latencies:seconds
	SchedWait      Number `json:"sched_wait_s"`                // estimated sum of /sched/latencies:seconds
	GoroutineStart Number `json:"goroutines_start"`            // at the window's start
	GoroutineEnd   Number `json:"goroutines_end"`              // at the window's end
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
	// Yardstick is the processor time of a fixed piece of work, s, done ten times a second during the window on the processors of
	// the target: how fast the machine was (decision 17). Unknown where there was no load, on other systems than Linux, and where the target
	// is on another machine. It is comparable between runs of one machine and one load, and not with that of rounds, which is done more often.
	Yardstick Quantity `json:"yardstick,omitzero"`
	// Neighbours are the processes that used most of it, but for the target's and unpark
	// itself, largest first: at most five, from a fiftieth of a core.
	Neighbours []Neighbour `json:"neighbours,omitempty"`
}

// Neighbour is a process beside the target on its machine.
type Neighbour struct {
	PID   int     `json:"pid"`
	Name  string  `json:"name"`  // as the kernel has it, at most 15 bytes
	Cores float64 `json:"cores"` // mean over the window
}

// MaxOtherShare is the part of the machine's busy cores that processes other than the
// target and the generator may have before the machine counts as theirs. The kernel's own
// work for loopback traffic is charged to no process and stays below it.
const MaxOtherShare = 0.3

// OtherCores returns the mean number of cores over the window that neither the target,
// which used so many, nor the generator used, with what the hypervisor took; the kernel's
// own work for their traffic that it charges to no process is part of it. Unknown where
// the usage of one of them is.
func (w Window) OtherCores(target Number) Number {
	busy, ok := w.Machine.Busy.Get()
	used, known := target.Get()
	if !ok || !known {
		return Number{}
	}
	if w.Load != nil {
		generator, known := w.Load.GeneratorCPU.Get()
		if !known {
			return Number{}
		}
		used += generator
	}
	return Num(max(0, busy+w.Machine.Steal.Or(0)-used))
}

// crowdedShare is how busy a machine is on which others are in the way of what is measured: below
// that a processor is free for most that wants one.
const crowdedShare = 0.8

// FilledBy reports whether the machine was full, and counts as that of processes that are neither
// the target nor the generator and used so many cores.
func (w Window) FilledBy(others float64) bool {
	busy := w.Machine.Busy.Or(0) + w.Machine.Steal.Or(0)
	return busy > 0 && busy >= crowdedShare*float64(w.Machine.CPUs) && others >= MaxOtherShare*busy
}

// TargetCores is the mean number of cores that the target's processes used; unknown where
// that of one of them is.
func (w Window) TargetCores() Number {
	var sum float64
	for _, p := range w.Processes {
		v, ok := p.Cores.Get()
		if !ok {
			return Number{}
		}
		sum += v
	}
	if len(w.Processes) == 0 {
		return Number{}
	}
	return Num(sum)
}

// Observer is what looking cost the target inside the window: waits and CPU of
// stacks that belong to profiling itself. They are removed from the evidence.
type Observer struct {
	Wait float64 `json:"wait_s"`
	CPU  float64 `json:"cpu_s"`
	// Alloc is the bytes that it allocated in the target.
	Alloc Number `json:"alloc_bytes,omitzero"`
	// Reader is the CPU seconds, beside the target, of what reads it from outside; unknown where nothing does.
	Reader Number `json:"reader_cpu_s,omitzero"`
	// Throughput is profiled ÷ unprofiled throughput; unknown without a
	// baseline stretch.
	Throughput Number `json:"throughput_ratio"`
	// TraceThroughput and TraceLatency are what the execution trace and the CPU profile beside it cost, traced ÷
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
	// Recorded is for how long events were recorded, in seconds, where that was less than from start to end: there were enough
	// of them. The values of the file are for all of it, as if it had been like that part.
	Recorded Number `json:"recorded_s,omitzero"`
}

// Part is the part of its interval that a profile was recorded for.
func (f ProfileFile) Part() float64 {
	recorded, ok := f.Recorded.Get()
	if all := f.End.Sub(f.Start).Seconds(); ok && recorded > 0 && recorded < all {
		return recorded / all
	}
	return 1
}

// Part is the least part of the window for which a kind was recorded in any process.
func (w Window) Part(kind Kind) float64 {
	least := 1.0
	for _, f := range w.Profiles {
		if f.Kind == kind && f.State == Present {
			least = min(least, f.Part())
		}
	}
	return least
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
