package roles

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// writing are frames that mean that an answer is on its way to the peer.
func writing() []string {
	return []string{"bufio.(*Writer).Flush", "net.(*conn).Write", "crypto/tls.(*Conn).Write"}
}

// stdServerTable covers HTTP/1 in net/http: the server's goroutines and the
// client's.
func stdServerTable() []entry {
	return slices.Concat(
		rows(Request, "one goroutine per connection: reads, runs the handler, writes (net/http/server.go)",
			"net/http.(*conn).serve", "net/http.serverHandler.ServeHTTP", "net/http.HandlerFunc.ServeHTTP"),
		unless(append(writing(), "net/http.serverHandler.ServeHTTP"),
			rows(Park, "between requests the connection's goroutine waits in Peek or readRequest for its client (net/http/server.go)",
				"net/http.(*conn).serve")),
		rows(Park, "after the answer was flushed the goroutine waits for the background reader to give up; nothing waits for it (net/http/server.go:finishRequest)",
			"net/http.(*connReader).abortPendingRead"),
		rows(Park, "watches for the client going away while the handler runs (net/http/server.go)",
			"net/http.(*connReader).backgroundRead"),
		unless([]string{"net/http.(*persistConn).readLoop.*"},
			rows(Park, "reads answers for the goroutines that asked; these wait in roundTrip (net/http/transport.go)",
				"net/http.(*persistConn).readLoop")),
		unless([]string{"net/http.(*persistConn).Write", "net/http.persistConnWriter.Write"},
			ofConnection(rows(Park, "waits for a request to write (net/http/transport.go)",
				"net/http.(*persistConn).writeLoop"))),
		rows(Park, "waits for a connection (net/http/server.go:Serve, net/tcpsock.go, internal/poll/fd_unix.go)",
			"net/http.(*Server).Serve", "net.(*TCPListener).Accept", "net.(*UnixListener).Accept", "internal/poll.(*FD).Accept"),
		rows(ServesInTurn, "the goroutine of one HTTP/1 connection (net/http/server.go)", "net/http.(*conn).serve"),
		classed(waitBelow, unpark.WaitNetwork, "the server's own connection to its client (net/http/server.go)",
			"net/http.(*connReader).Read", "net/http.checkConnErrorWriter.Write", "net/http.(*response).Write*", "net/http.(*response).write*",
			"net/http.(*response).Flush*", "net/http.(*response).finishRequest", "net/http.(*chunkWriter)*",
			"net.(*TCPConn).ReadFrom", "net.(*TCPConn).readFrom", // sendfile; what (*response).ReadFrom copies from is another matter
			"net/http.(*timeoutWriter)*", "crypto/tls.(*Conn).serverHandshake"),
	)
}

// http2Table covers HTTP/2. The same code is bundled into net/http with a prefix,
// lives in golang.org/x/net/http2, and in net/http/internal/http2 since Go 1.27.
func http2Table() []entry {
	var out []entry
	for _, p := range [...]string{"net/http.(*http2", "golang.org/x/net/http2.(*", "net/http/internal/http2.(*"} {
		out = slices.Concat(out,
			rows(Request, "runs the handler of one stream (h2_bundle.go)", p+"serverConn).runHandler"),
			rows(Request, "reads and writes the frames of all streams of a connection (h2_bundle.go)",
				p+"serverConn).serve", p+"serverConn).readFrames", p+"serverConn).writeFrameAsync"),
			ofConnection(rows(Park, "waits for frames or streams; a handler has its own goroutine (h2_bundle.go)",
				p+"serverConn).serve", p+"serverConn).readFrames", p+"clientConnReadLoop).run", p+"ClientConn).readLoop")),
			classed(waitBelow, unpark.WaitNetwork, "reads the body of a request or writes an answer: flow control and the client decide (h2_bundle.go)",
				p+"requestBody)*", p+"responseWriter)*", p+"responseWriterState)*", p+"serverConn).writeDataFromHandler", p+"serverConn).writeHeaders",
				p+"serverConn).writeFrameAsync", p+"serverConn).writeFrameFromHandler"),
			classed(waitBelow, unpark.WaitDownstream, "waits for an answer (h2_bundle.go)",
				p+"ClientConn).RoundTrip", p+"ClientConn).roundTrip", p+"transportResponseBody)*", p+"clientStream)*", p+"Transport)*"),
			classed(waitBelow, unpark.WaitPool, "waits for a free stream under the server's limit (h2_bundle.go)",
				p+"ClientConn).awaitOpenSlotForStreamLocked"),
			rows(ServesOne, "one goroutine for each stream (h2_bundle.go)", p+"serverConn).runHandler"),
			rows(ServesMany, "the frames of a connection (h2_bundle.go)",
				p+"serverConn).serve", p+"serverConn).readFrames", p+"serverConn).writeFrameAsync"),
		)
	}
	return out
}

