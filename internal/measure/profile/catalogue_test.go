package profile

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// sites makes a stack of functions, leaf first. Functions of modules other than
// shop get a file in the module cache.
func sites(text string) []unpark.Site {
	var out []unpark.Site
	for _, f := range strings.Fields(text) {
		file := "/src/shop/file.go"
		if !strings.HasPrefix(f, "example.com/shop") && strings.Contains(f, ".com/") {
			file = "/go/pkg/mod/x@v1.2.3/file.go"
		}
		out = append(out, unpark.Site{Function: f, File: file, Line: 1})
	}
	return out
}

const (
	serve   = " net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve net/http.(*Server).Serve.gowrap3"
	parkGo  = "runtime.gopark "
	netRead = parkGo + "runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*pollDesc).wait internal/poll.(*pollDesc).waitRead internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read "
	udpRead = parkGo + "runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*pollDesc).wait internal/poll.(*pollDesc).waitRead internal/poll.(*FD).ReadFromInet4 net.(*netFD).readFromInet4 net.(*UDPConn).readFrom net.(*UDPConn).ReadFrom "
	selects = parkGo + "runtime.selectgo "
	recv    = parkGo + "runtime.chanrecv runtime.chanrecv2 "
	semLock = parkGo + "runtime.goparkunlock runtime.semacquire1 internal/sync.runtime_SemacquireMutex internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock "
)

