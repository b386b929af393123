package evidence

import (
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
	workRecord
	workScheduler
	workSyscall
	workLock
	works
)

// shares splits CPU time by what was executing.
func (c cpu) shares(sampled float64) facts.CPUShares {
	var by [works]float64
	for s := range c.of(unpark.KindCPU) {
		by[s.work()] += s.value
	}
	by[workGC] -= c.look.collected
	return facts.CPUShares{
		GC: unpark.Ratio(by[workGC], sampled), Malloc: unpark.Ratio(by[workMalloc], sampled),
		Record: unpark.Ratio(by[workRecord], sampled), Scheduler: unpark.Ratio(by[workScheduler], sampled), Syscall: unpark.Ratio(by[workSyscall], sampled),
		Lock: unpark.Ratio(by[workLock], sampled), App: unpark.Ratio(by[workApp], sampled),
	}
}

// work looks at Go's own frames at the leaf of a stack. They nest (an assist runs
// inside mallocgc, a lock may end in a futex call), so what would have to change
// wins: collection, allocation, lock, then system call, then scheduling. The
// poller's system call is scheduling.
func (s stack) work() work {
	var is [works]bool
	poller := false
	for _, at := range s.sites {
		has := func(r roles.Role) bool { return s.catalogue.Is(at.Function, r) }
		if !has(roles.Machinery) {
			break
		}
		switch {
		case has(roles.GC):
			is[workGC] = true
		case has(roles.Records):
			is[workRecord] = true
		case has(roles.Malloc):
			is[workMalloc] = true
		case has(roles.RuntimeLock), has(roles.Locking):
			is[workLock] = true
		case has(roles.Poll):
			poller = true
		case has(roles.Syscall):
			is[workSyscall] = true
		case has(roles.Scheduler):
			is[workScheduler] = true
		}
	}
	switch {
	case is[workGC]:
		return workGC
	case is[workRecord]: // the profile's price, which less garbage would not have
		return workRecord
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
