package roles

import "slices"

// useTable lists what rules and models ask of stacks: what calls are for.
func useTable() []entry {
	// The functions of net/http that send or await bytes: its lists of idle connections
	// and its headers are memory.
	exchanges := []string{
		"net/http.(*Client).*", "net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm", "net/http.(*Transport).RoundTrip*",
		"net/http.(*Transport).roundTrip*", "net/http.(*Transport).dial*", "net/http.(*persistConn).*", "net/http.persistConnWriter.*",
		"net/http.(*body).*", "net/http.(*bodyEOFSignal).*", "net/http.(*Request).Write*", "net/http.(*Request).write*",
		"net/http.(*response).*", "net/http.(*conn).*", "net/http.(*connReader).*", "net/http.checkConnErrorWriter.*", "net/http.(*chunkWriter).*",
	}
	return slices.Concat(
		rows(Sync, "returns when the disk has it (os/file_posix.go, internal/poll/fd_fsync_posix.go)",
			"os.(*File).Sync", "internal/poll.(*FD).Fsync", "syscall.Fsync", "syscall.Fdatasync",
			"golang.org/x/sys/unix.Fsync", "golang.org/x/sys/unix.Fdatasync", "golang.org/x/sys/unix.Msync",
			"modernc.org/libc.Xfsync", "modernc.org/libc.Xfdatasync"),
		rows(File, "os/file.go", "os.(*File)*"),
		rows(Sleep, "time/sleep.go", "time.Sleep", "time.(*Timer)*"),
		rows(Bounds, "context/context.go", "context.WithTimeout", "context.WithTimeoutCause", "context.WithDeadline", "context.WithDeadlineCause"),
		rows(Cancels, "context/context.go", "context.(*cancelCtx).cancel"),
		rows(Deadline, "a context's timer calls it (context/context.go)", "context.(*timerCtx).cancel"),
		rows(Twice, "its loop selects once for writeErrCh and once for resc (net/http/transport.go)", "net/http.(*persistConn).roundTrip"),
		rows(IO, "may wait for a peer or a disk", append(exchanges,
			"os.*", "net.*", "database/sql.*", "syscall.*", "internal/poll.*", "internal/syscall/*", "io.*", "bufio.*",
			"crypto/tls.*", "google.golang.org/grpc*", "golang.org/x/net/*", "github.com/valyala/fasthttp.*", "log.*", "log/slog.*")...),
		rows(Encode, "turns values into bytes, or back",
			"encoding/*", "compress/*", "crypto/*", "hash/*", "html/template.*", "text/template.*",
			"fmt.*", "regexp.*", "strconv.*", "google.golang.org/protobuf*", "github.com/golang/protobuf*"),
		rows(Grows, "gets a buffer of twice the size, and copies what is there (bytes/buffer.go, strings/builder.go)",
			"bytes.growSlice", "bytes.(*Buffer).grow", "bytes.(*Buffer).Grow", "strings.(*Builder).grow"),
		rows(Joins, "copies all of them (runtime/string.go)", "runtime.concatstring*"),
		rows(FirstUse, "html/template/template.go, escape and lookupAndEscapeTemplate: a template that is not escaped yet", "html/template.escapeTemplate"),
		rows(Allocate, "what the compiler calls to allocate (runtime/malloc.go, slice.go, map.go, chan.go, string.go, iface.go)",
			"runtime.malloc*", "runtime.makeslice*", "runtime.newobject*", "runtime.growslice*", "runtime.makemap*", "runtime.makechan*",
			"runtime.concatstring*", "runtime.slicebytetostring*", "runtime.stringtoslicebyte*", "runtime.newarray*", "runtime.convT*"),
		rows(Transport, "net/http/transport.go", "net/http.(*Transport)*"),
		rows(Exchange, "net/http/transport.go", "net/http.(*persistConn)*"),
		rows(Dial, "net/http/transport.go, net/dial.go, crypto/tls/conn.go", "net/http.(*Transport).dial*", "net.(*Dialer)*", "crypto/tls.(*Conn)*"),
		rows(Lookup, "asks for the addresses of a name (net/lookup.go)", "net.(*Resolver)*", "net.cgoLookup*"),
		rows(Opening, "database/sql/sql.go, redigo pool.go, go-redis internal/pool/pool.go and redis.go, gomemcache memcache.go, fasthttp client.go",
			"database/sql.(*DB).conn", "github.com/gomodule/redigo/redis.(*Pool).dial", "github.com/redis/go-redis/internal/pool.(*ConnPool).newConn",
			"github.com/redis/go-redis/internal/pool.(*ConnPool).dialConn", "github.com/redis/go-redis.(*baseClient).initConn",
			"github.com/bradfitz/gomemcache/memcache.(*Client).dial", "github.com/valyala/fasthttp.(*HostClient).dialHostHard"),
		rows(KeepIdle, "net/http/transport.go", "net/http.(*Transport).tryPutIdleConn*"),
		rows(Connect, "a connection is opened for a request, not for the package that opens it", "net/http.*", "net.*", "crypto/tls.*"),
		rows(Database, "a bounded pool of connections (database/sql/sql.go)", "database/sql.*"),
		rows(SingleFlight, "all callers but one wait for its result", "golang.org/x/sync/singleflight.*", "github.com/golang/groupcache/singleflight.*"),
		rows(Broadcast, "sync/cond.go", "sync.(*Cond).Broadcast"),
		rows(Descriptor, "one reader and one writer at a time (internal/poll/fd_mutex.go)", "internal/poll.(*fdMutex)*", "internal/poll.runtime_Sem*"),
		rows(Lock, "takes and gives back what its caller asked for", "sync.*", "internal/sync.*", "internal/poll.*", "runtime.*"),
		rows(Foreign, "its locks guard what is its own", "net/http.*", "net.*", "internal/*"),
	)
}