func TestLabel(t *testing.T) {
	const grpcRetry = "github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry.UnaryClientInterceptor.func1 google.golang.org/grpc.(*ClientConn).Invoke"
	const q, b, r, o = unpark.RequestPath, unpark.Background, unpark.RuntimeSide, unpark.ObserverSide
	for _, c := range []struct {
		name  string
		kind  unpark.Kind
		stack string
		side  unpark.Side
		class unpark.WaitClass
		idle  bool
		app   string
	}{
		// Requests.
		{"lock in a handler", unpark.KindBlock, "sync.(*Mutex).Lock main.(*cache).get main.handle" + serve, q, unpark.WaitLock, false, "main.(*cache).get"},
		{"the same in a dump", unpark.KindGoroutine, semLock + "main.(*cache).get main.handle" + serve, q, unpark.WaitLock, false, "main.(*cache).get"},
		{"read lock", unpark.KindBlock, "sync.(*RWMutex).RLock main.handle" + serve, q, unpark.WaitLock, false, "main.handle"},
		{"channel in a handler", unpark.KindBlock, "runtime.chanrecv1 main.handle" + serve, q, unpark.WaitChannel, false, "main.handle"},
		{"wait group in a handler", unpark.KindGoroutine, parkGo + "runtime.goparkunlock runtime.semacquire1 sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait main.handle" + serve, q, unpark.WaitGroup, false, "main.handle"},
		{"sleep in a handler", unpark.KindGoroutine, parkGo + "time.Sleep main.handle" + serve, q, unpark.WaitSleep, false, "main.handle"},
		{"a client's writer asked by a handler", unpark.KindGoroutine, selects + "github.com/segmentio/kafka-go.(*Writer).WriteMessages main.handle" + serve, q, unpark.WaitDownstream, false, "main.handle"},
		{"CPU in a handler", unpark.KindCPU, "runtime.mallocgc encoding/json.Marshal main.handle" + serve, q, unpark.WaitUnknown, false, "main.handle"},
		{"CPU of the server itself", unpark.KindCPU, "net/textproto.readMIMEHeader net/http.readRequest net/http.(*conn).readRequest net/http.(*conn).serve", q, unpark.WaitUnknown, false, ""},
		{"work handed on", unpark.KindBlock, "runtime.chansend1 main.(*api).fetch main.handle.func1 golang.org/x/sync/errgroup.(*Group).Go.func1", q, unpark.WaitChannel, false, "main.(*api).fetch"},
		{"lock in a worker", unpark.KindBlock, "sync.(*Mutex).Lock main.(*store).put main.worker", q, unpark.WaitLock, false, "main.(*store).put"},
		{"h2 stream", unpark.KindBlock, "runtime.chanrecv1 main.handle net/http.HandlerFunc.ServeHTTP net/http.(*http2serverConn).runHandler", q, unpark.WaitChannel, false, "main.handle"},
		{"fasthttp", unpark.KindBlock, "sync.(*Mutex).Lock main.handle github.com/gofiber/fiber/v3.(*App).next github.com/valyala/fasthttp.(*Server).serveConn github.com/valyala/fasthttp.(*workerPool).workerFunc", q, unpark.WaitLock, false, "main.handle"},
		{"grpc", unpark.KindBlock, "runtime.chanrecv1 main.(*svc).Get google.golang.org/grpc.(*Server).processUnaryRPC google.golang.org/grpc.(*Server).handleStream google.golang.org/grpc.(*Server).serveStreams.func2.1", q, unpark.WaitChannel, false, "main.(*svc).Get"},
		{"body read", unpark.KindGoroutine, netRead + "net/http.(*connReader).Read bufio.(*Reader).Read io.(*LimitedReader).Read net/http.(*body).Read io.ReadAll main.handle" + serve, q, unpark.WaitNetwork, false, "main.handle"},
		{"answer not taken", unpark.KindGoroutine, parkGo + "internal/poll.runtime_pollWait internal/poll.(*FD).Write net.(*conn).Write net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*conn).serve", q, unpark.WaitNetwork, false, ""},
		{"file", unpark.KindGoroutine, "syscall.Syscall syscall.fsync internal/poll.(*FD).Fsync os.(*File).Sync main.commit main.handle" + serve, q, unpark.WaitSyscall, false, "main.commit"},
		{"socket read by hand", unpark.KindGoroutine, "syscall.Syscall syscall.read syscall.Read google.golang.org/grpc/internal/transport/readyreader.sysRead internal/poll.(*FD).RawRead net.(*rawConn).Read main.handle" + serve, q, unpark.WaitUnknown, false, "main.handle"},
		{"file read by hand", unpark.KindGoroutine, "syscall.Syscall syscall.read syscall.Read main.readBlock internal/poll.(*FD).RawRead os.(*rawConn).Read main.handle" + serve, q, unpark.WaitSyscall, false, "main.readBlock"},
		{"assist", unpark.KindGoroutine, parkGo + "runtime.gcParkAssist runtime.gcAssistAlloc runtime.mallocgc main.handle" + serve, q, unpark.WaitGCAssist, false, "main.handle"},

		// Downstream, pools and limiters.
		{"an interceptor that calls again", unpark.KindBlock, "runtime.selectgo github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry.waitRetryBackoff " + grpcRetry + " main.fetch main.handle" + serve, q, unpark.WaitSelect, false, "main.fetch"},
		{"and what it calls", unpark.KindBlock, "runtime.selectgo google.golang.org/grpc/internal/transport.(*ClientStream).waitOnHeader google.golang.org/grpc.invoke " + grpcRetry + " main.fetch main.handle" + serve, q, unpark.WaitDownstream, false, "main.fetch"},
		{"http client", unpark.KindBlock, "runtime.selectgo net/http.(*persistConn).roundTrip net/http.(*Transport).roundTrip net/http.(*Client).do main.fetch main.handle" + serve, q, unpark.WaitDownstream, false, "main.fetch"},
		{"http pool", unpark.KindBlock, "runtime.selectgo net/http.(*Transport).getConn net/http.(*Transport).roundTrip net/http.(*Client).do main.fetch main.handle" + serve, q, unpark.WaitPool, false, "main.fetch"},
		{"sql pool", unpark.KindBlock, "runtime.selectgo database/sql.(*DB).conn database/sql.(*DB).query main.load main.handle" + serve, q, unpark.WaitPool, false, "main.load"},
		{"sql lock", unpark.KindBlock, "sync.(*Mutex).Lock database/sql.(*DB).conn database/sql.(*DB).query main.load main.handle" + serve, q, unpark.WaitLock, false, "main.load"},
		{"sql answer", unpark.KindGoroutine, netRead + "github.com/lib/pq.(*conn).recv database/sql.(*DB).query main.load main.handle" + serve, q, unpark.WaitDownstream, false, "main.load"},
		{"datagrams of an agent that is asked", unpark.KindGoroutine, udpRead + "github.com/gosnmp/gosnmp.(*GoSNMP).receive main.read main.handle" + serve, q, unpark.WaitDownstream, false, "main.read"},
		{"datagrams that a server of them reads", unpark.KindGoroutine, udpRead + "main.loop main.main.gowrap1", b, unpark.WaitNetwork, true, "main.loop"},
		{"pgx pool", unpark.KindBlock, "runtime.selectgo golang.org/x/sync/semaphore.(*Weighted).Acquire github.com/jackc/puddle/v2.(*Pool[...]).acquire github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire main.load main.handle" + serve, q, unpark.WaitPool, false, "main.load"},
		{"limiter", unpark.KindBlock, "runtime.selectgo golang.org/x/time/rate.(*Limiter).wait golang.org/x/time/rate.(*Limiter).WaitN main.handle" + serve, q, unpark.WaitRateLimit, false, "main.handle"},
		{"raw dial", unpark.KindGoroutine, netRead + "main.(*proxy).ask main.handle" + serve, q, unpark.WaitDownstream, false, "main.(*proxy).ask"},

		// Idle places.
		{"between requests", unpark.KindGoroutine, netRead + "net/http.(*connReader).Read bufio.(*Reader).fill bufio.(*Reader).Peek net/http.(*conn).serve", b, unpark.WaitNetwork, true, ""},
		{"after the answer", unpark.KindBlock, "sync.(*Cond).Wait net/http.(*connReader).abortPendingRead net/http.(*response).finishRequest net/http.(*conn).serve", b, unpark.WaitCond, true, ""},
		{"background read", unpark.KindGoroutine, netRead + "net/http.(*connReader).backgroundRead net/http.(*connReader).startBackgroundRead.gowrap2", b, unpark.WaitNetwork, true, ""},
		{"client read loop", unpark.KindBlock, "runtime.selectgo net/http.(*persistConn).readLoop net/http.(*Transport).dialConn.gowrap2", b, unpark.WaitSelect, true, ""},
		{"client write loop", unpark.KindBlock, "runtime.selectgo net/http.(*persistConn).writeLoop net/http.(*Transport).dialConn.gowrap3", b, unpark.WaitSelect, true, ""},
		{"accept in main", unpark.KindGoroutine, parkGo + "internal/poll.runtime_pollWait internal/poll.(*FD).Accept net.(*TCPListener).Accept net/http.(*Server).Serve net/http.ListenAndServe main.main runtime.main", b, unpark.WaitNetwork, true, "main.main"},
		{"accept of a listener of one's own", unpark.KindBlock, "runtime.selectgo main.(*multi).Accept github.com/valyala/fasthttp.acceptConn github.com/valyala/fasthttp.(*Server).Serve main.serve", b, unpark.WaitSelect, true, "main.(*multi).Accept"},
		{"a listener's place for a connection", unpark.KindBlock, "runtime.selectgo main.(*limit).acquire main.(*limit).Accept github.com/valyala/fasthttp.acceptConn github.com/valyala/fasthttp.(*Server).Serve main.serve", q, unpark.WaitSelect, false, "main.(*limit).acquire"},
		{"accept of orders", unpark.KindBlock, "runtime.selectgo main.(*orders).Accept main.handle" + serve, q, unpark.WaitSelect, false, "main.(*orders).Accept"},
		{"fasthttp worker", unpark.KindBlock, "runtime.chanrecv2 github.com/valyala/fasthttp.(*workerPool).workerFunc github.com/valyala/fasthttp.(*workerPool).getCh.func1", b, unpark.WaitChannel, true, ""},
		{"fasthttp next request", unpark.KindGoroutine, netRead + "bufio.(*Reader).Peek github.com/valyala/fasthttp.(*RequestHeader).tryRead github.com/valyala/fasthttp.(*Server).serveConn github.com/valyala/fasthttp.(*workerPool).workerFunc", b, unpark.WaitNetwork, true, ""},
		{"grpc reader", unpark.KindGoroutine, netRead + "bufio.(*Reader).Read golang.org/x/net/http2.(*Framer).ReadFrame google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams google.golang.org/grpc.(*Server).serveStreams", b, unpark.WaitNetwork, true, ""},
		{"grpc loopy", unpark.KindBlock, "runtime.selectgo google.golang.org/grpc/internal/transport.(*controlBuffer).get google.golang.org/grpc/internal/transport.(*loopyWriter).run google.golang.org/grpc/internal/transport.NewServerTransport.func2", b, unpark.WaitSelect, true, ""},
		{"sql connection", unpark.KindGoroutine, netRead + "github.com/lib/pq.(*conn).recv github.com/lib/pq.(*Connector).Connect database/sql.(*DB).conn database/sql.(*DB).query main.load main.handle" + serve, q, unpark.WaitPool, false, "main.load"},
		{"own dialler", unpark.KindGoroutine, netRead + "github.com/lib/pq.(*conn).recv main.open database/sql.(*DB).conn database/sql.(*DB).query main.load main.handle" + serve, q, unpark.WaitDownstream, false, "main.open"},
		{"sql opener", unpark.KindBlock, "runtime.selectgo database/sql.(*DB).connectionOpener database/sql.OpenDB.gowrap1", b, unpark.WaitSelect, true, ""},
		{"worker pool", unpark.KindBlock, "runtime.chanrecv2 main.(*pool).worker main.newPool.func1", b, unpark.WaitChannel, true, "main.(*pool).worker"},
		{"ticker loop", unpark.KindBlock, "runtime.selectgo example.com/shop/stats.(*Reporter).loop", b, unpark.WaitSelect, true, "example.com/shop/stats.(*Reporter).loop"},
		{"worker on a condition", unpark.KindBlock, "sync.(*Cond).Wait main.(*queue).pop main.(*queue).work", b, unpark.WaitCond, true, "main.(*queue).pop"},
		{"sleeping loop", unpark.KindGoroutine, parkGo + "time.Sleep main.sampler sync.(*WaitGroup).Go.func1", b, unpark.WaitSleep, true, "main.sampler"},
		{"main waits for a signal", unpark.KindBlock, "runtime.chanrecv1 main.run main.main runtime.main", b, unpark.WaitChannel, true, "main.run"},
		{"signals", unpark.KindGoroutine, "runtime.notetsleepg os/signal.signal_recv os/signal.loop os/signal.watchSignalLoop.gowrap1", b, unpark.WaitUnknown, false, ""},
		{"unknown client's reader", unpark.KindGoroutine, netRead + "bufio.(*Reader).ReadByte github.com/acme/mq.(*Conn).readLoop", b, unpark.WaitNetwork, true, "github.com/acme/mq.(*Conn).readLoop"},

		// Near misses of idleness.
		{"a lock is never idle", unpark.KindBlock, "sync.(*Mutex).Lock net/http.(*Server).trackConn net/http.(*conn).setState net/http.(*conn).serve", q, unpark.WaitLock, false, ""},
		{"a worker that cannot hand on", unpark.KindBlock, "runtime.chansend1 main.(*pool).worker main.newPool.func1", q, unpark.WaitChannel, false, "main.(*pool).worker"},
		{"a worker deep in its job", unpark.KindBlock, "runtime.chanrecv1 main.ask main.job main.(*pool).worker main.newPool.func1", q, unpark.WaitChannel, false, "main.ask"},

		// Observer and runtime.
		{"delta handler", unpark.KindBlock, "runtime.selectgo net/http/pprof.handler.serveDeltaProfile net/http/pprof.handler.ServeHTTP" + serve, o, unpark.WaitSelect, false, ""},
		{"profile writer", unpark.KindGoroutine, parkGo + "time.Sleep runtime/pprof.profileWriter runtime/pprof.StartCPUProfile.gowrap1", o, unpark.WaitSleep, false, ""},
		{"the probe", unpark.KindBlock, "runtime.selectgo github.com/unpark-go/unpark/probe/agent.(*Agent).lease" + serve, o, unpark.WaitSelect, false, ""},
		{"the probe in an overlay", unpark.KindBlock, "runtime.selectgo example.com/shop/cmd/server/unparkagent.(*Agent).lease" + serve, o, unpark.WaitSelect, false, ""},
		{"labels are no observer", unpark.KindCPU, "main.work runtime/pprof.Do main.handle" + serve, q, unpark.WaitUnknown, false, "main.work"},
		{"the middleware is no observer", unpark.KindCPU, "main.handle net/http.HandlerFunc.ServeHTTP github.com/unpark-go/unpark/probe.Handler.func1" + serve, q, unpark.WaitUnknown, false, "main.handle"},
		{"marking", unpark.KindCPU, "runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker.func2 runtime.systemstack runtime.gcBgMarkWorker", r, unpark.WaitUnknown, false, ""},
		{"scheduling", unpark.KindCPU, "runtime.futex runtime.futexsleep runtime.notesleep runtime.stopm runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall", r, unpark.WaitUnknown, false, ""},
		{"runtime lock", unpark.KindMutex, "runtime.unlock runtime.mheap_alloc runtime.mallocgc main.handle" + serve, r, unpark.WaitRuntime, false, "main.handle"},
		{"lost runtime lock", unpark.KindMutex, "runtime._LostContendedRuntimeLock", r, unpark.WaitRuntime, false, ""},
		{"unlocker", unpark.KindMutex, "sync.(*Mutex).Unlock runtime.deferreturn main.(*cache).get main.handle" + serve, q, unpark.WaitLock, false, "main.(*cache).get"},
		{"finalizer", unpark.KindCPU, "main.(*T).finish runtime.runFinalizers", b, unpark.WaitUnknown, false, "main.(*T).finish"},
		{"nothing", unpark.KindCPU, "", r, unpark.WaitUnknown, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, module := range []string{"", "example.com/shop"} {
				stack := sites(c.stack)
				l := NewCatalogue(module).Label(c.kind, stack)
				app := ""
				if l.App >= 0 {
					app = stack[l.App].Function
				}
				if l.Side != c.side || l.Class != c.class || l.Idle != c.idle || app != c.app {
					t.Errorf("module %q: %s %s idle %v app %q, want %s %s idle %v app %q",
						module, l.Side, l.Class, l.Idle, app, c.side, c.class, c.idle, c.app)
				}
			}
		})
	}
}

