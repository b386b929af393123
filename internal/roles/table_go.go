package roles

import "slices"

// Primitive is what goroutines synchronise by, as documents name it.
type Primitive string

// The primitives.
const (
	Mutex     Primitive = "sync.Mutex"
	RWMutex   Primitive = "sync.RWMutex"
	WaitGroup Primitive = "sync.WaitGroup"
	Cond      Primitive = "sync.Cond"
)

const (
	// Main is what the main goroutine begins with (runtime/proc.go).
	Main = "runtime.main"
	// Exit is the frame below the function that a goroutine begins with.
	Exit = "runtime.goexit"
)

// Parker returns the function by which a goroutine stops running when that is the
// reason that a dump gives (runtime/runtime2.go: waitReasonStrings); "" for others. A
// dump leaves out those of the runtime (runtime/traceback.go: showframe), and a trace
// all of them (the skip of its calls in runtime/chan.go, select.go, netpoll.go, time.go).
func Parker(reason string) string {
	switch reason {
	case "chan receive", "chan receive (nil chan)":
		return "runtime.chanrecv1"
	case "chan send", "chan send (nil chan)":
		return "runtime.chansend1"
	case "select":
		return "runtime.selectgo"
	case "select (no cases)":
		return "runtime.block"
	case "semacquire":
		return "runtime.semacquire"
	case "GC assist wait", "GC assist marking":
		return "runtime.gcParkAssist"
	case "IO wait":
		return "internal/poll.runtime_pollWait"
	case "sleep":
		return "time.Sleep"
	}
	return ""
}

// primitiveTable lists what blocks on a primitive, with what the first argument of the
// call points to.
func primitiveTable() []entry {
	on := func(p Primitive, why string, patterns ...string) []entry {
		return with(rows(blocks, why, patterns...), func(e *entry) { e.on = p })
	}
	return slices.Concat(
		on(Mutex, "its receiver (sync/mutex.go, internal/sync/mutex.go)",
			"internal/sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).Lock", "sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock"),
		on(RWMutex, "its receiver, which begins with the Mutex that writers take (sync/rwmutex.go)", "sync.(*RWMutex).Lock", "sync.(*RWMutex).RLock"),
		on(WaitGroup, "its receiver (sync/waitgroup.go)", "sync.(*WaitGroup).Wait"),
		on(Cond, "the list inside of the condition (sync/cond.go)", "sync.runtime_notifyListWait"),
		on("", "between the primitive and the runtime (sync/runtime.go)",
			"sync.runtime_SemacquireMutex", "internal/sync.runtime_SemacquireMutex", "sync.runtime_SemacquireRWMutex",
			"sync.runtime_SemacquireRWMutexR", "sync.runtime_SemacquireWaitGroup", "sync.runtime_Semacquire", "sync.(*Cond).Wait"),
	)
}

// entryTable lists where goroutines begin, and where they leave Go's own machinery.
func entryTable() []entry {
	return slices.Concat(
		rows(Start, "what the main goroutine and a test begin with (runtime/proc.go, testing/testing.go)", Main, "testing.tRunner"),
		rows(Starter, "calls what it was given, on a goroutine of its own (sync/waitgroup.go, x/sync/errgroup), under labels (runtime/pprof) or as the last frame of all",
			"sync.(*WaitGroup).Go.func1", "golang.org/x/sync/errgroup.(*Group).Go.func1", "golang.org/x/sync/errgroup.(*Group).add.func1",
			"runtime/pprof.Do", Exit),
		rows(Accept, "waits for a connection (internal/poll/fd_unix.go)", "internal/poll.(*FD).Accept"),
		rows(Read, "reads from a descriptor, and parks until there is something (internal/poll/fd_unix.go)",
			"internal/poll.(*FD).Read", "internal/poll.(*FD).ReadFrom", "internal/poll.(*FD).ReadFromInet4", "internal/poll.(*FD).ReadFromInet6",
			"internal/poll.(*FD).ReadMsg", "internal/poll.(*FD).ReadMsgInet4", "internal/poll.(*FD).ReadMsgInet6"), // and datagrams
		rows(ConnRead, "reads from a connection (net/net.go, crypto/tls/conn.go)", "net.(*conn).Read", "crypto/tls.(*Conn).Read"),
		rows(Unlock, "a mutex profile begins with what unlocks (runtime/mprof.go: mutexevent, called by semrelease1 and unlock2)",
			"sync.(*Mutex).Unlock", "sync.(*RWMutex).Unlock", "sync.(*RWMutex).RUnlock",
			"internal/sync.(*Mutex).Unlock", "internal/sync.(*Mutex).unlockSlow", "sync.(*RWMutex).rUnlockSlow",
			"runtime._LostContendedRuntimeLock", "runtime.unlock", "runtime.unlock2", "runtime.unlockWithRank"),
	)
}

