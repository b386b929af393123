package profile

import "github.com/unpark-go/unpark"

// writing are frames that mean that an answer is on its way to the peer.
func writing() []string {
	return []string{"bufio.(*Writer).Flush", "net.(*conn).Write", "crypto/tls.(*Conn).Write"}
}

// stdServerTable covers HTTP/1 in net/http: the server's goroutines and the
// client's.
func stdServerTable() []entry {
	var out []entry
	out = append(out, rows(roleRequest, "", "one goroutine per connection: reads, runs the handler, writes (net/http/server.go)",
		"net/http.(*conn).serve", "net/http.serverHandler.ServeHTTP", "net/http.HandlerFunc.ServeHTTP")...)
	out = append(out,
		entry{
			pattern: "net/http.(*conn).serve", role: rolePark, unless: append(writing(), "net/http.serverHandler.ServeHTTP"),
			why: "between requests the connection's goroutine waits in Peek or readRequest for its client (net/http/server.go)",
		},
		entry{
			pattern: "net/http.(*connReader).abortPendingRead", role: rolePark,
			why: "after the answer was flushed the goroutine waits for the background reader to give up; nobody waits for it (net/http/server.go:finishRequest)",
		},
		entry{
			pattern: "net/http.(*connReader).backgroundRead", role: rolePark,
			why: "watches for the client going away while the handler runs (net/http/server.go)",
		},
		entry{
			pattern: "net/http.(*persistConn).readLoop", role: rolePark, unless: []string{"net/http.(*persistConn).readLoop.*"},
			why: "reads answers for whoever asked; the one who waits is in roundTrip (net/http/transport.go)",
		},
		entry{
			pattern: "net/http.(*persistConn).writeLoop", role: rolePark, conn: true, unless: []string{"net/http.(*persistConn).Write", "net/http.persistConnWriter.Write"},
			why: "waits for a request to write (net/http/transport.go)",
		},
	)
	accept := "waits for a connection (net/http/server.go:Serve, net/tcpsock.go, internal/poll/fd_unix.go)"
	out = append(out, rows(rolePark, "", accept,
		"net/http.(*Server).Serve", "net.(*TCPListener).Accept", "net.(*UnixListener).Accept", "internal/poll.(*FD).Accept")...)
	out = append(out, rows(roleClass, unpark.WaitNetwork, "the server's own connection to its client (net/http/server.go)",
		"net/http.(*connReader).Read", "net/http.checkConnErrorWriter.Write", "net/http.(*response)*", "net/http.(*chunkWriter)*",
		"net/http.(*timeoutWriter)*", "crypto/tls.(*Conn).serverHandshake", "net.(*UDPConn)*", "net.(*IPConn)*")...)
	return out
}

// http2Table covers HTTP/2. The same code is bundled into net/http with a prefix,
// lives in golang.org/x/net/http2, and in net/http/internal/http2 since Go 1.27.
func http2Table() []entry {
	var out []entry
	for _, p := range [...]string{"net/http.(*http2", "golang.org/x/net/http2.(*", "net/http/internal/http2.(*"} {
		out = append(out, rows(roleRequest, "", "runs the handler of one stream (h2_bundle.go)", p+"serverConn).runHandler")...)
		out = append(out, rows(roleRequest, "", "reads and writes the frames of all streams of a connection (h2_bundle.go)",
			p+"serverConn).serve", p+"serverConn).readFrames", p+"serverConn).writeFrameAsync")...)
		out = append(out, ofConnection(rows(rolePark, "", "waits for frames or streams; a handler has its own goroutine (h2_bundle.go)",
			p+"serverConn).serve", p+"serverConn).readFrames", p+"clientConnReadLoop).run", p+"ClientConn).readLoop"))...)
		out = append(out, rows(roleClass, unpark.WaitNetwork, "reads the body of a request or writes an answer: flow control and the client decide (h2_bundle.go)",
			p+"requestBody)*", p+"responseWriter)*", p+"responseWriterState)*", p+"serverConn).writeDataFromHandler", p+"serverConn).writeHeaders",
			p+"serverConn).writeFrameAsync", p+"serverConn).writeFrameFromHandler")...)
		out = append(out, rows(roleClass, unpark.WaitDownstream, "waits for an answer (h2_bundle.go)",
			p+"ClientConn).RoundTrip", p+"ClientConn).roundTrip", p+"transportResponseBody)*", p+"clientStream)*", p+"Transport)*")...)
		out = append(out, rows(roleClass, unpark.WaitPool, "waits for a free stream under the server's limit (h2_bundle.go)",
			p+"ClientConn).awaitOpenSlotForStreamLocked")...)
	}
	return out
}