func TestApplicationFrames(t *testing.T) {
	for _, c := range []struct{ name, module, stack, app, entry string }{
		{"main before others", "example.com/shop", "github.com/acme/lib.Do example.com/shop/db.Get github.com/acme/mw.Wrap example.com/shop/api.Handle", "example.com/shop/db.Get", "example.com/shop/api.Handle"},
		{"others when alone", "example.com/shop", "encoding/json.Marshal github.com/acme/lib.Do github.com/acme/mw.Wrap", "github.com/acme/lib.Do", "github.com/acme/mw.Wrap"},
		{"frameworks never", "example.com/shop", "github.com/gin-gonic/gin.(*Context).Next google.golang.org/grpc.(*Server).handleStream", "", ""},
		{"package main always", "example.com/shop", "main.f.func1 github.com/acme/lib.Each[...]", "main.f.func1", "main.f.func1"},
		{"module without a dot", "shop", "shop/internal/db.Get main.main", "shop/internal/db.Get", "main.main"},
		{"unknown module, by file", "", "example.com/shop/db.Get github.com/acme/mw.Wrap", "example.com/shop/db.Get", "example.com/shop/db.Get"},
		{"go run", "command-line-arguments", "example.com/shop/db.Get main.main", "example.com/shop/db.Get", "main.main"},
		{"similar module", "example.com/sho", "example.com/shop/db.Get main.main", "main.main", "main.main"},
	} {
		t.Run(c.name, func(t *testing.T) {
			stack := sites(c.stack)
			l := NewCatalogue(c.module).Label(unpark.KindCPU, stack)
			name := func(i int) string {
				if i < 0 {
					return ""
				}
				return stack[i].Function
			}
			if name(l.App) != c.app || name(l.Entry) != c.entry {
				t.Errorf("app %q entry %q, want %q %q", name(l.App), name(l.Entry), c.app, c.entry)
			}
		})
	}
	c := NewCatalogue("example.com/shop")
	wrapper := []unpark.Site{{Function: "main.(*T).Read", File: "<autogenerated>", Line: 1}, {Function: "main.copy", File: "/x/main.go", Line: 3}}
	if l := c.Label(unpark.KindCPU, wrapper); l.App != 1 {
		t.Errorf("a wrapper was taken for the application: %+v", l)
	}
	for f, want := range map[string]bool{
		"main.f": true, "example.com/shop/db.Get": true, "github.com/acme/lib.Do": true,
		"fmt.Println": false, "runtime.mallocgc": false, "github.com/labstack/echo/v4.(*Echo).ServeHTTP": false, "malloc": false,
	} {
		if got := c.AppFrames([]unpark.Site{{Function: f}}) != nil; got != want {
			t.Errorf("%s is the application's: %v", f, got)
		}
	}
}

