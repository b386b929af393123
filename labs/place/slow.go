package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"syscall"
	"time"
)

// slowly asks for a URL over n connections until ctx is done and takes each answer
// at no more than so many bytes a second, with a small buffer in its kernel: what
// it has not taken, the server has not got rid of. It waits for a service that is
// not there yet, or no longer.
func slowly(ctx context.Context, where string, n, perSecond int) error {
	u, err := url.Parse(where)
	if err != nil || u.Scheme != "http" || u.Port() == "" {
		return fmt.Errorf("ask %q: name it like http://127.0.0.1:8080/place.png", where)
	}
	var clients sync.WaitGroup
	for range n {
		clients.Go(func() {
			for ctx.Err() == nil {
				_ = drain(ctx, u, perSecond) // it is tried again
				pause(ctx, 100*time.Millisecond)
			}
		})
	}
	clients.Wait()
	return nil
}

// drain asks for u over one connection again and again, until it fails.
func drain(ctx context.Context, u *url.URL, perSecond int) error {
	const buffer = 4096 // bytes
	// Set before the connection is made: a window that was offered once is not
	// taken back, and the first picture would fit into the usual one.
	d := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) {
			failed = syscall.SetsockoptInt(descriptor(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, buffer)
		})
		return errors.Join(err, failed)
	}}
	conn, err := d.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	reader := bufio.NewReaderSize(conn, buffer)
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return err
		}
		if err := req.Write(conn); err != nil {
			return err
		}
		resp, err := http.ReadResponse(reader, req)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, &paced{ctx: ctx, from: resp.Body, perSecond: perSecond})
		resp.Body.Close()
		if err != nil {
			return err
		}
	}
}

// paced is a reader of so many bytes a second.
type paced struct {
	ctx       context.Context
	from      io.Reader
	perSecond int
}

func (p *paced) Read(b []byte) (int, error) {
	const sip = 50 * time.Millisecond
	most := max(1, int(sip.Seconds()*float64(p.perSecond)))
	pause(p.ctx, sip)
	return p.from.Read(b[:min(len(b), most)])
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
