package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/index/notes"
)

// DefaultAddress is where the server listens unless another is asked for: the same each time, so that a bookmark stays right.
const DefaultAddress = "127.0.0.1:4380"

// Server serves one folder of runs.
type Server struct {
	index   *index.Index
	notes   *notes.Notes
	version unpark.Version

	listener     net.Listener
	host         string // that is listened on, with its port
	key, session string // in the first address; in the cookie that it is exchanged for
	bell         bell
	largest      int64 // bytes of an import
	pages        pages
	history      history

	mu      sync.Mutex
	reading progress
	asked   time.Time // when a page last asked for anything
	synced  time.Time // when the store was last asked
	missing error     // what it did not give then
	trouble string    // why the folder could not be read the last time
}

// progress is how many documents were read of how many that have to be.
type progress struct {
	Done int `json:"done"`
	Of   int `json:"of"`
}

// New returns a server of the runs in an index, which the caller closes after it, behind a listener of Listen.
func New(x *index.Index, version unpark.Version, l net.Listener) *Server {
	return &Server{
		listener: l, host: l.Addr().String(), index: x, notes: &notes.Notes{Root: x.Root()}, version: version, key: rand.Text(), session: rand.Text(),
		largest: largestTaken, pages: pages{x, &source{}, &drawn{}}, history: history{index: x},
	}
}

// Listen listens on an address of this machine's own. Another is refused: what profiles hold is not for a network.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w: write it as 127.0.0.1:4380, or 127.0.0.1:0 for a free port", address, err)
	}
	if at, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !at.IsLoopback()) {
		return nil, fmt.Errorf("listen on %s: it is not this machine's loopback, and profiles can hold secrets: use 127.0.0.1, and from elsewhere ssh -L 4380:127.0.0.1:4380", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w: choose another with --listen, or 127.0.0.1:0 for a free port", address, err)
	}
	return l, nil
}

// Address is what to open in a browser, with the key.
func (s *Server) Address() string { return "http://" + s.host + "/?key=" + s.key }

// Serve answers until ctx ends, then lets what is under way end for a moment. It closes the listener.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { s.watch(ctx) })
	defer watching.Wait()
	defer cancel()
	h := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }, // streams of events end with it
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(s.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve the runs: %w", err)
	case <-ctx.Done():
	}
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer stop()
	if err := h.Shutdown(end); err != nil {
		return h.Close()
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Handler answers all requests, behind the guard.
func (s *Server) Handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", home)
	m.HandleFunc("GET /assets/{name}", asset)
	m.HandleFunc("GET /run/{path...}", page(s.pages.run, framed))
	m.HandleFunc("GET /slowest/{path...}", page(s.pages.slowest, policy))
	m.HandleFunc("GET /api/heat/{path...}", answer(s.pages.heat))
	m.HandleFunc("GET /api/moment/{path...}", s.moment)
	m.HandleFunc("GET /experiment/{path...}", page(s.pages.experiment, framed))
	m.HandleFunc("GET /compare", page(s.pages.compare, framed))
	m.HandleFunc("GET /live/{path...}", livePage)
	m.HandleFunc("GET /api/live/{path...}", s.live)
	m.HandleFunc("GET /api/runs", answer(s.list))
	m.HandleFunc("GET /api/series", answer(s.history.series))
	m.HandleFunc("GET /api/changes", answer(s.history.changes))
	m.HandleFunc("GET /api/events", s.events)
	m.HandleFunc("POST /api/import", answer(s.take))
	m.HandleFunc("POST /api/note", answer(s.setNote))
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, fmt.Errorf("there is no page %s: begin at the list of runs", r.URL.Path))
	})
	return s.guard(m)
}

// ours reports whether a request names this server as its host. A page of a name that an attacker lets lead here does not.
func (s *Server) ours(host string) bool {
	_, port, err := net.SplitHostPort(s.host)
	if err != nil {
		return false
	}
	for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
		if host == name+":"+port {
			return true
		}
	}
	return host == s.host && !strings.HasPrefix(host, ":")
}
