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
	"github.com/unpark-go/unpark/internal/measure/load"
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
		var err error
		if base, err = r.found(ctx); err != nil {
			return err
		}
		plan.Requests = []unpark.Request{{Method: "GET", URL: base + "/" + strings.TrimPrefix(r.c.Path, "/")}}
	} else if socket, _, ok := unpark.SplitUnix(plan.Requests[0].URL); ok {
		base = unpark.Unix + socket + ":"
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
	r.settle(plan)
	r.run.Target.URL = r.run.Plan.Requests[0].URL
	return load.Check(ctx, plan)
}

// settle notes the plan that is driven, and what may be shown of it.
func (r *runner) settle(plan unpark.Plan) { r.driven, r.run.Plan = plan, plan.Redacted() }

// settled is how long the target must keep to its one port, and settling how long
// it may take until it does: services open ports while they start that they close
// again (to measure themselves, to see whether they run already).
const (
	settled  = 300 * time.Millisecond
	settling = 10 * time.Second
)

// found returns the one address that the target listens at, as the beginning of a URL
// without a slash at the end.
func (r *runner) found(ctx context.Context) (string, error) {
	var since time.Time
	last := ""
	for deadline := time.Now().Add(settling); ; {
		ports, err := r.target.Ports()
		if err != nil {
			return "", fmt.Errorf("find the target's port: %w: name its address with --url", err)
		}
		var sockets []string
		if len(ports) == 0 {
			sockets, _ = r.target.Sockets()
		}
		base := only(ports, sockets)
		switch {
		case base != last:
			last, since = base, time.Now()
		case base != "" && time.Since(since) >= settled:
			return base, nil
		}
		if time.Now().After(deadline) {
			return "", ambiguous(ports, sockets)
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-r.died():
			return "", r.alive()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// only returns the address of a target that listens at one place; empty when there are
// several, or none. A socket counts where there is no port: target.WaitReady has waited
// for one.
func only(ports []int, sockets []string) string {
	switch {
	case len(ports) == 1:
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[0]))
	case len(ports) == 0 && len(sockets) == 1:
		return unpark.Unix + sockets[0] + ":"
	}
	return ""
}

// ambiguous says where a target listens that does so at several places, or at none.
func ambiguous(ports []int, sockets []string) error {
	if len(ports) > 0 || len(sockets) == 0 {
		return fmt.Errorf("find the target's address: it listens on %d ports %v: name the one to load with --url", len(ports), ports)
	}
	var urls []string
	for _, socket := range sockets {
		urls = append(urls, "--url "+unpark.UnixURL(socket, "/"))
	}
	return fmt.Errorf("find the target's address: it listens on no TCP port and on %d unix sockets: name the one to load: %s", len(sockets), strings.Join(urls, ", or "))
}
