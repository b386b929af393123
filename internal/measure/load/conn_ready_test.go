package load

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

const helloAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// busy has the next exchange follow the last at once, however long that was ago.
func busy(x *connLink) {
	for _, p := range x.peers {
		p.freed = never
	}
}

// gotRequest reads a request and reports whether there was one.
func gotRequest(c net.Conn) bool {
	var buf [4096]byte
	n, err := c.Read(buf[:])
	return n > 0 && err == nil
}

// firstThen answers one request, and when that was read it does what is to be done
// with the first connection; later ones it serves.
func firstThen(t *testing.T, then func(*net.TCPConn)) (addr string, read, done chan struct{}, conns *atomic.Int64) {
	read, done, conns = make(chan struct{}), make(chan struct{}), new(atomic.Int64)
	addr = listen(t, func(c net.Conn) {
		first := conns.Add(1) == 1
		for gotRequest(c) {
			if _, err := io.WriteString(c, helloAnswer); err != nil {
				return
			}
			if first {
				<-read
				then(c.(*net.TCPConn))
				close(done)
				_, _ = io.Copy(io.Discard, c)
				return
			}
		}
	})
	return addr, read, done, conns
}

// TestReadyConnBetween: what the server does to a connection between two requests
// is noticed, also when the poller had seen it before the second one.
func TestReadyConnBetween(t *testing.T) {
	for name, test := range map[string]struct {
		then func(*net.TCPConn)
		kind string // of failure; empty: the request is repeated
	}{
		"closed":      {func(c *net.TCPConn) { _ = c.Close() }, ""},
		"half closed": {func(c *net.TCPConn) { _ = c.CloseWrite() }, ""},
		"reset":       {func(c *net.TCPConn) { _ = c.SetLinger(0); _ = c.Close() }, ""},
		"unsolicited": {func(c *net.TCPConn) {
			_, _ = io.WriteString(c, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\nmore")
		}, failProtocol},
		"garbage": {func(c *net.TCPConn) { _, _ = io.WriteString(c, "garbage\r\n\r\n") }, failProtocol},
	} {
		for _, after := range []time.Duration{0, 20 * time.Millisecond} { // seen by the poller or not
			t.Run(name+" "+after.String(), func(t *testing.T) {
				t.Parallel()
				addr, read, done, conns := firstThen(t, test.then)
				x := newLink(t, at(addr))
				good(t, x.exchange(0, false), 200, 5)
				close(read)
				<-done
				time.Sleep(after) // no synchronisation: either order must do
				busy(x)
				if o := x.exchange(0, false); test.kind == "" {
					good(t, o, 200, 5)
					if conns.Load() != 2 {
						t.Errorf("%d connections", conns.Load())
					}
				} else {
					bad(t, o, test.kind)
				}
				busy(x)
				good(t, x.exchange(0, false), 200, 5)
			})
		}
	}
}

// TestReadyConnAnswers: every way in which an answer may come is read.
func TestReadyConnAnswers(t *testing.T) {
	parts := func(all ...string) func(net.Conn) {
		return func(c net.Conn) {
			if !gotRequest(c) {
				return
			}
			_, _ = io.WriteString(c, helloAnswer)
			if !gotRequest(c) {
				return
			}
			for _, p := range all {
				if _, err := io.WriteString(c, p); err != nil {
					return
				}
				time.Sleep(3 * time.Millisecond) // each in a segment of its own
			}
		}
	}
	for name, test := range map[string]struct {
		serve  func(net.Conn)
		status int
		size   int64
		kind   string
	}{
		"at once":     {parts(helloAnswer), 200, 5, ""},
		"in parts":    {parts("HTTP/1.1 200 OK\r\nCont", "ent-Length: 5\r\n\r", "\nhel", "lo"), 200, 5, ""},
		"until close": {parts("HTTP/1.0 200 OK\r\n\r\nall of ", "it"), 200, 9, ""},
		"long":        {parts("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + strings.Repeat("x", 200_000)), 200, 200_000, ""},
		"too short":   {parts("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), 0, 0, failEOF},
		"too long":    {parts("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello"), 0, 0, failProtocol},
		"late":        {func(c net.Conn) { slowly(c, 2*longGlance) }, 200, 5, ""},
		"never":       {func(c net.Conn) { slowly(c, time.Hour) }, 0, 0, failTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newLink(t, at(listen(t, test.serve)))
			good(t, x.exchange(0, false), 200, 5)
			if test.kind == failTimeout {
				x.settings.timeout = 4 * longGlance
			}
			busy(x)
			start := x.clock.now()
			o := x.exchange(0, false)
			if test.kind == "" {
				good(t, o, test.status, test.size)
				return
			}
			bad(t, o, test.kind)
			if took := time.Duration(o.done - start); test.kind == failTimeout && took < x.settings.timeout {
				t.Errorf("given up after %v", took)
			}
		})
	}
}

// slowly answers the first request at once and others after a time.
func slowly(c net.Conn, wait time.Duration) {
	for delay := time.Duration(0); gotRequest(c); delay = wait {
		gone := make(chan struct{})
		if delay == time.Hour {
			go func() { _, _ = io.Copy(io.Discard, c); close(gone) }()
		}
		select {
		case <-time.After(delay):
		case <-gone:
			return
		}
		if _, err := io.WriteString(c, helloAnswer); err != nil {
			return
		}
	}
}

// TestReadyConnLongRequest: what does not fit into the kernel's buffers is written
// by the ordinary way, and an answer may come before that is done.
func TestReadyConnLongRequest(t *testing.T) {
	long := strings.Repeat("x", 32<<20)
	reads := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body)
	})
	hurried := listen(t, func(c net.Conn) {
		for range 2 {
			if !gotRequest(c) { // what is long comes behind the end of the header
				return
			}
			_, _ = io.WriteString(c, helloAnswer)
		}
		<-t.Context().Done()
	})
	x := newLink(t, unpark.Request{URL: reads, Method: "PUT", Body: []byte("short")}, at(hurried))
	good(t, x.exchange(0, false), 200, 5)
	good(t, x.exchange(1, false), 200, 5)
	head, body, ok := strings.Cut(string(x.messages[0].bytes), "Content-Length: 5\r\n\r\n")
	if !ok || body != "short" {
		t.Fatalf("%q", x.messages[0].bytes)
	}
	// As part of the message: a body of its own would be written by upload.
	x.messages[0].bytes = []byte(head + "Content-Length: 33554432\r\n\r\n" + long)
	busy(x)
	good(t, x.exchange(0, false), 200, 32<<20)
	x.messages[1].bytes = append(x.messages[1].bytes, long...)
	x.settings.timeout = 300 * time.Millisecond
	busy(x)
	// The answer says nothing about the rest of the request, which times out.
	bad(t, x.exchange(1, false), failTimeout)
}
