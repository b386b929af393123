package unpark

// Kind is a profile kind. Its methods are the rules of the kind: which endpoint
// of net/http/pprof serves it, whether two readings are subtracted or one is
// taken, and how values of several processes are joined.
type Kind string

// The profile kinds. The names are those of net/http/pprof, except cpu, which
// the endpoint calls "profile".
const (
	KindCPU           Kind = "cpu"
	KindBlock         Kind = "block"
	KindMutex         Kind = "mutex"
	KindAllocs        Kind = "allocs"
	KindHeap          Kind = "heap"
	KindGoroutine     Kind = "goroutine"
	KindThreadCreate  Kind = "threadcreate"
	KindGoroutineLeak Kind = "goroutineleak"
	KindTrace         Kind = "trace"
)

// Kinds lists every kind in the order in which reports show them.
func Kinds() []Kind {
	return []Kind{
		KindCPU, KindBlock, KindMutex, KindAllocs, KindHeap, KindGoroutine,
		KindThreadCreate, KindGoroutineLeak, KindTrace,
	}
}

// Reading is how a kind relates to an interval.
type Reading string

// The readings of a kind.
const (
	// Interval kinds are recorded by one request that lasts the window.
	Interval Reading = "interval"
	// Cumulative kinds count since the process started: a window is the second
	// reading minus the first.
	Cumulative Reading = "cumulative"
	// Snapshot kinds describe one instant.
	Snapshot Reading = "snapshot"
)

// Reading returns how the kind relates to an interval.
func (k Kind) Reading() Reading {
	switch k {
	case KindCPU, KindTrace:
		return Interval
	case KindBlock, KindMutex, KindAllocs:
		return Cumulative
	default:
		return Snapshot
	}
}

// Endpoint returns the last element of the kind's net/http/pprof path.
func (k Kind) Endpoint() string {
	if k == KindCPU {
		return "profile"
	}
	return string(k)
}

// Rated reports whether the runtime records the kind only when a sampling rate
// is set (runtime.SetBlockProfileRate, runtime.SetMutexProfileFraction). Such a
// kind answers with an empty profile and status 200 while its rate is 0.
func (k Kind) Rated() bool { return k == KindBlock || k == KindMutex }

// File returns the name of the kind's file in a run directory.
func (k Kind) File() string {
	if k == KindTrace {
		return "trace.out"
	}
	return string(k) + ".pb.gz"
}

// Value returns the index-free name of the sample value that a reader wants
// first, as the profile names it: "cpu", "delay", "alloc_space", "inuse_space"
// or the kind's own count.
func (k Kind) Value() string {
	switch k {
	case KindCPU:
		return "cpu"
	case KindBlock, KindMutex:
		return "delay"
	case KindAllocs:
		return "alloc_space"
	case KindHeap:
		return "inuse_space"
	default:
		return string(k)
	}
}

// Unit returns the unit of Value after decoding: "s", "B" or "count".
func (k Kind) Unit() string {
	switch k {
	case KindCPU, KindBlock, KindMutex:
		return "s"
	case KindAllocs, KindHeap:
		return "B"
	default:
		return "count"
	}
}