// A server of its own protocol: without having seen the goroutine read, its wait
// for the store looks like a worker's wait for work.
func TestLearnsConnectionGoroutines(t *testing.T) {
	c := NewCatalogue("example.com/shop")
	waiting := sites("runtime.chanrecv1 main.(*conn).loop main.serve.func1")
	if l := c.Label(unpark.KindBlock, waiting); !l.Idle {
		t.Fatalf("label %+v", l)
	}
	seen := mustDecode(t, build(t, []string{"goroutine/count"}, map[string]int64{
		netRead + "bufio.(*Reader).ReadSlice main.(*conn).loop main.serve.func1":                      3,
		netRead + "net/http.(*connReader).Read bufio.(*Reader).Peek net/http.(*conn).serve main.wrap": 1,
	}), unpark.KindGoroutine)
	learned := c.With(seen)
	if l := learned.Label(unpark.KindBlock, waiting); l.Idle || l.Side != unpark.RequestPath {
		t.Errorf("label %+v", l)
	}
	if l := learned.Label(unpark.KindBlock, sites("runtime.chanrecv1 main.(*conn).loop main.wrap")); !l.Idle {
		t.Error("an HTTP connection made main.wrap a server")
	}
	if l := c.Label(unpark.KindBlock, waiting); !l.Idle {
		t.Error("With changed its receiver")
	}
}

