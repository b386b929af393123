package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

func cheap(context.Context, setup) (http.Handler, error) {
	return http.HandlerFunc(hello), nil
}

func hello(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "hello\n")
}

// parked starts goroutines that wait as those of any large service do: some
// for ever, some woken ten times a second, so that their waits end and enter
// the block profile. None of them ever delays a request.
func parked(ctx context.Context, _ setup) (http.Handler, error) {
	const each = 40
	never, woken := make(chan int), make(chan int)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	for range each {
		go func() { // waits for work that never comes
			select {
			case <-never:
			case <-ctx.Done():
			}
		}()
		go func() { // a pool of workers that are given something now and then
			for range woken {
			}
		}()
		go func() { // waits for a state to change
			mu.Lock()
			defer mu.Unlock()
			for ctx.Err() == nil {
				cond.Wait()
			}
		}()
		go everyTenth(ctx, func() {})
		go func() { <-ctx.Done() }()
	}
	go func() {
		everyTenth(ctx, func() {
			cond.Broadcast()
			for range each {
				select {
				case woken <- 1:
				default:
				}
			}
		})
		cond.Broadcast()
		close(woken)
	}()
	return http.HandlerFunc(hello), nil
}

func everyTenth(ctx context.Context, do func()) {
	t := time.NewTicker(100 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			do()
		case <-ctx.Done():
			return
		}
	}
}

// hotLock takes a lock ten thousand times for each request, about 100 µs of
// work; the lock is the request's own.
func hotLock(context.Context, setup) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var c counter
		for range 10_000 {
			c.add()
		}
		hello(w, r)
	}), nil
}

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

// raw takes the connection over and answers each read that ends a request with the
// same bytes: two system calls and nothing else.
func raw(ctx context.Context, _ setup) (http.Handler, error) {
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nhello\n")
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { conn.Close() })()
		if buffered.Reader.Buffered() > 0 {
			return // pipelined: this server cannot tell where requests begin
		}
		echo(conn, answer)
	}), nil
}

// echo answers the request that was read already, and those that follow until the
// client goes. A request without a body ends with an empty line.
func echo(conn net.Conn, answer []byte) {
	request := make([]byte, 4096)
	for {
		if _, err := conn.Write(answer); err != nil {
			return
		}
		for n := 0; !bytes.HasSuffix(request[:n], []byte("\r\n\r\n")); {
			read, err := conn.Read(request[n:])
			if n += read; err != nil || n == len(request) {
				return
			}
		}
	}
}
