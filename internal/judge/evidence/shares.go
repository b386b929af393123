package evidence

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// work is what a CPU sample was doing.
type work int

const (
	workApp work = iota
	workGC
	workMalloc
	workScheduler
	workSyscall
	workLock
	works
)

// shares splits CPU time by what was executing.
func (c cpu) shares(sampled float64) facts.CPUShares {
	var by [works]float64
	for s := range c.of(unpark.KindCPU) {
		by[doing(s.sites)] += s.value
	}
	by[workGC] -= c.look.collected
	return facts.CPUShares{
		GC: unpark.Ratio(by[workGC], sampled), Malloc: unpark.Ratio(by[workMalloc], sampled),
		Scheduler: unpark.Ratio(by[workScheduler], sampled), Syscall: unpark.Ratio(by[workSyscall], sampled),
		Lock: unpark.Ratio(by[workLock], sampled), App: unpark.Ratio(by[workApp], sampled),
	}
}

// doing looks at Go's own frames at the leaf of a stack. They nest (an assist runs
// inside mallocgc, a lock may end in a futex call), so what would have to change
// wins: collection, allocation, lock, then system call, then scheduling. The
// poller's system call is scheduling.
func doing(sites []unpark.Site) work {
	var is [works]bool
	poller := false
	for _, s := range sites {
		pkg := roles.Package(s.Function)
		if !machinery(pkg) {
			break
		}
		name := strings.TrimPrefix(s.Function, pkg+".")
		switch {
		case pkg == "runtime" && collects(name):
			is[workGC] = true
		case pkg == "runtime" && strings.HasPrefix(name, "mallocgc"):
			is[workMalloc] = true
		case pkg == "runtime" && locks(name), pkg == "sync" || pkg == "internal/sync":
			is[workLock] = is[workLock] || pkg == "runtime" || locking(name)
		case pkg == "runtime" && strings.HasPrefix(name, "netpoll"):
			poller = true
		case pkg == "syscall", pkg == "golang.org/x/sys/unix", strings.Contains(pkg, "runtime/syscall"), strings.Contains(pkg, "runtime/internal/syscall"):
			is[workSyscall] = true
		case pkg == "runtime" && schedules(name):
			is[workScheduler] = true
		}
	}
	switch {
	case is[workGC]:
		return workGC
	case is[workMalloc]:
		return workMalloc
	case is[workLock]:
		return workLock
	case poller:
		return workScheduler
	case is[workSyscall]:
		return workSyscall
	case is[workScheduler]:
		return workScheduler
	}
	return workApp
}

// machinery reports whether a package is Go's own, below the callers of interest.
func machinery(pkg string) bool {
	switch pkg {
	case "runtime", "sync", "internal/sync", "syscall", "internal/poll", "golang.org/x/sys/unix", "internal/abi", "internal/bytealg", "":
		return true
	}
	return strings.HasPrefix(pkg, "internal/runtime/") || strings.HasPrefix(pkg, "runtime/internal/") || strings.HasPrefix(pkg, "internal/syscall/")
}

// collects reports whether a function of the runtime exists for collection
// (runtime/mgc*.go, mwbbuf.go).
func collects(name string) bool {
	for _, p := range [...]string{
		"gc", "bgsweep", "bgscavenge", "sweepone", "deductSweepCredit", "(*sweepLocked)", "wbBufFlush", "wbMove",
		"scanobject", "scanblock", "scanstack", "greyobject", "markroot", "_GC", "(*gcWork)", "(*pageAlloc).scavenge",
	} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// locks reports whether a function of the runtime takes or gives back a lock or a
// semaphore (runtime/lock_*.go, sema.go).
func locks(name string) bool {
	switch name {
	case "lock", "lock2", "lockWithRank", "unlock", "unlock2", "unlockWithRank", "unlock2Wake",
		"semacquire", "semacquire1", "semrelease", "semrelease1", "semawakeup", "semasleep":
		return true
	}
	return strings.HasPrefix(name, "(*semaRoot)") || strings.HasPrefix(name, "(*mLockProfile)")
}

// locking reports whether a function of package sync is a mutex's.
func locking(name string) bool {
	return strings.HasPrefix(name, "(*Mutex)") || strings.HasPrefix(name, "(*RWMutex)") ||
		strings.HasPrefix(name, "runtime_Sem") || strings.HasPrefix(name, "runtime_doSpin") || strings.HasPrefix(name, "runtime_canSpin")
}

// schedules reports whether a function of the runtime finds, starts, stops or
// wakes goroutines and threads (runtime/proc.go, os_linux.go).
func schedules(name string) bool {
	switch name {
	case "schedule", "findRunnable", "findrunnable", "park_m", "mcall", "mPark", "mstart", "mstart0", "mstart1", "sysmon",
		"ready", "goready", "readyWithTime", "wakep", "startm", "stopm", "handoffp", "retake", "execute", "resetspinning",
		"notesleep", "notewakeup", "notetsleep", "notetsleep_internal", "notetsleepg", "usleep", "osyield", "stealWork",
		"runqgrab", "runqsteal", "runqput", "runqget", "checkTimers", "injectglist", "goexit0", "goschedImpl", "gosched_m",
		"gopreempt_m", "newproc", "newproc1", "pidleget", "pidleput", "gdestroy", "stoplockedm", "startlockedm", "goyield_m":
		return true
	}
	return strings.HasPrefix(name, "futex") || strings.HasPrefix(name, "exitsyscall") || strings.HasPrefix(name, "entersyscall") ||
		strings.HasPrefix(name, "reentersyscall") || strings.HasPrefix(name, "(*timers)")
}