func TestCallerAndRecorded(t *testing.T) {
	for _, c := range []struct {
		name, stack string
		kind        unpark.Kind
		caller      string
		recorded    bool
	}{
		{"waiter", "sync.(*Mutex).Lock math/rand.(*lockedSource).Int63 main.f", unpark.KindBlock, "math/rand.(*lockedSource).Int63", true},
		{"deferred unlock", "sync.(*Mutex).Unlock runtime.deferreturn main.f", unpark.KindMutex, "main.f", false},
		{"deferred unlock in a wrapper", "sync.(*Mutex).Unlock main.f.deferwrap1 runtime.deferreturn main.f", unpark.KindMutex, "main.f", false},
		{"a mutex in a wrapper", "sync.(*Mutex).Lock main.(*timed).Lock main.f", unpark.KindBlock, "main.f", true},
		{"dump", semLock + "main.f", unpark.KindGoroutine, "main.f", true},
		{"sleep", parkGo + "time.Sleep main.f", unpark.KindGoroutine, "main.f", false},
		{"network", netRead + "main.f", unpark.KindGoroutine, "net.(*netFD).Read", false},
		{"a socket's system call is no wait", "internal/runtime/syscall/linux.Syscall6 syscall.Syscall syscall.write internal/poll.(*FD).Write net.(*netFD).Write main.f", unpark.KindGoroutine, "net.(*netFD).Write", false},
		{"allocation", "runtime.mallocgc runtime.newobject strings.(*Builder).grow main.f", unpark.KindAllocs, "strings.(*Builder).grow", false},
		{"all runtime", "runtime.scanobject runtime.gcBgMarkWorker", unpark.KindCPU, "", false},
	} {
		stack := sites(c.stack)
		l := NewCatalogue("").Label(c.kind, stack)
		got := ""
		if l.Caller >= 0 {
			got = stack[l.Caller].Function
		}
		if got != c.caller || l.Recorded != c.recorded {
			t.Errorf("%s: caller %q recorded %v, want %q %v", c.name, got, l.Recorded, c.caller, c.recorded)
		}
		if strings.Contains(c.name, "no wait") && l.Class != unpark.WaitUnknown {
			t.Errorf("%s: class %s", c.name, l.Class)
		}
	}
}

