package direct

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

// listen serves each connection until the test ends, and closes it then.
func listen(t *testing.T, handle func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { handle(c); _ = c.Close() }()
		}
	}()
	return l.Addr().String()
}

// TestConn: what a connection does, it does without the scheduler's knowledge
// too.
func TestConn(t *testing.T) {
	all := bytes.Repeat([]byte("0123456789abcdef"), 1<<19) // more than the kernel's buffers hold
	addr := listen(t, func(c net.Conn) { _, _ = io.Copy(c, c); _ = c.(*net.TCPConn).CloseWrite() })
	raw, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	c := Conn(raw)
	if _, ok := c.(*conn); !ok {
		t.Fatalf("%T", c)
	}
	t.Cleanup(func() { _ = c.Close() })
	if n, err := c.Read(nil); n != 0 || err != nil {
		t.Errorf("read of nothing: %d, %v", n, err)
	}
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("past the deadline: %v", err)
	}
	_ = c.SetReadDeadline(time.Time{})
	wrote := make(chan error, 1)
	go func() {
		n, err := c.Write(all)
		if err == nil && n != len(all) {
			err = io.ErrShortWrite
		}
		_ = raw.(*net.TCPConn).CloseWrite()
		wrote <- err
	}()
	sum := sha256.New()
	if n, err := io.Copy(sum, struct{ io.Reader }{c}); n != int64(len(all)) || err != nil {
		t.Errorf("%d bytes came back of %d, %v", n, len(all), err)
	}
	if want := sha256.Sum256(all); !bytes.Equal(sum.Sum(nil), want[:]) {
		t.Error("other bytes came back")
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
	if _, err := c.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("write after the end: %v", err)
	}
	_ = c.Close()
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("read after close: %v", err)
	}
	if _, err := c.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("write after close: %v", err)
	}
}

func TestConnReset(t *testing.T) {
	addr := listen(t, func(c net.Conn) { _, _ = c.Read(make([]byte, 1)); _ = c.(*net.TCPConn).SetLinger(0) })
	raw, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	c := Conn(raw)
	t.Cleanup(func() { _ = c.Close() })
	if _, err := c.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%v", err)
	}
}

func TestConnOfOthers(t *testing.T) {
	a, b := net.Pipe()
	t.Cleanup(func() { _ = a.Close(); _ = b.Close() })
	if c := Conn(a); c != a {
		t.Errorf("%T", c)
	}
}
