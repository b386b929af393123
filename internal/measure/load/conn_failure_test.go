package load

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/h1"
)

// TestConnLinkAgainstBadServers has what servers do wrong, on a fresh connection.
func TestConnLinkAgainstBadServers(t *testing.T) {
	wait := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	then := func(text string, next func(net.Conn)) func(net.Conn) {
		return func(c net.Conn) { reply(text)(c); next(c) }
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
	for _, tt := range []struct {
		name   string
		server func(net.Conn)
		kind   string
		words  string
	}{
		{"closes at once", func(net.Conn) {}, "", "without an answer"}, // or a reset
		{"closes without an answer", readRequest, failEOF, "without an answer"},
		{"closes in the header", reply("HTTP/1.1 200 OK\r\nConte"), failEOF, "in the middle"},
		{"body shorter than declared", reply(head + "abc"), failEOF, "in the middle"},
		{"chunks without an end", reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), failEOF, "in the middle"},
		{"body longer than declared", then(head+"0123456789more", wait), failProtocol, `4 bytes after the end of the answer: "more"`},
		{"body for HEAD's sake", then("HTTP/1.1 204 No Content\r\n\r\nbody", wait), failProtocol, "4 bytes after"},
		{"garbage", then("\x00\x01garbage", wait), failProtocol, `malformed status line "\x00\x01garbage"`},
		{"another protocol", then("220 smtp ready\r\n", wait), failProtocol, "malformed status line"},
		{"a length of letters", then("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n", wait), failProtocol, "malformed Content-Length"},
		{"a chunk that is too long", then("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef", wait), failProtocol, "longer than its size"},
		{"an endless header", func(c net.Conn) {
			reply("HTTP/1.1 200 OK\r\n")(c)
			line := []byte("X: " + strings.Repeat("y", 4000) + "\r\n")
			for {
				if _, err := c.Write(line); err != nil {
					return
				}
			}
		}, failProtocol, "header is longer than"},
		{"resets", func(c net.Conn) { readRequest(c); _ = c.(*net.TCPConn).SetLinger(0) }, failReset, "reset"},
		{"resets in the body", func(c net.Conn) {
			reply(head + "abc")(c)
			_, _ = c.Read(make([]byte, 1)) // until the client has read that
			_ = c.(*net.TCPConn).SetLinger(0)
		}, failTimeout, "no answer in time"},
		{"says nothing", wait, failTimeout, "no answer in time"},
		{"stops in the body", then(head+"abc", wait), failTimeout, "no answer in time (400ms)"},
		{"trickles for ever", func(c net.Conn) {
			reply("HTTP/1.1 200 OK\r\n\r\n")(c)
			for {
				if _, err := c.Write([]byte("x")); err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}, failTimeout, "no answer in time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := newLink(t, at(listen(t, tt.server)))
			if tt.kind == failTimeout {
				x.settings.timeout = 400 * time.Millisecond
			}
			o := x.exchange(0, true)
			var protocol *h1.ProtocolError
			switch {
			case tt.kind == "":
				tt.kind = o.err
				if o.err != failEOF && o.err != failReset {
					t.Errorf("%+v", o)
				}
			case tt.kind == failProtocol:
				if !errors.As(o.detail, &protocol) {
					t.Errorf("%+v", o)
				}
				fallthrough
			default:
				if o.detail == nil || !strings.Contains(o.detail.Error(), tt.words) {
					t.Errorf("%v, want %q", o.detail, tt.words)
				}
			}
			bad(t, o, tt.kind)
			if tt.kind == failTimeout && (!errors.Is(o.detail, errTimeout) || o.done < int64(x.settings.timeout)) {
				t.Errorf("after %v: %v", time.Duration(o.done), o.detail)
			}
			if o.dial <= 0 || o.written < o.dial {
				t.Errorf("dial %d, written %d", o.dial, o.written)
			}
			if x.messages[0].to.conn != nil {
				t.Error("the connection is kept")
			}
		})
	}
}

