package agent

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
	"sync"
	"time"
)

// Environment variables that Start reads.
const (
	EnvAddress = "UNPARK_PROBE"
	EnvToken   = "UNPARK_PROBE_TOKEN"
)

// Options say what differs from the environment. The zero value is right for a
// service that sets no sampling rates of its own.
type Options struct {
	// Address is where to listen, in the form of UNPARK_PROBE, and replaces it:
	// with it, the agent serves whatever the environment says.
	Address string
	// Token replaces UNPARK_PROBE_TOKEN.
	Token string
	// BlockProfileRate is the rate in nanoseconds that the service itself gave to
	// runtime.SetBlockProfileRate, which cannot be read back: a lease ends with
	// it. Zero means not declared, negative that the service leaves it off.
	BlockProfileRate int
}

// Agent is a running server. A nil Agent is one that is off; its methods work.
type Agent struct {
	options  Options
	listener net.Listener
	address  address
	server   *http.Server
	started  time.Time
	guard    guard
	renewals renewals
	cancel   context.CancelFunc

	mu     sync.Mutex
	closed bool
	inside sync.WaitGroup // requests being served; Add only under mu while not closed
}

// Start begins to serve if the environment, or o.Address, asks for it, and
// returns nil and no error if neither does. The listener is open when Start
// returns. There is one agent per process, because sampling rates and the CPU
// profile are the process's.
//
// An error says what could not be done and how to cure it. It is no reason to
// stop the service.
func Start(o Options) (*Agent, error) {
	if o.Address == "" {
		o.Address = os.Getenv(EnvAddress)
	}
	if o.Address == "" {
		return nil, nil
	}
	if o.Token == "" {
		o.Token = os.Getenv(EnvToken)
	}
	a, err := start(o)
	if err != nil {
		return nil, fmt.Errorf("unpark probe: %w (the service runs on without the probe)", err)
	}
	return a, nil
}

func start(o Options) (*Agent, error) {
	where, err := parseAddress(o.Address, o.Token != "")
	if err != nil {
		return nil, err
	}
	if err := process.claim(o.BlockProfileRate); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", o.Address, err)
	}
	listener, err := where.listen()
	if err != nil {
		process.unclaim()
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	a := &Agent{
		options: o, listener: listener, address: where, started: time.Now(),
		guard: where.guard(o.Token), cancel: cancel,
	}
	a.server = &http.Server{
		Handler:           a.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(os.Stderr, "unpark probe: ", 0),
	}
	// Goroutines inherit labels: every connection's is marked, so a reader of the
	// CPU or goroutine profile can tell the observer where no frame of ours shows.
	go pprof.Do(ctx, pprof.Labels("unpark", "observer"), func(context.Context) { a.serve() })
	if where.network == "tcp" {
		fmt.Fprintf(os.Stderr, "unpark probe: process %d serves profiles on %s\n", os.Getpid(), a.Addr())
	}
	return a, nil
}

func (a *Agent) serve() {
	if err := a.server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintf(os.Stderr, "unpark probe: stopped serving on %s: %v\n", a.Addr(), err)
	}
}

// Addr returns where the agent listens: "unix:PATH" or "HOST:PORT", empty for a
// nil Agent.
func (a *Agent) Addr() string {
	if a == nil {
		return ""
	}
	if a.address.network == "unix" {
		return "unix:" + a.address.path
	}
	return a.listener.Addr().String()
}

// Close stops serving. When it returns every profile is stopped, every lease is
// over with the previous rates back, and the socket is gone. It may be called
// more than once and on a nil Agent.
func (a *Agent) Close() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	first := !a.closed
	a.closed = true
	a.mu.Unlock()
	if !first {
		a.inside.Wait()
		return nil
	}
	a.cancel()
	err := a.server.Close()
	// Serve may not have taken the listener over yet.
	if e := a.listener.Close(); err == nil && !errors.Is(e, net.ErrClosed) {
		err = e
	}
	a.inside.Wait()
	a.address.remove()
	process.unclaim()
	if err != nil {
		return fmt.Errorf("unpark probe: close %s: %w", a.Addr(), err)
	}
	return nil
}

// enter reports whether a request may be served; leave must follow if so.
func (a *Agent) enter() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return false
	}
	a.inside.Add(1)
	return true
}

func (a *Agent) leave() { a.inside.Done() }

// Active reports whether a window is open: the block profile rate is leased,
// through the agent or through Acquire, or a CPU profile, an execution trace or a
// flight recorder is running through the agent. A lease of the mutex fraction alone opens none, for
// it lasts longer than a window. It is one atomic load.
func Active() bool { return process.open.Load()&(timing-1) > 0 }
