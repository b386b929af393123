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

// NewHandler returns the server of a schedule that begins now. GET /stats
// answers with [Stats] and forgets what was counted; everything else is answered
// by the schedule.
func NewHandler(s Service) http.Handler { return newHandler(newBook(s)) }

func newHandler(b *book) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+statsPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(b.take())
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		came, wait := b.enter()
		if wait > 0 {
			time.Sleep(wait)
		}
		b.leave(came)
		_, _ = io.WriteString(w, body) // the client is gone otherwise
	})
	return mux
}

// Serve runs the server on a free port of loopback: HTTP/1.1 by net/http, h2c and
// gRPC by a server of its own that answers at once (h2.go). It writes its URL as
// one line to out, and ends with ctx or when in does: a server does not outlive
// the command that holds the other end.
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
	server := &http.Server{Handler: newHandler(b), ReadHeaderTimeout: headTimeout}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	defer context.AfterFunc(ctx, func() { _ = server.Close(); _ = split.Close() })()
	if _, err := fmt.Fprintf(out, "http://%s/\n", ln.Addr()); err != nil {
		_ = split.Close()
		return fmt.Errorf("tell the server's address: %w", err)
	}
	go split.run()
	if err := server.Serve(split); err != nil && ctx.Err() == nil {
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
