// Package lookup is a small price and stock service over HTTP: the sample that
// `unpark demo` runs and that labs/lookup serves.
//
// It is written the way such a service often is. Prices are changed by others,
// so every request asks the backing store whether the cached row is still the
// latest; the cache does that while it holds its one mutex. Each answer is
// decoded, computed and encoded afresh. At a few hundred requests a second the
// service is idle by every usual measure (a few percent of a core), and yet its
// 99th percentile is many times its service time, because requests queue for the
// mutex while its holder waits for the store.
//
// [Config.Fixed] serves the same answers without the two faults: the store is
// read outside the mutex, and an answer is encoded once for each version of its
// row.
//
// Routes: GET /lookup?key=K and GET /lookup/{id}, where a key is "sku-0042" and
// an id is its number; POST /price/{id}?cents=N; GET /calibration; GET /healthz.
package lookup

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Defaults of [Config].
const (
	DefaultKeys = 500
	DefaultHold = 2 * time.Millisecond
)

// Config says where and how the service runs. The zero value is the slow
// service on a port that the system chooses.
type Config struct {
	Addr    string        // host:port; empty: 127.0.0.1 and a port that the system chooses
	Fixed   bool          // read the store outside the mutex, encode once per version
	Garbage bool          // with Fixed: still build every answer afresh, so that only the lock is fixed
	Hold    time.Duration // how long the backing store takes to answer; 0: DefaultHold
	Keys    int           // products in the store; 0: DefaultKeys
	// Middleware, when not nil, is put around all handlers.
	Middleware func(http.Handler) http.Handler
	// Ready, when not nil, is called once, when requests are answered.
	Ready func(net.Addr)
}

// Serve runs the service until ctx is done, then lets the requests in flight
// end and returns nil. It measures its own hold before it answers (about a
// third of a second with the default hold).
func Serve(ctx context.Context, c Config) error {
	c, err := c.withDefaults()
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("lookup: listen on %s: %w", c.Addr, err)
	}
	defer ln.Close()

	store := NewStore(c.Keys, c.Hold)
	cal, err := calibrate(ctx, store)
	if err != nil {
		return fmt.Errorf("lookup: calibrate: %w", err)
	}
	handler := newService(c, store, cal).routes()
	if c.Middleware != nil {
		handler = c.Middleware(handler)
	}
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	if c.Ready != nil {
		c.Ready(ln.Addr())
	}
	select {
	case err := <-failed:
		return fmt.Errorf("lookup: serve on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	return shutdown(ctx, srv)
}

// shutdown gives the requests in flight two seconds; a client that keeps a
// request open longer than that loses it.
func shutdown(ctx context.Context, srv *http.Server) error {
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	err := srv.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	if err != nil {
		return fmt.Errorf("lookup: shut down: %w", err)
	}
	return nil
}

func (c Config) withDefaults() (Config, error) {
	if c.Addr == "" {
		c.Addr = "127.0.0.1:0"
	}
	if c.Hold == 0 {
		c.Hold = DefaultHold
	}
	if c.Keys == 0 {
		c.Keys = DefaultKeys
	}
	if c.Hold < 0 {
		return c, fmt.Errorf("lookup: hold %v is negative; give a duration such as 2ms", c.Hold)
	}
	if c.Keys < 0 {
		return c, fmt.Errorf("lookup: %d keys; give 1 or more", c.Keys)
	}
	return c, nil
}
