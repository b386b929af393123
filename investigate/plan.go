package investigate

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/load"
)

// plan completes the load plan with the address that was found.
func (r *runner) plan(ctx context.Context) error {
	plan := r.c.Plan
	switch plan.Mode {
	case unpark.NoLoad:
		return nil
	case unpark.External:
		return r.address(ctx)
	}
	base := ""
	if len(plan.Requests) == 0 {
		port, err := r.port(ctx)
		if err != nil {
			return err
		}
		base = "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		plan.Requests = []unpark.Request{{Method: "GET", URL: base + "/" + strings.TrimPrefix(r.c.Path, "/")}}
	} else if u, err := url.Parse(plan.Requests[0].URL); err == nil {
		base = u.Scheme + "://" + u.Host
	}
	if r.c.Prepare != nil {
		prepared, err := r.c.Prepare(ctx, base, plan)
		if err != nil {
			return err
		}
		plan = prepared
	}
	r.run.Plan, r.run.Target.URL = plan, plan.Requests[0].URL
	return load.Check(ctx, plan)
}

// settled is how long the target must keep to its one port, and settling how long
// it may take until it does: services open ports while they start that they close
// again (to measure themselves, to see whether they run already).
const (
	settled  = 300 * time.Millisecond
	settling = 10 * time.Second
)

// port finds the one port that the target listens on.
func (r *runner) port(ctx context.Context) (int, error) {
	var since time.Time
	last := 0
	for deadline := time.Now().Add(settling); ; {
		ports, err := r.target.Ports()
		switch {
		case err != nil:
			return 0, fmt.Errorf("find the target's port: %w: name its address with --url", err)
		case len(ports) != 1:
			last = 0
		case ports[0] != last:
			last, since = ports[0], time.Now()
		case time.Since(since) >= settled:
			return last, nil
		}
		if time.Now().After(deadline) {
			return 0, fmt.Errorf("find the target's address: it listens on %d ports %v: name the one to load with --url", len(ports), ports)
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-r.died():
			return 0, r.alive()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