// TestOwnModules: frames that belong to the application beside the main module's.
func TestOwnModules(t *testing.T) {
	const handler = "github.com/acme/shop/web.(*Server).price"
	for _, c := range []struct {
		name, module string
		own          []string
		frame        string
		want         bool
	}{
		{"main module", "github.com/acme/shop", nil, "github.com/acme/shop/cache.(*Cache).Get", true},
		{"same organisation", "github.com/acme/shop", nil, "github.com/acme/kit/v2/lru.(*LRU).Get", true},
		{"same organisation, by a name of its own", "go.acme.io/shop", nil, "go.acme.io/kit.Do", true},
		{"another owner of the same host", "github.com/acme/shop", nil, "github.com/other/kit.Do", false},
		{"an owner whose name begins alike", "github.com/acme/shop", nil, "github.com/acmebank/kit.Do", false},
		{"a module whose path begins alike", "acme/shop", nil, "acme/shopping.Do", false},
		{"a host that many share", "gopkg.in/shop.v1", nil, "gopkg.in/yaml%2ev3.Marshal", false},
		{"no host", "shop", nil, "kit.local/lib.Do", false},
		{"named", "github.com/acme/shop", []string{"github.com/other/kit"}, "github.com/other/kit/lru.Do", true},
		{"named, with a dot", "github.com/acme/shop", []string{"gopkg.in/yaml.v3"}, "gopkg.in/yaml%2ev3.Marshal", true},
		{"named by its beginning", "github.com/acme/shop", []string{"github.com/other/..."}, "github.com/other/kit.Do", true},
		{"named by its beginning with a star", "github.com/acme/shop", []string{"github.com/other/*"}, "github.com/other/kit.Do", true},
		{"beside what is named", "github.com/acme/shop", []string{"github.com/other/kit"}, "github.com/other/kitchen.Do", false},
		{"named, and a framework", "github.com/acme/shop", []string{"github.com/valyala/fasthttp"}, "github.com/valyala/fasthttp.Do", true},
		{"a framework of the organisation", "github.com/valyala/shop", nil, "github.com/valyala/fasthttp.(*Server).Serve", false},
		{"named where the main module is not known", "", []string{"github.com/other/kit"}, "github.com/other/kit.Do", true},
	} {
		main := handler
		if c.module != "github.com/acme/shop" {
			main = "main.price"
		}
		stack := []unpark.Site{{Function: c.frame, File: "/go/pkg/mod/x@v1.2.3/file.go"}, {Function: main, File: "/src/file.go"}}
		got := NewCatalogue(c.module, c.own...).AppFrames(stack)
		if want := map[bool]int{true: 0, false: 1}[c.want]; len(got) == 0 || got[0] != want {
			t.Errorf("%s: the application's frames are %v", c.name, got)
		}
	}
	// A user that names modules of a profile has said which: a file that lies in no module
	// cache, as after a vendored or hermetic build, proves nothing then.
	stack := []unpark.Site{{Function: "github.com/other/lib.Do", File: "external/lib/file.go"}, {Function: "github.com/acme/shop.Do", File: "shop/file.go"}}
	if got := NewCatalogue("", "github.com/acme/...").AppFrames(stack); len(got) != 1 || got[0] != 1 {
		t.Errorf("the application's frames are %v", got)
	}
}

