package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"time"
)

// bench is a server, its clients and the trace of them.
type bench struct {
	mux  *http.ServeMux
	ln   net.Listener
	file *os.File
	// get asks for a path in another way than by one of our connections; nil: not.
	get func(path string) error
	// finish writes the trace in another way than trace.Start does; nil: not.
	finish func(w io.Writer) error
	busy   atomic.Int32 // connections with a request, as the server sees it
	hook   func(http.ConnState)

	mu   sync.Mutex
	idle []*client // connections without a request under way
}

// client is one connection.
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func newBench(file string) (*bench, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &bench{mux: http.NewServeMux(), ln: ln, file: f}, nil
}

func (b *bench) fail(err error) {
	fmt.Fprintln(os.Stderr, "cases:", err)
	os.Exit(1)
}

func (b *bench) must(err error) {
	if err != nil {
		b.fail(err)
	}
}

// handle serves a path, marked as unpark's middleware marks it.
func (b *bench) handle(path string, h func(r *http.Request)) {
	route := "GET " + path
	b.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		ctx, task := trace.NewTask(r.Context(), route)
		defer task.End()
		pprof.Do(ctx, pprof.Labels("route", route), func(ctx context.Context) {
			defer trace.StartRegion(ctx, "request").End()
			h(r.WithContext(ctx))
			io.WriteString(w, "ok\n")
		})
	})
}

// listen serves, and opens connections that have carried a request each.
func (b *bench) listen(connections int) {
	srv := &http.Server{Handler: b.mux, ConnState: b.watch}
	go srv.Serve(b.ln)
	b.warm(connections)
}

// warm has connections opened by a request each.
func (b *bench) warm(connections int) {
	b.mux.HandleFunc("/warm", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok\n") })
	warm := make([]string, connections)
	for i := range warm {
		warm[i] = "/warm"
	}
	b.ask(warm...)
	b.settle(0)
}

// record begins the trace.
func (b *bench) record() { b.must(trace.Start(b.file)) }

// start listens and records. Half of the requests of most cases come on
// connections that are older than the trace.
func (b *bench) start() {
	b.listen(3)
	b.record()
}

// stop ends the trace when all but busy connections wait for their next request.
func (b *bench) stop(busy int) {
	b.settle(busy)
	if b.finish != nil {
		b.must(b.finish(b.file))
	} else {
		trace.Stop()
	}
	b.must(b.file.Close())
}

// ask sends a request for every path, each on its own connection, and returns
// when all are answered.
func (b *bench) ask(paths ...string) { b.begin(paths...).Wait() }

// begin sends them and returns at once.
func (b *bench) begin(paths ...string) *sync.WaitGroup {
	var answered sync.WaitGroup
	answered.Add(len(paths))
	for _, path := range paths {
		go func(path string) {
			defer answered.Done()
			if b.get != nil {
				b.must(b.get(path))
				return
			}
			c := b.take()
			b.must(c.exchange("GET", path, ""))
			b.give(c)
		}(path)
	}
	return &answered
}

func (b *bench) take() *client {
	b.mu.Lock()
	if n := len(b.idle); n > 0 {
		c := b.idle[n-1]
		b.idle = b.idle[:n-1]
		b.mu.Unlock()
		return c
	}
	b.mu.Unlock()
	return b.dial()
}

func (b *bench) give(c *client) {
	b.mu.Lock()
	b.idle = append(b.idle, c)
	b.mu.Unlock()
}

func (b *bench) dial() *client {
	conn, err := net.Dial("tcp", b.ln.Addr().String())
	b.must(err)
	return &client{conn: conn, in: bufio.NewReader(conn)}
}

func (c *client) send(method, path, body string) error {
	_, err := fmt.Fprintf(c.conn, "%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", method, path, len(body), body)
	return err
}

func (c *client) receive(path string) error {
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("get %s: %s", path, answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

func (c *client) exchange(method, path, body string) error {
	if err := c.send(method, path, body); err != nil {
		return err
	}
	return c.receive(path)
}

// watch follows what the server says of a connection. It takes no lock: a wait
// for one would be the server's, between two requests.
func (b *bench) watch(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateActive:
		b.busy.Add(1)
	case http.StateIdle:
		b.busy.Add(-1)
	}
	if b.hook != nil {
		b.hook(state)
	}
}

// settle returns when all but busy connections wait for their next request. The
// server says so just before it reads. Looking at the goroutines instead would stop
// the world, which is seen in the trace.
func (b *bench) settle(busy int) {
	for {
		time.Sleep(hold / 6)
		if b.busy.Load() <= int32(busy) {
			time.Sleep(hold / 6)
			return
		}
	}
}

// gathering counts those who are about to wait.
type gathering struct{ n atomic.Int32 }

func (g *gathering) arrive()            { g.n.Add(1) }
func (g *gathering) missing(n int) bool { return g.n.Load() < int32(n) }

// await returns when n have arrived.
func (g *gathering) await(n int) {
	for g.missing(n) {
		time.Sleep(time.Millisecond)
	}
}