// serverTable covers what is left of servers, and what their goroutines are at.
func serverTable() []entry {
	return slices.Concat(
		classed(waitBelow, unpark.WaitNetwork, "the peer of a server stream or websocket decides (grpc/stream.go, websocket/conn.go)",
			"google.golang.org/grpc.(*serverStream)*", "google.golang.org/grpc/internal/transport.(*http2Server)*", "google.golang.org/grpc/internal/transport.(*ServerStream)*",
			"github.com/gorilla/websocket.(*Conn)*", "github.com/coder/websocket.(*Conn)*", "nhooyr.io/websocket.(*Conn)*", "golang.org/x/net/websocket.(*Conn)*"),
		rows(Request, "net/rpc runs each call in its own goroutine (net/rpc/server.go)", "net/rpc.(*service).call"),
		rows(Park, "waits for calls or answers of a connection (net/rpc)", "net/rpc.(*Server).ServeCodec", "net/rpc.(*Client).input"),
		rows(Request, "runs the measured function of a probe test", "github.com/unpark-go/unpark/probe/probetest.*"),
		rows(Harness, "a worker of a probe test: client and service are one process then", "github.com/unpark-go/unpark/probe/probetest.(*crew).work"),
		rows(Serve, "reads requests, calls handlers, finishes answers (net/http/server.go)", "net/http.(*conn).serve"),
		rows(Handler, "around every handler of a server (net/http/server.go)", "net/http.serverHandler.ServeHTTP"),
		rows(Watcher, "runs as long as a handler does whose request has no body or was read to its end; Hijack ends it for good (net/http/server.go: serve, startBackgroundRead, hijackLocked: abortPendingRead)",
			"net/http.(*connReader).backgroundRead"),
		rows(OwnConn, "calls the connection that the listener gave: what lies between it and the net's is around it, and not what asks another service (net/http/server.go)",
			"net/http.(*connReader).Read", "net/http.(*connReader).backgroundRead", "net/http.checkConnErrorWriter.Write"),
		rows(Upkeep, "shakes hands, or calls a hook on the state of the connection (net/http/server.go: serve, setState)",
			"crypto/tls.(*Conn).HandshakeContext", "net/http.(*conn).setState"),
		rows(Write, "an answer is on its way (net/net.go, internal/poll)",
			"net.(*conn).Write", "internal/poll.(*FD).Write", "internal/poll.(*FD).Writev", "internal/poll.SendFile", "internal/poll.Splice"),
		rows(Close, "closes the connection, which may write as well (net/net.go, crypto/tls/conn.go: closeNotify)",
			"internal/poll.(*FD).Close", "net.(*conn).Close", "crypto/tls.(*Conn).Close"),
		rows(TLS, "what it hashes and encrypts is the connection's", "crypto/tls.*"),
	)
}

