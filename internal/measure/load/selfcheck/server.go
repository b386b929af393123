package selfcheck

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// statsPath is where a server tells what it knows of itself.
const statsPath = "/stats"

// Serve runs the server of a schedule that begins now on a free port of loopback,
// over HTTP/1.1 (h1.go), h2c and gRPC (h2.go). GET /stats answers with [Stats] and
// forgets what was counted, over HTTP/1.1; everything else is answered by the
// schedule. It writes its URL as one line to out, and ends with ctx or when in does: a
// server does not outlive the command that holds the other end.
func Serve(ctx context.Context, s Service, in io.Reader, out io.Writer) error {
	if err := s.Check(); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen on loopback: %w", err)
	}
	b := newBook(s)
	split, err := newSplitter(ln, b)
	if err != nil {
		_ = ln.Close()
		return fmt.Errorf("encode the answers of h2: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	defer context.AfterFunc(ctx, func() { _ = split.Close() })()
	if _, err := fmt.Fprintf(out, "http://%s/\n", ln.Addr()); err != nil {
		_ = split.Close()
		return fmt.Errorf("tell the server's address: %w", err)
	}
	if err := split.run(); ctx.Err() == nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// askStats reads and resets what the server knows.
func askStats(ctx context.Context, base string) (Stats, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var s Stats
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base[:len(base)-1]+statsPath, nil)
	if err != nil {
		return s, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return s, fmt.Errorf("ask the server for its own times: %w", err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<16)).Decode(&s); err != nil {
		return s, fmt.Errorf("read the server's own times: %w", err)
	}
	return s, nil
}