// TestIdleConnections: goroutines that are there because a peer keeps a connection open,
// and those that look alike.
func TestIdleConnections(t *testing.T) {
	for _, c := range []struct {
		name, stack string
		want        bool
	}{
		{"server between requests", netRead + "net/http.(*connReader).Read bufio.(*Reader).fill bufio.(*Reader).Peek net/http.(*conn).serve", true},
		{"watching for the client", netRead + "net/http.(*connReader).backgroundRead", true},
		{"client's reader", netRead + "net/http.(*persistConn).Read bufio.(*Reader).fill bufio.(*Reader).Peek net/http.(*persistConn).readLoop", true},
		{"client's writer", selects + "net/http.(*persistConn).writeLoop", true},
		{"HTTP/2 server", selects + "net/http.(*http2serverConn).serve", true},
		{"gRPC's writer", selects + "google.golang.org/grpc/internal/transport.(*controlBuffer).get google.golang.org/grpc/internal/transport.(*loopyWriter).run", true},
		{"a body that is not closed", selects + "net/http.(*persistConn).readLoop", false},
		{"a worker", recv + "example.com/shop.work", false},
		{"accept", parkGo + "runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*pollDesc).wait internal/poll.(*pollDesc).waitRead internal/poll.(*FD).Accept net.(*TCPListener).Accept net/http.(*Server).Serve", false},
		{"a handler that waits for its client", netRead + "net/http.(*connReader).Read example.com/shop.upload" + serve, false},
	} {
		l := NewCatalogue("example.com/shop").Label(unpark.KindGoroutine, sites(c.stack))
		if l.Connection != c.want {
			t.Errorf("%s: %+v", c.name, l)
		}
	}
}

