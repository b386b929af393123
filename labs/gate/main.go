// Gate is a service with the probe in it, and nothing else to see: what a request
// reaches through the service's own port, and what only the probe's owner does. See
// README.md in this folder.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/probe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run serves until ctx is done and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "host:port to serve the API on")
	fraction := flags.Int("mutex", 0, "mutex profile fraction that the service sets for itself")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "gate: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	runtime.SetMutexProfileFraction(*fraction)
	probe.Start()
	if err := serve(ctx, *addr, stdout); err != nil {
		fmt.Fprintf(stderr, "gate: serve on %s: %v\n", *addr, err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, addr string, stdout io.Writer) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	api := http.NewServeMux()
	api.Handle("GET /till/{id}", &tills{counts: map[string]int{}})
	// The default mux too: it is where net/http/pprof would put itself, had anything
	// in this program imported it.
	api.Handle("/", http.DefaultServeMux)
	api.HandleFunc("GET /rates", showRates)
	srv := &http.Server{Handler: api, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	fmt.Fprintf(stdout, "gate: process %d serves on http://%s\n", os.Getpid(), ln.Addr())
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// tills counts what passes each till, under a lock that is held for the count alone.
type tills struct {
	mu     sync.Mutex
	counts map[string]int
}

func (t *tills) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%d\n", t.pass(r.PathValue("id")))
}

func (t *tills) pass(id string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[id]++
	return t.counts[id]
}

// rates is what of the sampling rates a process can tell of itself: the runtime
// keeps the block profile's to itself.
type rates struct {
	Mutex  int  `json:"mutex_fraction"`
	Active bool `json:"active"` // somebody measures
}

func showRates(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(rates{Mutex: runtime.SetMutexProfileFraction(-1), Active: probe.Active()})
}
