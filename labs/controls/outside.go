package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// syncs appends to one file and waits for the disk; nothing is locked here.
func syncs(ctx context.Context, _ setup) (http.Handler, error) {
	f, err := os.CreateTemp("", "controls-fsync-*")
	if err != nil {
		return nil, fmt.Errorf("create the file to sync: %w", err)
	}
	context.AfterFunc(ctx, func() {
		f.Close()
		os.Remove(f.Name())
	})
	record := bytes.Repeat([]byte("x"), 512)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := persist(f, record); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		hello(w, r)
	}), nil
}

func persist(f *os.File, record []byte) error {
	if _, err := f.Write(record); err != nil {
		return err
	}
	return f.Sync()
}

// smallWrites flushes 200 pieces of 16 bytes: a system call for each.
// Fixed, it leaves it to the server's buffer to collect them.
func smallWrites(_ context.Context, s setup) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c := http.NewResponseController(w)
		for i := range 200 {
			if _, err := fmt.Fprintf(w, "%015d\n", i); err != nil {
				return
			}
			if s.fixed {
				continue
			}
			if err := c.Flush(); err != nil {
				return
			}
		}
	}), nil
}

// slowServer answers after 20 ms.
func slowServer(context.Context, setup) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		hello(w, r)
	}), nil
}

// nearServer answers after 2 ms.
func nearServer(context.Context, setup) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		hello(w, r)
	}), nil
}

// bigServer answers at once, with more than is in the buffers of a client that does
// not read.
func bigServer(context.Context, setup) (http.Handler, error) {
	body := bytes.Repeat([]byte("x"), 32<<10)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(body)
	}), nil
}

// askDownstream reads the whole answer and keeps enough connections: all that
// is left to wait for is the other side.
func askDownstream(ctx context.Context, s setup) (http.Handler, error) {
	slow, err := slowServer(ctx, s)
	if err != nil {
		return nil, err
	}
	url, err := orInside(ctx, s.downstream, slow)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}
	return relay(client, url, readAll), nil
}

func readAll(body io.Reader) error {
	_, err := io.Copy(io.Discard, body)
	return err
}

// unreadBodies closes answers unread, so that their connections are lost, and
// keeps two idle ones at most. Fixed, it reads them and keeps as many as it uses.
func unreadBodies(ctx context.Context, s setup) (http.Handler, error) {
	big, err := bigServer(ctx, s)
	if err != nil {
		return nil, err
	}
	url, err := orInside(ctx, s.downstream, big)
	if err != nil {
		return nil, err
	}
	idle, consume := 2, func(io.Reader) error { return nil }
	if s.fixed {
		idle, consume = 1000, readAll
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: idle}}
	return relay(client, url, consume), nil
}

func relay(client *http.Client, url string, consume func(io.Reader) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := ask(r.Context(), client, url, consume); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		hello(w, r)
	})
}

func ask(ctx context.Context, client *http.Client, url string, consume func(io.Reader) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return consume(resp.Body)
}

// orInside returns url, or that of a server inside this process when it is
// empty. A server of its own process (`-mode slow`) keeps the two apart in
// profiles; one inside is less to start.
func orInside(ctx context.Context, url string, h http.Handler) (string, error) {
	if url != "" {
		return url, nil
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen for the server inside: %w", err)
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	go func() { _ = srv.Serve(ln) }() // ends with ctx
	return "http://" + ln.Addr().String(), nil
}