func fasthttpTable() []entry {
	return slices.Concat(
		rows(Request, "fasthttp runs handlers on the connection's worker (fasthttp/server.go:serveConn)",
			"github.com/valyala/fasthttp.(*Server).serveConn", "github.com/valyala/fasthttp.(*workerPool).workerFunc"),
		unless(append(writing(), "github.com/valyala/fasthttp.writeResponse", "github.com/gofiber/fiber.*"),
			rows(Park, "waits for the next request of its client (fasthttp/server.go)", "github.com/valyala/fasthttp.(*Server).serveConn")),
		unless([]string{"github.com/valyala/fasthttp.(*Server).serveConn"},
			rows(Park, "waits for a connection (fasthttp/workerpool.go)", "github.com/valyala/fasthttp.(*workerPool).workerFunc")),
		rows(Park, "accepts, cleans idle workers, refreshes the date, prefork's parent (fasthttp, fiber)",
			"github.com/valyala/fasthttp.(*Server).Serve", "github.com/valyala/fasthttp.acceptConn", "github.com/valyala/fasthttp.(*workerPool).Start.*",
			"github.com/valyala/fasthttp.updateServerDate.*", "github.com/valyala/fasthttp.startServerDateUpdater*", "github.com/valyala/fasthttp.(*HostClient).connsCleaner",
			"github.com/valyala/fasthttp.(*HostClient).mCleaner", "github.com/valyala/fasthttp.(*Client).mCleaner",
			"github.com/gofiber/fiber.(*App).prefork*", "github.com/gofiber/fiber.watchMaster*", "github.com/gofiber/utils.StartTimeStampUpdater*",
			"github.com/valyala/fasthttp/prefork.*"),
		rows(ServesInTurn, "the worker of one connection (fasthttp/server.go, workerpool.go)",
			"github.com/valyala/fasthttp.(*Server).serveConn", "github.com/valyala/fasthttp.(*workerPool).workerFunc"),
	)
}

func grpcTable() []entry {
	return slices.Concat(
		rows(Request, "gRPC runs one stream's handler (grpc/server.go)",
			"google.golang.org/grpc.(*Server).handleStream", "google.golang.org/grpc.(*Server).processUnaryRPC", "google.golang.org/grpc.(*Server).processStreamingRPC"),
		rows(Request, "gRPC reads and writes the frames of all streams of a connection (grpc/internal/transport)",
			"google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams", "google.golang.org/grpc/internal/transport.(*loopyWriter).run"),
		unless([]string{"google.golang.org/grpc.(*Server).handleStream", "google.golang.org/grpc.(*Server).handleSingleStream"},
			rows(Park, "waits for a stream (grpc/server.go)", "google.golang.org/grpc.(*Server).serverWorker")),
		unless([]string{"google.golang.org/grpc.(*Server).handleStream"},
			rows(Park, "waits for streams of one connection (grpc/server.go)", "google.golang.org/grpc.(*Server).serveStreams")),
		ofConnection(rows(Park, "waits for frames, for something to write, for a timer of a connection (grpc/internal/transport)",
			"google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams", "google.golang.org/grpc/internal/transport.(*http2Server).keepalive",
			"google.golang.org/grpc/internal/transport.(*http2Client).reader", "google.golang.org/grpc/internal/transport.(*http2Client).keepalive",
			"google.golang.org/grpc/internal/transport.(*controlBuffer).get", "google.golang.org/grpc/internal/transport.(*loopyWriter).run")),
		rows(Park, "waits for connections, for something to write, for a timer (grpc/server.go, grpc/clientconn.go)",
			"google.golang.org/grpc.(*Server).Serve", "google.golang.org/grpc/internal/grpcsync.(*CallbackSerializer).run",
			"google.golang.org/grpc.newClientStreamWithParams.*", "google.golang.org/grpc.(*addrConn)*", "google.golang.org/grpc/internal/resolver/dns.*"),
		rows(ServesInTurn, "takes one stream after the other from a channel (grpc/server.go, grpc.NumStreamWorkers)",
			"google.golang.org/grpc.(*Server).serverWorker"),
		rows(ServesOne, "one goroutine for each stream (grpc/server.go:serveStreams)", "google.golang.org/grpc.(*Server).serveStreams.*"),
		rows(ServesMany, "the frames of a connection (grpc/internal/transport)",
			"google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams", "google.golang.org/grpc/internal/transport.(*loopyWriter).run"),
	)
}
