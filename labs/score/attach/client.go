package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// client sends requests until it is stopped: over each of its connections as soon as there is an answer, or at a rate, counted
// from when each was due.
type client struct {
	rate  float64
	began time.Time
	sent  atomic.Int64
	stop  context.CancelFunc
	done  sync.WaitGroup

	mu     sync.Mutex
	failed error
	all    []answer
}

// answer is when a request was answered, and after how long.
type answer struct {
	at   time.Time
	took time.Duration
}

func newClient(ctx context.Context, url string, s setting) *client {
	c := &client{rate: s.Rate, began: time.Now()}
	ctx, c.stop = context.WithCancel(ctx)
	for range s.Connections {
		c.done.Go(func() {
			if err := c.connection(ctx, strings.TrimPrefix(url, "http://")); err != nil && ctx.Err() == nil {
				c.mu.Lock()
				c.failed = err
				c.mu.Unlock()
			}
		})
	}
	return c
}

func (c *client) end() {
	c.stop()
	c.done.Wait()
}

func (c *client) connection(ctx context.Context, host string) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })()
	request := []byte("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
	in := bufio.NewReader(conn)
	for {
		due := time.Now()
		if c.rate > 0 {
			due = c.began.Add(time.Duration(float64(c.sent.Add(1)) / c.rate * 1e9))
			time.Sleep(time.Until(due))
		}
		if _, err := conn.Write(request); err != nil {
			return err
		}
		if err := skip(in); err != nil {
			return err
		}
		now := time.Now()
		c.mu.Lock()
		c.all = append(c.all, answer{now, now.Sub(due)})
		c.mu.Unlock()
	}
}

// skip reads one answer, which says how long it is.
func skip(in *bufio.Reader) error {
	first, length := true, -1
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("the service answers %q", line)
		}
		first = false
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
	}
	if length < 0 {
		return io.ErrUnexpectedEOF
	}
	_, err := in.Discard(length)
	return err
}

// take returns what was answered since it was asked before.
func (c *client) take() ([]answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.all
	c.all = make([]answer, 0, len(all))
	return all, c.failed
}
