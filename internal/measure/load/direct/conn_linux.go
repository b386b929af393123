package direct

import (
	"io"
	"net"
	"os"
	"syscall"
)

// conn does not tell the scheduler of system calls that cannot block (see readNow).
type conn struct {
	net.Conn
	raw     syscall.RawConn
	in, out transit
}

// transit is one read or write.
type transit struct {
	call func(fd uintptr) bool // bound once
	rest []byte
	n    int
	err  error
}

// Conn returns c with reads and writes that leave the scheduler alone, or c itself
// when it is not fit for that. One goroutine at a time may read, and one may write.
func Conn(c net.Conn) net.Conn {
	raw := Raw(c)
	if raw == nil {
		return c
	}
	d := &conn{Conn: c, raw: raw}
	d.in.call, d.out.call = d.in.read, d.out.write
	return d
}

func (c *conn) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	c.in.rest, c.in.n, c.in.err = b, 0, nil
	if err := c.raw.Read(c.in.call); err != nil {
		return 0, err
	}
	if c.in.err != nil {
		return 0, os.NewSyscallError("read", c.in.err)
	}
	if c.in.n == 0 {
		return 0, io.EOF
	}
	return c.in.n, nil
}

func (t *transit) read(fd uintptr) bool {
	t.n, t.err = readNow(fd, t.rest)
	return t.err != syscall.EAGAIN //nolint:errorlint // it comes from the kernel, and often
}

func (c *conn) Write(b []byte) (int, error) {
	c.out.rest, c.out.n, c.out.err = b, 0, nil
	if err := c.raw.Write(c.out.call); err != nil {
		return c.out.n, err
	}
	if c.out.err != nil {
		return c.out.n, os.NewSyscallError("write", c.out.err)
	}
	return c.out.n, nil
}

func (t *transit) write(fd uintptr) bool {
	for len(t.rest) > 0 {
		n, err := writeNow(fd, t.rest)
		if err == syscall.EAGAIN { //nolint:errorlint // it comes from the kernel
			return false
		}
		if err != nil {
			t.err = err
			return true
		}
		t.n, t.rest = t.n+n, t.rest[n:]
	}
	return true
}