// TestWaitsOfRequests: a request that reads its database's answer through a reader of the
// connection waits for it, whoever else uses that reader; what is copied into an answer is waited
// for where it comes from, and only what is sent is the client's.
func TestWaitsOfRequests(t *testing.T) {
	const parked = "runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*pollDesc).wait "
	for text, want := range map[string]unpark.WaitClass{
		parked + "internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read github.com/jackc/pgx/v5/pgconn/internal/bgreader.(*BGReader).Read " +
			"github.com/jackc/pgx/v5/pgxpool.(*Pool).QueryRow main.accounts.Ask google.golang.org/grpc.(*Server).handleStream google.golang.org/grpc.(*Server).serveStreams.func2.1": unpark.WaitDownstream,
		"runtime.gopark runtime.selectgo github.com/pkg/sftp.(*clientConn).sendPacket github.com/pkg/sftp.(*File).Read io.copyBuffer " +
			"net/http.(*response).ReadFrom io.Copy main.send net/http.(*conn).serve": unpark.WaitSelect,
		parked + "internal/poll.(*FD).Write net.(*conn).Write net/http.checkConnErrorWriter.Write net/http.(*response).Write main.send net/http.(*conn).serve":                 unpark.WaitNetwork,
		parked + "internal/poll.SendFile net.sendFile net.(*TCPConn).readFrom net.(*TCPConn).ReadFrom net/http.(*response).ReadFrom io.CopyN main.send net/http.(*conn).serve": unpark.WaitNetwork,
	} {
		var stack []unpark.Site
		for f := range strings.FieldsSeq(text) {
			stack = append(stack, unpark.Site{Function: f})
		}
		if l := NewCatalogue("main").Label(unpark.KindGoroutine, stack); l.Side != unpark.RequestPath || l.Idle || l.Class != want {
			t.Errorf("%s: %+v, want %s of a request", text, l, want)
		}
	}
}
