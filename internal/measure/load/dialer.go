package load

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

// maxSocketName is the longest name of a unix socket, in bytes: sun_path has 108 on
// Linux and 104 elsewhere, with the zero at the end.
const maxSocketName = 103

// dialer reaches the hosts of a plan.
type dialer struct {
	hosts map[string][]netip.Addr // unpark.Plan.Hosts
}

// Dial returns how the host of one request of a plan is reached, whatever address is
// asked for: its unix socket, or the addresses that the plan has for its name. Without
// a request, and where the plan has no address for the host, names are looked up.
func Dial(plan unpark.Plan) func(ctx context.Context, network, addr string) (net.Conn, error) {
	d := dialer{plan.Hosts}
	if len(plan.Requests) > 0 {
		if socket, _, ok := unpark.SplitUnix(plan.Requests[0].URL); ok {
			return d.to(&kind{socket: socket})
		}
	}
	return d.dial
}

// parseURL reads where a kind of request goes. Errors have no part of the URL that may
// be secret.
func (k *kind) parseURL(address string) (*url.URL, error) {
	k.shown = unpark.RedactURL(address)
	if strings.HasPrefix(address, unpark.Unix) {
		var target string
		var ok bool
		if k.socket, target, ok = unpark.SplitUnix(address); !ok {
			return nil, fmt.Errorf("requests: URL %q: a colon parts the socket from the request, such as unix:///run/app.sock:/path", k.shown)
		}
		if len(k.socket) > maxSocketName {
			return nil, fmt.Errorf("requests: URL %q: the name of a socket has %d bytes at most: use a shorter path, such as a link to it", k.shown, maxSocketName)
		}
		address = "http://localhost" + target
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("requests: URL %q: %w; write one such as http://127.0.0.1:8080/path", k.shown, unpark.RedactParse(address, err))
	}
	if u.Scheme != "http" && u.Scheme != "https" && !overGRPC(u) || u.Hostname() == "" {
		return nil, fmt.Errorf("requests: URL %q: needs http://, https://, grpc://, grpcs:// or unix:// and a host, such as http://127.0.0.1:8080/path", k.shown)
	}
	k.url, u.Fragment = u, ""
	return u, nil
}

// address returns the network of a kind of request and the address in it.
func (k *kind) address() (network, addr string) {
	if k.socket != "" {
		return "unix", k.socket
	}
	return "tcp", net.JoinHostPort(k.url.Hostname(), port(k))
}

// to returns how a transport reaches a kind of request.
func (d dialer) to(k *kind) func(ctx context.Context, network, addr string) (net.Conn, error) {
	if k.socket == "" {
		return d.dial
	}
	return func(ctx context.Context, _, _ string) (net.Conn, error) { return d.dial(ctx, "unix", k.socket) }
}

// lookUp returns the addresses of a host: those that were checked, where they were. A
// second answer of a name server may be another one (DNS rebinding).
func (d dialer) lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	if known := d.hosts[host]; len(known) > 0 {
		return known, nil
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// dial tries one address after the other, each for its part of the time that is left
// (as net.Dialer does for what a name server answers).
func (d dialer) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	by := net.Dialer{KeepAlive: -1} // probes of idle connections are system calls for nothing here
	host, service, err := net.SplitHostPort(addr)
	if network == "unix" || err != nil || len(d.hosts[host]) == 0 {
		return by.DialContext(ctx, network, addr)
	}
	var first error // as net.Dialer has it
	left := d.hosts[host]
	for i, a := range left {
		part, cancel := partOf(ctx, len(left)-i)
		c, err := by.DialContext(part, network, net.JoinHostPort(a.String(), service))
		cancel()
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// partOf bounds ctx to one of n equal parts of the time that is left.
func partOf(ctx context.Context, n int) (context.Context, context.CancelFunc) {
	end, bounded := ctx.Deadline()
	if !bounded || n < 2 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/time.Duration(n))
}
