package advice

import (
	"slices"
	"strings"
	"testing"
)

// named is a culprit of an entry without its star, as a frame of a stack.
func named(a Advice) string { return strings.TrimRight(strings.TrimSuffix(a.Culprits[0], "*"), ".") }

// TestReached: what stands in the catalogue is found by its own first culprit, with the first of what must be on the
// stack; an entry that excepts itself, or needs what its culprit excludes, is never read.
func TestReached(t *testing.T) {
	for _, a := range All() {
		culprit := named(a)
		if strings.HasSuffix(a.Culprits[0], "*") {
			culprit += ".any"
			if !a.Names(culprit) {
				culprit = strings.TrimSuffix(a.Culprits[0], "*")
			}
		}
		c := Case{Class: a.Classes[0], Stack: []string{culprit, "main.handle"}}
		if len(a.Under) > 0 {
			c.Stack = slices.Insert(c.Stack, 0, strings.TrimSuffix(a.Under[0], "*"))
			c.Culprit = 1
		}
		if !slices.ContainsFunc(For(c), func(found Advice) bool { return found.ID == a.ID }) {
			t.Errorf("%s is not found by %q", a.ID, c.Stack)
		}
	}
}

// TestExcepted has a stack that an entry is about, and one beside it that it must leave alone.
func TestExcepted(t *testing.T) {
	for _, c := range []struct {
		id, class  string
		about, not []string
	}{
		{"tls-small-writes", "cpu", []string{"crypto/tls.(*Conn).writeRecordLocked", "crypto/tls.(*Conn).Write", "main.send"}, []string{"crypto/tls.(*Conn).writeRecordLocked", "crypto/tls.(*Conn).Write", "net/http.checkConnErrorWriter.Write", "bufio.(*Writer).Flush"}},
		{"x509-parse-once", "cpu", []string{"crypto/x509.parseCertificate", "crypto/x509.ParseCertificate", "main.verify"}, []string{"crypto/x509.parseCertificate", "crypto/x509.ParseCertificate", "crypto/tls.(*Conn).clientHandshake"}},
		{"pyroscope-gc-runs", "gc", []string{"runtime.GC", "github.com/grafana/pyroscope-go.(*Session).takeSnapshots"}, []string{"runtime.GC", "main.trim"}},
		{"echo-debug-json", "cpu", []string{"encoding/json.appendIndent", "encoding/json.(*Encoder).Encode", "github.com/labstack/echo/v4.(*context).json", "main.show"}, []string{"encoding/json.(*Encoder).Encode", "github.com/labstack/echo/v4.(*context).json", "main.show"}},
		{"vault-rate-limit", "ratelimit", []string{"golang.org/x/time/rate.(*Limiter).wait", "golang.org/x/time/rate.(*Limiter).Wait", "github.com/hashicorp/vault/api.(*Client).rawRequestWithContext"}, []string{"golang.org/x/time/rate.(*Limiter).wait", "golang.org/x/time/rate.(*Limiter).Wait", "main.call"}},
		{"http2-debug", "cpu", []string{"fmt.Sprintf", "net/http.(*http2Framer).logWrite", "net/http.(*http2Framer).endWrite"}, []string{"net/http.(*http2Framer).endWrite", "net/http.(*http2Framer).WriteData"}},
		{"rehttp-body-buffer", "alloc", []string{"bytes.growSlice", "bytes.(*Buffer).ReadFrom", "io.Copy", "github.com/PuerkitoBio/rehttp.(*Transport).RoundTrip", "main.send"}, []string{"bytes.growSlice", "bytes.(*Buffer).ReadFrom", "io.Copy", "main.send"}},
		{"reflect-map-iter", "cpu", []string{"reflect.(*MapIter).Key", "main.encode"}, []string{"reflect.(*MapIter).Key", "encoding/json.mapEncoder.encode", "encoding/json.(*encodeState).reflectValue"}},
		{"retry-backoff", "ratelimit", []string{"github.com/hashicorp/go-retryablehttp.(*Client).Do", "main.ask"}, []string{"net/http.(*Client).Do", "main.ask"}},
		{"stat-before-open", "syscall", []string{"os.Stat", "main.serve"}, []string{"os.Stat", "net/http.(*fileHandler).ServeHTTP"}},
		{"franz-linger", "channel", []string{"github.com/twmb/franz-go/pkg/kgo.(*Client).ProduceSync", "main.publish"}, []string{"github.com/twmb/franz-go/pkg/kgo.(*Client).PollFetches", "main.consume"}},
		{"mongo-max-connecting", "pool", []string{"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*pool).checkOut", "main.find"}, []string{"go.mongodb.org/mongo-driver/v2/x/mongo/driver.Operation.Execute", "main.find"}},
		{"rethinkdb-max-open", "pool", []string{"gopkg.in/rethinkdb/rethinkdb-go%2ev6.(*Pool).conn", "main.find"}, []string{"gopkg.in/rethinkdb/rethinkdb-go%2ev6.(*Cursor).Next", "main.find"}},
		{"file-open-per-write", "syscall", []string{"os.openFileNolog", "os.OpenFile", "main.log"}, []string{"os.openFileNolog", "os.OpenFile", "os.Open", "os.ReadFile", "main.read"}},
		{"bufio-reader", "syscall", []string{"syscall.Read", "net.(*conn).Read", "io.ReadAtLeast", "io.ReadFull", "main.frame"}, []string{"syscall.Read", "net.(*conn).Read", "bufio.(*Reader).Read", "io.ReadAtLeast", "io.ReadFull", "main.frame"}},
		{"url-parse-once", "cpu", []string{"net/url.parse", "net/url.Parse", "main.ask"}, []string{"net/url.parse", "net/url.ParseRequestURI", "net/http.readRequest", "net/http.(*conn).readRequest"}},
		{"grpc-proxy-reuse", "downstream", []string{"google.golang.org/grpc.DialContext", "main.direct", "github.com/mwitkow/grpc-proxy/proxy.(*handler).handler"}, []string{"google.golang.org/grpc.(*clientStream).RecvMsg", "github.com/mwitkow/grpc-proxy/proxy.(*handler).handler"}},
		{"sqlboiler-debug-mode", "cpu", []string{"fmt.Fprintln", "github.com/aarondl/sqlboiler/v4/queries.(*Query).QueryContext", "main.list"}, []string{"fmt.Fprintln", "main.list"}},
		{"nats-sync-always", "io", []string{"syscall.Fsync", "os.(*File).Sync", "github.com/nats-io/nats-server/v2/server.(*msgBlock).writeMsgRecordLocked", "github.com/nats-io/nats-server/v2/server.(*fileStore).StoreMsg"}, []string{"syscall.Write", "github.com/nats-io/nats-server/v2/server.(*msgBlock).writeMsgRecordLocked", "github.com/nats-io/nats-server/v2/server.(*fileStore).StoreMsg"}},
		{"telegram-debug", "cpu", []string{"log.(*Logger).output", "log.Printf", "github.com/go-telegram-bot-api/telegram-bot-api/v5.(*BotAPI).MakeRequest", "main.answer"}, []string{"log.(*Logger).output", "log.Printf", "main.answer"}},
		{"tar-writer-buffer", "syscall", []string{"syscall.Write", "os.(*File).Write", "archive/tar.(*Writer).writeRawHeader", "archive/tar.(*Writer).WriteHeader", "main.pack"}, []string{"syscall.Write", "os.(*File).Write", "bufio.(*Writer).Flush", "bufio.(*Writer).Write", "archive/tar.(*Writer).writeRawHeader", "archive/tar.(*Writer).WriteHeader", "main.pack"}},
		{"tar-reader-buffer", "syscall", []string{"syscall.Read", "os.(*File).Read", "io.ReadFull", "archive/tar.(*Reader).readHeader", "archive/tar.(*Reader).Next", "main.unpack"}, []string{"syscall.Read", "os.(*File).Read", "bufio.(*Reader).Read", "io.ReadFull", "archive/tar.(*Reader).readHeader", "archive/tar.(*Reader).Next", "main.unpack"}},
		{"azure-poll-frequency", "downstream", []string{"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime.(*Poller[go.shape.struct {}]).PollUntilDone", "main.create"}, []string{"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime.(*Poller[go.shape.struct {}]).Poll", "main.create"}},
	} {
		find := func(stack []string) bool {
			return slices.ContainsFunc(For(Case{Class: c.class, Stack: stack}), func(a Advice) bool { return a.ID == c.id })
		}
		if !find(c.about) {
			t.Errorf("%s is not found by %q", c.id, c.about)
		}
		if find(c.not) {
			t.Errorf("%s is found by %q", c.id, c.not)
		}
	}
}

// TestAnswersAreNoRetries: a client that tries again waits for answers as well, and those take what the other side takes.
func TestAnswersAreNoRetries(t *testing.T) {
	stack := []string{"net/http.(*persistConn).roundTrip", "github.com/hashicorp/go-retryablehttp.(*Client).Do", "main.ask"}
	for class, want := range map[string]bool{"ratelimit": true, "downstream": false} {
		got := slices.ContainsFunc(For(Case{Class: class, Stack: stack, Culprit: 1}), func(a Advice) bool { return a.ID == "retry-backoff" })
		if got != want {
			t.Errorf("a wait of class %s is told as one between tries: %v", class, got)
		}
	}
}
