package facts

import "github.com/unpark-go/unpark"

// CPU is how the target used processors.
type CPU struct {
	Cores     unpark.Number `json:"cores"`      // mean cores used by the target, from /proc or the cgroup; else from the profile
	Service   unpark.Number `json:"service"`    // of them, without what observing took
	Allowed   unpark.Number `json:"allowed"`    // cores it may use: quota, affinity or the machine
	Parallel  unpark.Number `json:"parallel"`   // sum of GOMAXPROCS over processes
	Machine   unpark.Number `json:"machine"`    // busy cores of the whole machine
	Sampled   unpark.Number `json:"sampled_s"`  // CPU seconds in the profile, observer removed
	Observer  unpark.Number `json:"observer_s"` // CPU seconds of profiling itself, and of collecting its garbage
	Throttled unpark.Number `json:"throttled"`  // share of the periods of its CPU limit in which the cgroup was stopped
	// Shares of Sampled by what the leaf was doing; they do not overlap.
	Shares CPUShares `json:"shares"`
	Sites  []CPUSite `json:"sites"` // by application frame, largest cumulative first
	// Functions are all functions, Go's own and those of libraries as well, by what they
	// do themselves, largest Flat first; Self is Flat.
	Functions []CPUSite `json:"functions,omitempty"`
	// Dominant is the first application frame where stacks diverge: descending
	// from the root through application frames that hold at least 70 % of the
	// request-path samples. Zero when there is none.
	Dominant    unpark.Site   `json:"dominant"`
	DominantCPU unpark.Number `json:"dominant_s"`
	RequestPath unpark.Number `json:"request_path_s"` // CPU seconds of stacks that serve requests
	Tree        Tree          `json:"-"`              // seconds by function, from the server inwards
}

// OfService is the cores that the service itself used; those of the target where that
// was not separated.
func (c CPU) OfService() unpark.Number {
	if c.Service.Known() {
		return c.Service
	}
	return c.Cores
}

// ProfileHz is the default sampling rate of runtime/pprof (pprof.go: hz = 100).
const ProfileHz = 100

// Samples is the number of samples of the profile, the observer's left out.
func (c CPU) Samples() float64 { return c.Sampled.Or(0) * ProfileHz }

// Short reports that the profile is too short for a share: fewer than 100 samples place
// one of a half only within ±8 %.
func (c CPU) Short() bool { return c.Sampled.Or(0) < 1 }

// CPUShares splits CPU time by what was executing; each is a share of the
// profile without the observer.
type CPUShares struct {
	GC        unpark.Number `json:"gc"`        // background marking, assists, sweeping
	Malloc    unpark.Number `json:"malloc"`    // mallocgc without assists, and without what is recorded
	Record    unpark.Number `json:"record"`    // of mallocgc: noting it for the memory profile
	Scheduler unpark.Number `json:"scheduler"` // schedule, findRunnable, futex, netpoll
	Syscall   unpark.Number `json:"syscall"`   // read, write and other system calls
	Lock      unpark.Number `json:"lock"`      // spinning and runtime.lock2, sync slow paths
	App       unpark.Number `json:"app"`       // everything else
}

// CPUSite is one application frame with what it costs. Self is the time of
// samples whose innermost application frame this is (its own instructions and
// the library and runtime code that it called); Cum counts every sample it is on.
type CPUSite struct {
	Site    unpark.Site   `json:"site"`
	Self    float64       `json:"self_s"`
	Flat    float64       `json:"flat_s"` // samples whose very leaf it is
	Cum     float64       `json:"cum_s"`
	Side    unpark.Side   `json:"side"`
	Callees []SiteSum     `json:"callees"` // what Self went to: first frame below, largest first, at most 5
	Stack   []unpark.Site `json:"stack"`   // the heaviest stack through it, leaf first, at most 32
}

// SiteSum is a site with an amount.
type SiteSum struct {
	Site  unpark.Site `json:"site"`
	Value float64     `json:"value"`
}
