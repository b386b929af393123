package selfcheck

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// statsPath is where a server tells what it knows of itself.
const statsPath = "/stats"

// Stats is what the server knows: how long answers took inside it, from the
// handler's first line until just before the answer is written.
type Stats struct {
	N   int64   `json:"n"`
	P50 float64 `json:"p50_s"` // seconds
	P99 float64 `json:"p99_s"` // seconds
}

// handler is the server of one schedule.
type handler struct {
	service Service
	start   time.Time

	mu    sync.Mutex
	times *hdr.Histogram // ns
}

// NewHandler returns the server of a schedule that begins now. GET /stats
// answers with [Stats] and forgets what was counted; everything else is answered
// by the schedule.
func NewHandler(s Service) http.Handler {
	h := &handler{service: s, start: time.Now(), times: hdr.New(1000, int64(time.Minute), 3)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+statsPath, h.stats)
	mux.HandleFunc("/", h.answer)
	return mux
}

func (h *handler) answer(w http.ResponseWriter, _ *http.Request) {
	came := time.Since(h.start)
	if wait := h.service.release(came) - came; wait > 0 {
		time.Sleep(wait)
	}
	took := time.Since(h.start) - came
	h.mu.Lock()
	_ = h.times.RecordValue(min(int64(took), int64(time.Minute))) // within its range
	h.mu.Unlock()
	_, _ = io.WriteString(w, "ok\n") // the client is gone otherwise
}

func (h *handler) stats(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	s := Stats{
		N: h.times.TotalCount(), P50: float64(h.times.ValueAtQuantile(50)) / 1e9, P99: float64(h.times.ValueAtQuantile(99)) / 1e9,
	}
	h.times.Reset()
	h.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s)
}

// Serve runs the server on a free port of loopback, over HTTP/1.1 and h2c. It
// writes its URL as one line to out, and ends with ctx or when in does: a server
// does not outlive the command that holds the other end.
func Serve(ctx context.Context, s Service, in io.Reader, out io.Writer) error {
	if err := s.Check(); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen on loopback: %w", err)
	}
	server := &http.Server{Handler: NewHandler(s), Protocols: new(http.Protocols), ReadHeaderTimeout: time.Minute}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if _, err := fmt.Fprintf(out, "http://%s/\n", ln.Addr()); err != nil {
		_ = ln.Close()
		return fmt.Errorf("tell the server's address: %w", err)
	}
	if err := server.Serve(ln); err != nil && ctx.Err() == nil {
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
