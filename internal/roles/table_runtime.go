package roles

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// waitTable lists the functions of Go by which a goroutine stops running. A block
// profile begins with them (runtime/mprof.go:blockevent skips what is below), a
// goroutine profile has runtime.gopark below them.
func waitTable() []entry {
	receive := slices.Concat(
		classed(waits, unpark.WaitChannel, "runtime/chan.go: receive parks until a sender comes",
			"runtime.chanrecv", "runtime.chanrecv1", "runtime.chanrecv2"),
		classed(waits, unpark.WaitSelect, "runtime/select.go: parks until a case is ready; select{} parks forever",
			"runtime.selectgo", "runtime.block"),
		classed(waits, unpark.WaitCond, "sync/cond.go: parks until Signal or Broadcast",
			"sync.(*Cond).Wait", "sync.runtime_notifyListWait"),
		classed(waits, unpark.WaitSleep, "runtime/time.go: timeSleep parks until a timer fires",
			"time.Sleep", "runtime.timeSleep"))
	return slices.Concat(
		with(receive, func(e *entry) { e.receives = true }),
		classed(waits, unpark.WaitChannel, "runtime/chan.go: send parks until there is room or a receiver",
			"runtime.chansend", "runtime.chansend1"),
		classed(waits, unpark.WaitGroup, "sync/waitgroup.go: parks until the counter is 0", "sync.(*WaitGroup).Wait"),
		classed(waits, unpark.WaitLock, "sync: parks in runtime_Semacquire until the holder unlocks",
			"sync.(*Mutex).Lock", "sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).Lock", "internal/sync.(*Mutex).lockSlow",
			"sync.(*RWMutex).Lock", "sync.(*RWMutex).RLock", "sync.runtime_SemacquireMutex", "internal/sync.runtime_SemacquireMutex",
			"sync.runtime_SemacquireRWMutex", "sync.runtime_SemacquireRWMutexR"),
		classed(waits, unpark.WaitLock, "internal/poll/fd_mutex.go: one reader and one writer at a time use a descriptor",
			"internal/poll.(*fdMutex).rwlock", "internal/poll.(*fdMutex).incref"),
		classed(waits, unpark.WaitNetwork, "internal/poll/fd_poll_runtime.go: parks until netpoll reports the descriptor ready",
			"internal/poll.runtime_pollWait"),
		// Before the system calls, of which these are some.
		classed(waits, unpark.WaitNetwork, "epoll_wait(2), kevent(2): blocks until a socket is ready", eventCalls()...),
		classed(waits, unpark.WaitSyscall, "os/file.go: a file is not pollable, the thread blocks in the system call", "os.(*File)*",
			"os.(*Process)*", "syscall.*", "internal/syscall/unix.*", "golang.org/x/sys/unix.*"),
		classed(waits, unpark.WaitGCAssist, "runtime/mgcmark.go: an allocating goroutine pays for marking, or parks until there is credit",
			"runtime.gcAssistAlloc", "runtime.gcAssistAlloc1", "runtime.gcParkAssist"),
		classed(waits, unpark.WaitRuntime, "runtime/sema.go: semacquire by the runtime itself (stop the world, start of a collection)",
			"runtime.semacquire", "runtime.semacquire1", "runtime.semacquireWorld", "runtime.stopTheWorld", "runtime.gcStart"),
		classed(waits, unpark.WaitRuntime, "runtime/mprof.go: time lost on a runtime-internal lock, recorded at unlock (since Go 1.22)",
			"runtime._LostContendedRuntimeLock", "runtime.unlock", "runtime.unlock2", "runtime.unlockWithRank",
			"runtime.lock", "runtime.lock2", "runtime.lockWithRank"),
	)
}

// observerTable lists what exists only because the process is being looked at.
func observerTable() []entry {
	return slices.Concat(
		rows(Observer, "the pprof endpoints; a delta and a CPU handler wait for the whole window in a select or sleep (net/http/pprof/pprof.go)",
			"net/http/pprof.*", "github.com/valyala/fasthttp/pprofhandler.*"),
		rows(Observer, "writing profiles; profileWriter is the goroutine of a running CPU profile (runtime/pprof/pprof.go)",
			"runtime/pprof.*", "runtime.goroutineProfile*", "runtime.(*profBuf)*", "internal/profile.*"),
		rows(notObserver, "an application sets labels around its own work; what runs below is its own (runtime/pprof/label.go)",
			"runtime/pprof.Do", "runtime/pprof.Do.*", "runtime/pprof.WithLabels", "runtime/pprof.SetGoroutineLabels",
			"runtime/pprof.Labels", "runtime/pprof.Label", "runtime/pprof.ForLabels", "runtime/pprof.LabelSet*",
			"runtime/pprof.(*labelMap)*", "runtime/pprof.labelMap*", "runtime/pprof.labelValue", "runtime/pprof.mergeLabelSets",
			"runtime/pprof.runtime_setProfLabel", "runtime/pprof.runtime_getProfLabel"),
		rows(Observer, "an execution trace being recorded; annotations (WithRegion, NewTask) are the application's (runtime/trace)",
			"runtime/trace.Start", "runtime/trace.Start.*", "runtime/trace.Stop", "runtime/trace.(*FlightRecorder)*", "runtime/trace.(*recorder)*",
			"runtime/trace.(*traceMultiplexer)*", "runtime.ReadTrace", "runtime.traceAdvance*", "runtime.StartTrace", "runtime.StopTrace",
			"runtime.readTrace0*", "runtime.traceReader*"),
		rows(Observer, "the clock that the block and the mutex profile read at each wait, and what they keep of it (runtime/chan.go, runtime/sema.go, runtime/mprof.go)",
			"runtime.cputicks", "runtime.blockevent", "runtime.blocksampled", "runtime.mutexevent", "runtime.saveblockevent"),
		rows(Observer, "unpark's own probe", "github.com/unpark-go/unpark/probe/agent.*"),
		rows(Observer, "other profilers that run inside the process: what they wait for is nothing of the service's", otherProfilers...),
		rows(Profiles, "the same, of what they compute", otherProfilers...),
	)
}

