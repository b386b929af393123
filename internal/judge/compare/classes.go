package compare

import "github.com/unpark-go/unpark"

// classOf returns what findings of a class are called in a sentence, and the kind of
// profile that they rest on; none for what /proc, the cgroup and the runtime's metrics
// say.
func classOf(c unpark.Class) (noun string, rests unpark.Kind) {
	switch c {
	case unpark.ClassLock:
		return "the lock", unpark.KindBlock
	case unpark.ClassChannel:
		return "the wait on a channel", unpark.KindBlock
	case unpark.ClassPool:
		return "the wait for a pool", unpark.KindBlock
	case unpark.ClassCPU:
		return "the computing", unpark.KindCPU
	case unpark.ClassRecompute:
		return "the repeated computing", unpark.KindCPU
	case unpark.ClassSyscall:
		return "the system call", unpark.KindCPU
	case unpark.ClassAlloc:
		return "the allocation", unpark.KindAllocs
	case unpark.ClassIO:
		return "the file I/O", unpark.KindGoroutine
	case unpark.ClassDownstream:
		return "the wait for another service", unpark.KindGoroutine
	case unpark.ClassRateLimit:
		return "the rate limiter", unpark.KindGoroutine
	case unpark.ClassLeak:
		return "the leak", unpark.KindGoroutine
	case unpark.ClassGC:
		return "the garbage collection", ""
	case unpark.ClassQuota:
		return "the quota", ""
	default:
		return "the finding", unpark.KindCPU
	}
}
