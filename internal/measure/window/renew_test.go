package window

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// leasing is a probe that says which renewals it was asked for.
func leasing(t *testing.T, id string) (*Endpoint, chan string) {
	t.Helper()
	asked := make(chan string, 10)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/unpark/lease", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "{\"granted\":true,\"block_ns\":0,\"mutex_fraction\":1,\"notes\":[%q],\"id\":%q}\n", r.URL.Query().Get("ttl"), id)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/debug/unpark/lease/renew", func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.RawQuery })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	e.Info = &Info{}
	return e, asked
}

// next waits for a renewal.
func next(t *testing.T, asked <-chan string) string {
	t.Helper()
	select {
	case query := <-asked:
		return query
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was renewed")
		return ""
	}
}

// A run of two days holds its rates to the end, in terms of minutes.
func TestLeaseIsKept(t *testing.T) {
	e, asked := leasing(t, "a b")
	s := Stand(context.Background(), []*Endpoint{e}, Rates{Mutex: 1}, 48*time.Hour)
	if len(s.leases) != 1 || s.leases[0].Notes[0] != "86400" {
		t.Fatalf("%+v", s)
	}
	const want = "id=a+b&ttl=600"
	if got := next(t, asked); got != want {
		t.Errorf("renewed by %q, want %q", got, want)
	}
	s.Release()
	if s.leases != nil {
		t.Error("it is held on")
	}

	ctx, cancel := context.WithCancel(context.Background())
	tick, done := make(chan time.Time), make(chan struct{})
	go func() { e.keep(ctx, "x", tick); close(done) }()
	for range 3 {
		next(t, asked)
		tick <- time.Time{}
	}
	next(t, asked)
	cancel()
	<-done
}

func TestOlderProbeIsNotRenewed(t *testing.T) {
	e, asked := leasing(t, "")
	l, err := e.lease(context.Background(), Rates{Mutex: 1}, 90*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer l.end()
	if l.Notes[0] != "91" || len(asked) != 0 {
		t.Errorf("for %s s, %d renewals", l.Notes[0], len(asked))
	}
}
