package window

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
)

// profiledUntil is read of a CPU profile that ends when ctx does, and is of the time until then.
//
// A request that is given up loses its profile: net/http/pprof writes it when its time is over. Instead the connection is
// closed in one direction. The server finds that nothing more can come, which ends the context of the request, so that
// the handler stops sampling (net/http/pprof.sleep; the probe and the reader of processes do so too), and answers in the other
// direction. Where something between them takes that for a client that is gone, the profile is lost, as it was before.
func profiledUntil(ctx context.Context, e *Endpoint, seconds float64, hertz int) ([]byte, error) {
	held, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	once := *e
	out := &outgoing{}
	once.client = out.client(e.client)
	defer once.Close()
	defer context.AfterFunc(ctx, func() {
		if !out.end() {
			cancel()
			return
		}
		t := time.NewTimer(stragglers)
		defer t.Stop()
		select {
		case <-t.C:
			cancel()
		case <-held.Done():
		}
	})()
	body, _, err := read(held, &once, unpark.KindCPU, seconds, hertz)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("the window was ended, and %s gave no CPU profile of the time until then: %w", e.Address, context.Cause(ctx))
	}
	return body, err
}

// outgoing is the direction of a connection in which requests go.
type outgoing struct {
	mu   sync.Mutex
	conn net.Conn
	over bool
}

// client is like another, but makes one connection for itself, whose requests can be ended.
func (o *outgoing) client(like *http.Client) *http.Client {
	t := like.Transport.(*http.Transport).Clone()
	t.DisableKeepAlives = true
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.over {
			c.Close()
			return nil, net.ErrClosed
		}
		o.conn = c
		return c, nil
	}
	return &http.Client{Transport: t, CheckRedirect: like.CheckRedirect}
}

// end closes the direction, and reports whether there was one that could be closed alone.
func (o *outgoing) end() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	c, ok := o.conn.(interface{ CloseWrite() error })
	return ok && c.CloseWrite() == nil
}