// serverTable covers servers and frameworks outside the standard library.
func serverTable() []entry {
	var out []entry
	out = append(out, rows(roleRequest, "", "fasthttp runs handlers on the connection's worker (fasthttp/server.go:serveConn)",
		"github.com/valyala/fasthttp.(*Server).serveConn", "github.com/valyala/fasthttp.(*workerPool).workerFunc")...)
	out = append(out,
		entry{
			pattern: "github.com/valyala/fasthttp.(*Server).serveConn", role: rolePark,
			unless: append(writing(), "github.com/valyala/fasthttp.writeResponse", "github.com/gofiber/fiber.*"),
			why:    "waits for the next request of its client (fasthttp/server.go)",
		},
		entry{
			pattern: "github.com/valyala/fasthttp.(*workerPool).workerFunc", role: rolePark,
			unless: []string{"github.com/valyala/fasthttp.(*Server).serveConn"},
			why:    "waits for a connection (fasthttp/workerpool.go)",
		})
	out = append(out, rows(rolePark, "", "accepts, cleans idle workers, refreshes the date, prefork's parent (fasthttp, fiber)",
		"github.com/valyala/fasthttp.(*Server).Serve", "github.com/valyala/fasthttp.acceptConn", "github.com/valyala/fasthttp.(*workerPool).Start.*",
		"github.com/valyala/fasthttp.updateServerDate.*", "github.com/valyala/fasthttp.startServerDateUpdater*", "github.com/valyala/fasthttp.(*HostClient).connsCleaner",
		"github.com/valyala/fasthttp.(*HostClient).mCleaner", "github.com/valyala/fasthttp.(*Client).mCleaner",
		"github.com/gofiber/fiber.(*App).prefork*", "github.com/gofiber/fiber.watchMaster*", "github.com/gofiber/utils.StartTimeStampUpdater*",
		"github.com/valyala/fasthttp/prefork.*")...)
	out = append(out, rows(roleRequest, "", "gRPC runs one stream's handler (grpc/server.go)",
		"google.golang.org/grpc.(*Server).handleStream", "google.golang.org/grpc.(*Server).processUnaryRPC", "google.golang.org/grpc.(*Server).processStreamingRPC")...)
	out = append(out, rows(roleRequest, "", "gRPC reads and writes the frames of all streams of a connection (grpc/internal/transport)",
		"google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams", "google.golang.org/grpc/internal/transport.(*loopyWriter).run")...)
	out = append(out, entry{
		pattern: "google.golang.org/grpc.(*Server).serverWorker", role: rolePark,
		unless: []string{"google.golang.org/grpc.(*Server).handleStream", "google.golang.org/grpc.(*Server).handleSingleStream"},
		why:    "waits for a stream (grpc/server.go)",
	}, entry{
		pattern: "google.golang.org/grpc.(*Server).serveStreams", role: rolePark,
		unless: []string{"google.golang.org/grpc.(*Server).handleStream"},
		why:    "waits for streams of one connection (grpc/server.go)",
	})
	out = append(out, ofConnection(rows(rolePark, "", "waits for frames, for something to write, for a timer of a connection (grpc/internal/transport)",
		"google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams", "google.golang.org/grpc/internal/transport.(*http2Server).keepalive",
		"google.golang.org/grpc/internal/transport.(*http2Client).reader", "google.golang.org/grpc/internal/transport.(*http2Client).keepalive",
		"google.golang.org/grpc/internal/transport.(*controlBuffer).get", "google.golang.org/grpc/internal/transport.(*loopyWriter).run"))...)
	out = append(out, rows(rolePark, "", "waits for connections, for something to write, for a timer (grpc/server.go, grpc/clientconn.go)",
		"google.golang.org/grpc.(*Server).Serve", "google.golang.org/grpc/internal/grpcsync.(*CallbackSerializer).run",
		"google.golang.org/grpc.newClientStreamWithParams.*", "google.golang.org/grpc.(*addrConn)*", "google.golang.org/grpc/internal/resolver/dns.*")...)
	out = append(out, rows(roleClass, unpark.WaitNetwork, "the peer of a server stream or websocket decides (grpc/stream.go, websocket/conn.go)",
		"google.golang.org/grpc.(*serverStream)*", "google.golang.org/grpc/internal/transport.(*http2Server)*", "google.golang.org/grpc/internal/transport.(*ServerStream)*",
		"github.com/gorilla/websocket.(*Conn)*", "github.com/coder/websocket.(*Conn)*", "nhooyr.io/websocket.(*Conn)*", "golang.org/x/net/websocket.(*Conn)*")...)
	out = append(out, rows(roleRequest, "", "net/rpc runs each call in its own goroutine (net/rpc/server.go)", "net/rpc.(*service).call")...)
	out = append(out, rows(rolePark, "", "waits for calls or answers of a connection (net/rpc)", "net/rpc.(*Server).ServeCodec", "net/rpc.(*Client).input")...)
	out = append(out, rows(roleRequest, "", "runs the measured function of a probe test", "github.com/unpark-go/unpark/probe/probetest.*")...)
	return out
}
