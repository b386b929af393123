package profile

import "github.com/unpark-go/unpark"

// Serving says how a goroutine with a stack relates to requests.
type Serving uint8

// How goroutines serve.
const (
	ServesNone   Serving = iota
	ServesInTurn         // one request after the other, parking in between
	ServesOne            // it lives for one request
	ServesMany           // it moves the frames of many requests at once
)

// Serving tells how the goroutine of a stack (leaf first) does: by the frame nearest
// its start that is known to serve, unless one of them moves the frames of many. A
// goroutine that is known to read connections by itself (With) serves in turn.
func (c *Catalogue) Serving(stack []unpark.Site) Serving {
	found := ServesNone
	for _, s := range stack {
		switch c.fact(s.Function).serving {
		case roleInTurn:
			found = ServesInTurn
		case roleOne:
			found = ServesOne
		case roleMany:
			return ServesMany
		}
	}
	if found != ServesNone {
		return found
	}
	for _, s := range stack {
		if c.conns[s.Function] {
			return ServesInTurn
		}
	}
	return ServesNone
}

// servingTable says which goroutines carry requests.
func servingTable() []entry {
	var out []entry
	out = append(out, rows(roleInTurn, "", "the goroutine of one HTTP/1 connection (net/http/server.go)", "net/http.(*conn).serve")...)
	out = append(out, rows(roleInTurn, "", "the worker of one connection (fasthttp/server.go, workerpool.go)",
		"github.com/valyala/fasthttp.(*Server).serveConn", "github.com/valyala/fasthttp.(*workerPool).workerFunc")...)
	out = append(out, rows(roleInTurn, "", "takes one stream after the other from a channel (grpc/server.go, grpc.NumStreamWorkers)",
		"google.golang.org/grpc.(*Server).serverWorker")...)
	out = append(out, rows(roleOne, "", "one goroutine for each stream (grpc/server.go:serveStreams)",
		"google.golang.org/grpc.(*Server).serveStreams.*")...)
	out = append(out, rows(roleMany, "", "the frames of a connection (grpc/internal/transport)",
		"google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams", "google.golang.org/grpc/internal/transport.(*loopyWriter).run")...)
	for _, p := range [...]string{"net/http.(*http2", "golang.org/x/net/http2.(*", "net/http/internal/http2.(*"} {
		out = append(out, rows(roleOne, "", "one goroutine for each stream (h2_bundle.go)", p+"serverConn).runHandler")...)
		out = append(out, rows(roleMany, "", "the frames of a connection (h2_bundle.go)",
			p+"serverConn).serve", p+"serverConn).readFrames", p+"serverConn).writeFrameAsync")...)
	}
	return out
}
