package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark/internal/lookup"
)

// variant is the service with a cache of another kind. It answers with the store's
// row as it is, so that the cache is all that differs.
type variant struct {
	cache       cache
	calibration json.RawMessage
	writes      float64 // share of the requests that change a price
	garbage     int     // times that an answer is decoded and encoded again
	requests    atomic.Int64
}

// serveVariant serves until ctx is done.
func serveVariant(ctx context.Context, c lookup.Config, v *variant, name string) error {
	// The rate of a load is that of the slow service for all variants: measured by it.
	cal, err := calibration(ctx, c)
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	v.calibration = cal
	if v.cache, err = newCache(name, lookup.NewStore(c.Keys, c.Hold)); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", c.Addr, err)
	}
	defer ln.Close()
	handler := v.routes()
	if c.Middleware != nil {
		handler = c.Middleware(handler)
	}
	srv := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	c.Ready(ln.Addr())
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// calibration is what the slow service measures of itself, for a moment.
func calibration(ctx context.Context, c lookup.Config) (json.RawMessage, error) {
	ctx, stop := context.WithCancel(ctx)
	ready, ended := make(chan net.Addr, 1), make(chan error, 1)
	slow := lookup.Config{Addr: "127.0.0.1:0", Hold: c.Hold, Keys: c.Keys, Ready: func(a net.Addr) { ready <- a }}
	go func() { ended <- lookup.Serve(ctx, slow) }()
	var out json.RawMessage
	select {
	case err := <-ended:
		stop()
		return nil, err
	case a := <-ready:
		body, err := fetch(ctx, "http://"+a.String()+"/calibration")
		stop()
		if err := errors.Join(err, <-ended); err != nil {
			return nil, err
		}
		out = body
	}
	return out, nil
}

func fetch(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func (v *variant) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /lookup/{id}", v.lookup)
	mux.HandleFunc("GET /calibration", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(v.calibration)
	})
	return mux
}

func (v *variant) lookup(w http.ResponseWriter, r *http.Request) {
	var id int
	if _, err := fmt.Sscan(r.PathValue("id"), &id); err != nil {
		http.Error(w, "the id of a product is a number", http.StatusBadRequest)
		return
	}
	key := fmt.Sprintf("sku-%04d", id)
	n := v.requests.Add(1)
	if v.isWrite(n) {
		if err := v.cache.Put(key, 100+n%900); err != nil {
			fail(w, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	row, err := v.cache.Get(key)
	if err != nil {
		fail(w, err)
		return
	}
	body, err := rebuilt(row.Body, v.garbage)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

// isWrite spreads the writes evenly: every fourth request for a share of 0.25.
func (v *variant) isWrite(n int64) bool {
	return int64(float64(n)*v.writes) != int64(float64(n-1)*v.writes)
}

func fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, lookup.ErrNotFound) {
		status = http.StatusNotFound
	}
	http.Error(w, err.Error(), status)
}

// rebuilt decodes and encodes a body so many times, as a service does whose layers
// hand each other bytes.
func rebuilt(body []byte, times int) ([]byte, error) {
	for range times {
		var fields map[string]any
		if err := json.Unmarshal(body, &fields); err != nil {
			return nil, err
		}
		var err error
		if body, err = json.Marshal(fields); err != nil {
			return nil, err
		}
	}
	return body, nil
}