// otherProfilers run in a process for its own users.
var otherProfilers = []string{
	"github.com/felixge/fgprof.*", "github.com/grafana/pyroscope-go*", "github.com/google/gops/agent.*",
	"gopkg.in/DataDog/dd-trace-go/profiler.*", "github.com/DataDog/dd-trace-go/profiler.*", "cloud.google.com/go/profiler.*",
}

// backgroundTable lists goroutines that keep house: what they wait for delays no
// request, and neither is the CPU that they use a request's.
func backgroundTable() []entry {
	return slices.Concat(
		rows(Background, "finalizers, cleanups, sweeping, scavenging and marking (runtime/mfinal.go, mcleanup.go, mgc*.go)",
			"runtime.runfinq", "runtime.runFinalizers", "runtime.runCleanups", "runtime.bgsweep", "runtime.bgscavenge",
			"runtime.gcBgMarkWorker", "runtime.forcegchelper", "runtime.unique_runtime_registerUniqueMapCleanup*"),
		rows(Background, "waits for signals (os/signal/signal_unix.go)", "os/signal.loop", "os/signal.NotifyContext.func1", "os/signal.signal_recv"),
		rows(Background, "waits for a parent context to end (context/context.go)",
			"context.(*cancelCtx).propagateCancel.*", "context.propagateCancel.*"),
		rows(Background, "opens, resets and closes pooled connections, waits for a transaction's context (database/sql/sql.go)",
			"database/sql.(*DB).connectionOpener", "database/sql.(*DB).connectionCleaner", "database/sql.(*DB).connectionResetter",
			"database/sql.(*Tx).awaitDone", "database/sql.(*Rows).awaitDone"),
		rows(Background, "package initialisation (runtime/proc.go:doInit)", "runtime.doInit", "runtime.doInit1"),
		rows(Background, "flushes or rotates logs",
			"go.uber.org/zap/zapcore.(*BufferedWriteSyncer).flushLoop", "gopkg.in/natefinch/lumberjack.(*Logger).millRun",
			"github.com/golang/glog.(*loggingT).flushDaemon", "github.com/golang/glog.(*fileSink).flushDaemon",
			"k8s.io/klog.(*flushDaemon).run*", "k8s.io/klog.(*loggingT).flushDaemon"),
		rows(Background, "collects and exports telemetry on a timer or a queue",
			"go.opentelemetry.io/otel/sdk/trace.(*batchSpanProcessor)*", "go.opentelemetry.io/otel/sdk/metric.(*PeriodicReader).run",
			"go.opentelemetry.io/otel/sdk/metric.(*periodicReader).run", "go.opentelemetry.io/otel/sdk/log.*",
			"go.opencensus.io/stats/view.(*worker).start", "github.com/rcrowley/go-metrics.(*meterArbiter).tick",
			"github.com/prometheus/client_golang/prometheus.(*Registry)*", "github.com/getsentry/sentry-go.(*HTTPTransport).worker"),
		rows(Background, "evicts, ticks and rebalances caches and pools",
			"github.com/patrickmn/go-cache.(*janitor).Run", "github.com/allegro/bigcache.newBigCache.*", "github.com/dgraph-io/ristretto*",
			"github.com/panjf2000/ants.(*Pool).purgeStaleWorkers", "github.com/panjf2000/ants.(*Pool).ticktock",
			"github.com/panjf2000/ants.(*poolCommon)*", "github.com/jackc/pgx/pgxpool.(*Pool).backgroundHealthCheck",
			"github.com/jackc/pgx/pgxpool.(*Pool).triggerHealthCheck*", "github.com/redis/go-redis/internal/pool.(*ConnPool).reaper",
			"github.com/go-redis/redis/internal/pool.(*ConnPool).reaper"),
		rows(Background, "watches files, configuration and schedules",
			"github.com/fsnotify/fsnotify.(*Watcher)*", "github.com/fsnotify/fsnotify.(*inotify)*", "github.com/robfig/cron.(*Cron).run",
			"github.com/golang/groupcache*", "go.etcd.io/etcd/client*"),
		rows(Background, "watches servers and maintains pools (mongo-driver topology)",
			"go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*Server).update", "go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).maintain",
			"go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).createConnections", "go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*rttMonitor)*",
			"go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*Topology).pollSRVRecords"),
	)
}