// packageTable lists packages of Go that are passed over when a caller is sought.
func packageTable() []entry {
	runtime := []string{
		"runtime.*", "internal/abi.*", "internal/bytealg.*", "internal/cpu.*", "internal/chacha8rand.*", "internal/goarch.*",
		"internal/runtime/*", "runtime/internal/*", "type:.*", "go:.*",
	}
	machinery := slices.Concat(runtime,
		[]string{"sync.*", "internal/sync.*", "internal/poll.*", "syscall.*", "internal/syscall/*", "golang.org/x/sys/unix.*"})
	return slices.Concat(
		rows(Runtime, "the runtime, what lies below it, and what the compiler generates", runtime...),
		rows(Low, "how a goroutine comes to wait: the runtime, and the packages by whose calls one sleeps, locks and uses files",
			slices.Concat(machinery, []string{"time.*", "os.*"})...),
		rows(Low, "the C library of programs that are compiled from C to Go: how they use files (modernc.org/libc)",
			"modernc.org/libc.___syscall*", "modernc.org/libc.Xfsync", "modernc.org/libc.Xfdatasync", "modernc.org/libc.Xread", "modernc.org/libc.Xpread*",
			"modernc.org/libc.Xwrite", "modernc.org/libc.Xpwrite*", "modernc.org/libc.Xopen*", "modernc.org/libc.Xclose", "modernc.org/libc.Xfcntl*",
			"modernc.org/libc.Xftruncate*", "modernc.org/libc.Xunlink"),
		rows(Machinery, "what Go does by itself below a call; code that is not Go's is counted in", machinery...),
		rows(Plumbing, "between a connection or file and its user: what is read is of interest, not how",
			"net.*", "bufio.*", "io.*", "os.*", "time.*", "crypto/tls.*", "net/http.(*connReader).Read"),
		rows(Socket, "sockets are non-blocking (net/sock_cloexec.go): their system calls hold no thread up", "net.*"),
		rows(RawSocket, "hands a socket's descriptor to a function (net/rawconn.go)", "net.(*rawConn).*"),
		rows(Syscall, "enters the kernel", "syscall.*", "golang.org/x/sys/unix.*", "internal/runtime/syscall*", "runtime/internal/syscall*"),
	)
}

// workTable lists what Go's own frames do with a processor.
func workTable() []entry {
	return slices.Concat(
		rows(GC, "marking, sweeping, scavenging, assists and write barriers (runtime/mgc*.go, mwbbuf.go)",
			"runtime.gc*", "runtime.bgsweep*", "runtime.bgscavenge*", "runtime.sweepone*", "runtime.deductSweepCredit*", "runtime.(*sweepLocked)*",
			"runtime.wbBufFlush*", "runtime.wbMove*", "runtime.scanobject*", "runtime.scanblock*", "runtime.scanstack*", "runtime.greyobject*",
			"runtime.markroot*", "runtime._GC*", "runtime.(*gcWork)*", "runtime.(*pageAlloc).scavenge*"),
		rows(StartGC, "an allocation begins a collection, or waits until another one has (runtime/mgc.go)", "runtime.gcStart"),
		rows(Malloc, "runtime/malloc.go", "runtime.mallocgc*"),
		rows(Records, "runtime/malloc.go, runtime/mprof.go", "runtime.profilealloc", "runtime.mProf_Malloc"),
		rows(RuntimeLock, "runtime/lock_*.go, sema.go",
			"runtime.lock", "runtime.lock2", "runtime.lockWithRank", "runtime.unlock", "runtime.unlock2", "runtime.unlockWithRank", "runtime.unlock2Wake",
			"runtime.semacquire", "runtime.semacquire1", "runtime.semrelease", "runtime.semrelease1", "runtime.semawakeup", "runtime.semasleep",
			"runtime.(*semaRoot)*", "runtime.(*mLockProfile)*", "runtime._LostContendedRuntimeLock"),
		rows(Locking, "sync/mutex.go, sync/rwmutex.go, and how they spin and park (sync/runtime.go)",
			"sync.(*Mutex)*", "sync.(*RWMutex)*", "sync.runtime_Sem*", "sync.runtime_doSpin*", "sync.runtime_canSpin*",
			"internal/sync.(*Mutex)*", "internal/sync.runtime_Sem*", "internal/sync.runtime_doSpin*", "internal/sync.runtime_canSpin*"),
		rows(ReadLock, "sync/rwmutex.go", "sync.(*RWMutex).RLock", "sync.(*RWMutex).RUnlock", "sync.(*RWMutex).rUnlockSlow"),
		rows(WriteLock, "sync/rwmutex.go; goes through a Mutex inside", "sync.(*RWMutex).Lock", "sync.(*RWMutex).Unlock"),
		rows(Poll, "runtime/netpoll*.go", "runtime.netpoll*"),
		rows(Threads, "passes a processor to the thread that a goroutine is locked to, and back (runtime/proc.go, startlockedm)", "runtime.startlockedm", "runtime.stoplockedm"),
		rows(Scheduler, "runtime/proc.go, os_linux.go",
			"runtime.schedule", "runtime.findRunnable", "runtime.findrunnable", "runtime.park_m", "runtime.mcall", "runtime.mPark",
			"runtime.mstart", "runtime.mstart0", "runtime.mstart1", "runtime.sysmon", "runtime.ready", "runtime.goready", "runtime.readyWithTime",
			"runtime.wakep", "runtime.startm", "runtime.stopm", "runtime.handoffp", "runtime.retake", "runtime.execute", "runtime.resetspinning",
			"runtime.notesleep", "runtime.notewakeup", "runtime.notetsleep", "runtime.notetsleep_internal", "runtime.notetsleepg", "runtime.usleep",
			"runtime.osyield", "runtime.stealWork", "runtime.runqgrab", "runtime.runqsteal", "runtime.runqput", "runtime.runqget",
			"runtime.checkTimers", "runtime.injectglist", "runtime.goexit0", "runtime.goschedImpl", "runtime.gosched_m", "runtime.gopreempt_m",
			"runtime.newproc", "runtime.newproc1", "runtime.pidleget", "runtime.pidleput", "runtime.gdestroy", "runtime.stoplockedm",
			"runtime.startlockedm", "runtime.goyield_m",
			"runtime.futex*", "runtime.exitsyscall*", "runtime.entersyscall*", "runtime.reentersyscall*", "runtime.(*timers)*"),
	)
}