// costTable lists calls by which a cost is recognised. Decoding is not output: rules ask
// for what is made again and again.
func costTable() []entry {
	return slices.Concat(
		rows(Open, "database/sql/sql.go: a connection is opened, or closed, for a query; the drivers' own ends of it",
			"database/sql.dsnConnector.Connect", "database/sql.(*driverConn).finalClose", "github.com/lib/pq.(*Connector).Connect",
			"github.com/go-sql-driver/mysql.(*connector).Connect", "github.com/jackc/pgx/stdlib.driverConnector.Connect"),
		rows(Open, "net/dial.go, net/http/transport.go, fasthttp/client.go, tcpdialer.go",
			"net.(*Dialer).DialContext", "net.(*sysDialer)*", "net/http.(*Transport).dialConn", "net/http.(*Transport).dialConnFor",
			"github.com/valyala/fasthttp.(*HostClient).dialHostHard", "github.com/valyala/fasthttp.(*TCPDialer)*"),
		rows(Handshake, "crypto/tls/conn.go, handshake_client.go, handshake_server.go", "crypto/tls.(*Conn).HandshakeContext",
			"crypto/tls.(*Conn).Handshake", "crypto/tls.(*Conn).handshakeContext", "crypto/tls.(*Conn).clientHandshake", "crypto/tls.(*Conn).serverHandshake"),
		rows(Output, "values and pictures encoded, templates rendered",
			"encoding/json.Marshal*", "encoding/json.(*Encoder).Encode", "encoding/xml.Marshal*", "encoding/xml.(*Encoder).Encode*",
			"encoding/gob.(*Encoder).Encode*", "encoding/csv.(*Writer)*", "encoding/base64.(*Encoding).Encode*", "encoding/hex.Encode*",
			"image/png.Encode", "image/png.(*Encoder).Encode", "image/jpeg.Encode", "image/gif.Encode*",
			"html/template.(*Template).Execute*", "text/template.(*Template).Execute*",
			"google.golang.org/protobuf/proto.Marshal*", "google.golang.org/protobuf/proto.MarshalOptions.Marshal*",
			"github.com/golang/protobuf/proto.Marshal*", "github.com/json-iterator/go.(*frozenConfig).Marshal*", "github.com/goccy/go-json.Marshal*",
			"github.com/bytedance/sonic.Marshal*", "gopkg.in/yaml.Marshal"),
		rows(Output, "bytes compressed",
			"compress/gzip.(*Writer)*", "compress/flate.(*Writer)*", "compress/flate.(*compressor)*", "compress/zlib.(*Writer)*",
			"github.com/klauspost/compress/*", "github.com/andybalholm/brotli.(*Writer)*"),
		rows(Output, "bytes hashed, passwords among them",
			"crypto/sha1.*", "crypto/sha256.*", "crypto/sha512.*", "crypto/md5.*", "crypto/hmac.*", "hash/*", "golang.org/x/crypto/bcrypt.*",
			"golang.org/x/crypto/argon2.*", "golang.org/x/crypto/scrypt.*", "golang.org/x/crypto/pbkdf2.*", "crypto/pbkdf2.*"),
		rows(WriteCall, "syscall, internal/poll/writev.go, sendfile.go", "syscall.Write", "syscall.write", "syscall.Sendto", "syscall.sendto",
			"syscall.SendmsgN", "syscall.writev", "internal/poll.writev", "internal/poll.(*FD).Writev", "internal/poll.SendFile"),
		rows(Buffered, "one call takes what has come, and small pieces are read from that (bufio/bufio.go)", "bufio.(*Reader)*"),
		rows(ReadCall, "syscall", "syscall.Read", "syscall.read", "syscall.Recvfrom", "syscall.recvfrom", "syscall.Recvmsg", "syscall.Pread", "syscall.pread"),
		rows(AcceptCall, "internal/poll/sock_cloexec.go, syscall", "internal/poll.accept", "syscall.Accept4", "syscall.accept4"),
		rows(AcceptCall, "accepts one, and sets it up (net/tcpsock_posix.go, newTCPConn)", "net.(*TCPListener).Accept", "net.(*UnixListener).Accept"),
		rows(CompileRegexp, "regexp/regexp.go", "regexp.Compile", "regexp.MustCompile", "regexp.compile", "regexp.CompilePOSIX", "regexp.MatchString", "regexp.Match"),
		rows(Reflect, "package reflect", "reflect.*"),
		rows(Moves, "clears and copies memory (runtime/memclr_*.s, memmove_*.s)", "runtime.memmove*", "runtime.memclr*"),
		rows(Collects, "runs a whole collection, however little was allocated since the last one (runtime/mgc.go, runtime/debug/garbage.go)",
			"runtime.GC", "runtime/debug.FreeOSMemory", "runtime/debug.freeOSMemory"),
		rows(Retries, "calls again what failed, after a wait that grows (READMEs of the modules)",
			"github.com/hashicorp/go-retryablehttp.(*Client).Do", "github.com/cenkalti/backoff.Retry*", "github.com/avast/retry-go.Do*",
			"github.com/sethvargo/go-retry.Do*", "github.com/eapache/go-resiliency/retrier.(*Retrier)*", "k8s.io/client-go/util/retry.*",
			"k8s.io/apimachinery/pkg/util/wait.ExponentialBackoff*", "github.com/go-redsync/redsync.(*Mutex)*", "github.com/bsm/redislock.(*Client).Obtain",
			"github.com/grpc-ecosystem/go-grpc-middleware/interceptors/retry.*", "github.com/grpc-ecosystem/go-grpc-middleware/retry.*",
			"google.golang.org/grpc.(*csAttempt).shouldRetry", "github.com/juju/retry.*", "github.com/go-resty/resty.Backoff",
			"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime.(*retryPolicy).Do", "github.com/minio/minio-go.(*Client).executeMethod",
			"github.com/googleapis/gax-go.Invoke*", "github.com/aws/aws-sdk-go-v2/aws/retry.(*Attempt)*", "github.com/flowchartsman/retry.(*Retrier)*"),
		rows(Yield, "puts the goroutine at the end of the scheduler's queue for all, under its lock (runtime/proc.go, goschedImpl)",
			"runtime.Gosched", "runtime.gosched_m", "runtime.goschedImpl"),
		rows(Handoff, "runtime/chan.go, runtime/select.go",
			"runtime.chansend", "runtime.chansend1", "runtime.chanrecv", "runtime.chanrecv1", "runtime.chanrecv2", "runtime.selectgo", "runtime.selectnbsend", "runtime.selectnbrecv"),
		rows(Send, "waits for a receiver (runtime/chan.go)", "runtime.chansend", "runtime.chansend1"),
		rows(Aside, "sets a goroutine aside and looks for another one (runtime/proc.go, park_m)", "runtime.park_m"),
		rows(Carrier, "grows, copies and looks through what it is given: how much of that is its caller's choice",
			"bytes.(*Buffer)*", "bytes.growSlice", "strings.(*Builder)*", "bufio.*", "io.(*", "io.Copy*", "io.copyBuffer", "io.ReadFull",
			"io.ReadAtLeast", "io.WriteString", "io.teeReader*", "io.discard*", "io.nopCloser*", "reflect.*", "slices.Grow*", "slices.Insert*",
			"slices.Clone*", "slices.Concat*", "slices.Collect*", "slices.AppendSeq*", "maps.*", "iter.*", "errors.*", "sync/atomic.*", "unicode/*",
			"unique.*", "weak.*", "math/bits.*", "internal/*"),
		// A search through a list of rules costs what the list is long, not what one comparison does.
		rows(Carrier, "compares and looks through text, and makes nothing (strings/strings.go, bytes/bytes.go)", looksThrough("strings", "bytes")...),
		rows(Carrier, "SQLite and the C library that it needs, compiled to Go: the statement is what costs (modernc.org/sqlite)",
			"modernc.org/sqlite/lib*", "modernc.org/libc*", "modernc.org/memory*"),
	)
}

// looksThrough are the functions of packages of text that only read it.
func looksThrough(packages ...string) []string {
	var out []string
	for _, p := range packages {
		for _, f := range []string{"Compare", "Contains*", "Count*", "Cut*", "Equal*", "HasPrefix", "HasSuffix", "Index*", "LastIndex*", "Trim*"} {
			out = append(out, p+"."+f)
		}
	}
	return out
}