// TestConnLinkAgainstOddServers has what is unusual and no failure.
func TestConnLinkAgainstOddServers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		server func(net.Conn)
		bytes  int64
	}{
		{"HTTP/1.0", reply("HTTP/1.0 200 OK\r\nServer: old\r\n\r\nuntil the end"), 13},
		{"until the end", reply("HTTP/1.1 200 OK\r\n\r\nuntil the end"), 13},
		{"bare LF", reply("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi"), 2},
		{"100 that nobody asked for", reply("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), 2},
		{"trickle", func(c net.Conn) {
			readRequest(c)
			for _, b := range []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n") {
				_, _ = c.Write([]byte{b})
				time.Sleep(time.Millisecond)
			}
		}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := newLink(t, at(listen(t, tt.server)))
			for range 3 { // each server closes; the method is repeated where that is not seen in time
				good(t, x.exchange(0, true), 200, tt.bytes)
			}
		})
	}
}

func TestConnLinkCannotConnect(t *testing.T) {
	x := newLink(t, at(refusedAddr),
		unpark.Request{URL: "https://" + listen(t, reply("HTTP/1.1 400 Bad Request\r\n\r\n")) + "/"},
		unpark.Request{URL: "https://" + listen(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }) + "/"})
	for range 2 {
		bad(t, x.exchange(0, false), failRefused)
		bad(t, x.exchange(1, false), failTLS)
	}
	x.settings.timeout = 100 * time.Millisecond
	o := x.exchange(2, false)
	bad(t, o, failTimeout)
	if o.written != 0 || o.dial != 0 || !errors.Is(o.detail, errTimeout) {
		t.Errorf("%+v", o)
	}
}

// TestConnLinkVerifies: a certificate proves nothing on loopback, and is needed as
// soon as one URL is elsewhere.
func TestConnLinkVerifies(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(hello))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	good(t, newLink(t, unpark.Request{URL: srv.URL}).exchange(0, false), 200, 5)
	x := newLink(t, unpark.Request{URL: srv.URL}, unpark.Request{URL: "https://service.invalid/"})
	o := x.exchange(0, false)
	bad(t, o, failTLS)
	if o.dial != 0 || o.written != 0 {
		t.Errorf("%+v", o)
	}
}

// TestConnLinkRepeats: a reused connection that the server had closed is no
// failure where the request may be repeated, and it is repeated once.
func TestConnLinkRepeats(t *testing.T) {
	for _, tt := range []struct {
		method string
		want   bool
	}{{"GET", true}, {"HEAD", true}, {"PUT", true}, {"DELETE", true}, {"OPTIONS", true}, {"TRACE", true}, {"POST", false}, {"PATCH", false}} {
		t.Run(tt.method, func(t *testing.T) {
			gone := make(chan struct{}, 9)
			addr := listen(t, func(c net.Conn) {
				readRequest(c)
				_, _ = io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
				_ = c.Close()
				gone <- struct{}{}
			})
			r := at(addr)
			r.Method = tt.method
			x := newLink(t, r)
			good(t, x.exchange(0, false), 204, 0)
			<-gone
			o := x.exchange(0, false)
			if tt.want {
				good(t, o, 204, 0)
				if o.dial == 0 {
					t.Error("no new connection")
				}
			} else if o.err != failEOF && o.err != failReset || o.dial != 0 || o.written == 0 {
				t.Errorf("%+v", o)
			}
		})
	}
	t.Run("over TLS", func(t *testing.T) {
		srv := httptest.NewTLSServer(http.HandlerFunc(hello))
		t.Cleanup(srv.Close)
		x := newLink(t, unpark.Request{URL: srv.URL})
		for range 3 {
			if o := x.exchange(0, false); o.dial == 0 {
				t.Error("no new connection")
			} else {
				good(t, o, 200, 5)
			}
			srv.CloseClientConnections()
		}
	})
	t.Run("once", func(t *testing.T) {
		var conns atomic.Int64
		x := newLink(t, at(listen(t, func(c net.Conn) {
			readRequest(c)
			if conns.Add(1) == 1 {
				_, _ = io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
				readRequest(c)
			}
		})))
		good(t, x.exchange(0, false), 204, 0)
		bad(t, x.exchange(0, false), failEOF)
		if n := conns.Load(); n != 2 {
			t.Errorf("%d connections", n)
		}
	})
	t.Run("not after a byte of the answer", func(t *testing.T) {
		var conns atomic.Int64
		x := newLink(t, at(listen(t, func(c net.Conn) {
			conns.Add(1)
			readRequest(c)
			_, _ = io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
			readRequest(c)
			_, _ = io.WriteString(c, "H")
		})))
		good(t, x.exchange(0, false), 204, 0)
		bad(t, x.exchange(0, false), failEOF)
		if n := conns.Load(); n != 1 {
			t.Errorf("%d connections", n)
		}
	})
}
