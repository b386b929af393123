package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

// lookupTimeout bounds how long a name server may take; the resolver's own
// patience is up to half a minute.
const lookupTimeout = 10 * time.Second

// guard keeps load away from hosts that nobody said may be loaded: a typing
// mistake must not hit somebody else's server.
type guard struct {
	allowed []string // host names that --i-may-load named
	resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

func newGuard(allowed []string) guard {
	return guard{allowed: allowed, resolve: func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}}
}

// admit returns an error for the first request whose host may not be loaded. No
// packet goes to any host before it has returned; a name is looked up unless it was
// allowed by name, and the plan is given the addresses that were checked: the next
// answer for the name may be another one.
func (g guard) admit(ctx context.Context, plan *unpark.Plan) error {
	plan.Hosts = map[string][]netip.Addr{}
	seen := map[string]bool{}
	for _, r := range plan.Requests {
		if strings.HasPrefix(r.URL, unpark.Unix) {
			continue
		}
		u, err := url.Parse(r.URL)
		if err != nil {
			return usage("--url %q: %w: write http://host:port/path", unpark.RedactURL(r.URL), unpark.RedactParse(r.URL, err))
		}
		host := u.Hostname()
		if seen[host] {
			continue
		}
		seen[host] = true
		addrs, err := g.host(ctx, host)
		if err != nil {
			return err
		}
		if addrs != nil {
			plan.Hosts[host] = addrs
		}
	}
	return nil
}

// host returns the addresses of a name that was looked up, nil for one that needs no
// looking up.
func (g guard) host(ctx context.Context, host string) ([]netip.Addr, error) {
	for _, a := range g.allowed {
		if strings.EqualFold(strings.Trim(a, "[]"), host) {
			return nil, nil
		}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if near(addr) {
			return nil, nil
		}
		return nil, refuse(host, nil)
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, err := g.resolve(ctx, host)
	if strings.EqualFold(host, "localhost") {
		return loopbacks(addrs), nil
	}
	if err == nil && len(addrs) == 0 {
		err = errors.New("the name has no address")
	}
	if err != nil {
		return nil, status{exitFailed, fmt.Errorf("look up the host %q: %w; check the name in the URL, or name an address such as 127.0.0.1", host, err)}
	}
	for _, a := range addrs {
		if !near(a) {
			return nil, refuse(host, addrs)
		}
	}
	return addrs, nil
}

// loopbacks are the addresses of localhost: those that were found and are of this
// machine. A machine without /etc/hosts asks a name server for it (RFC 6761 says what
// the answer must be).
func loopbacks(found []netip.Addr) []netip.Addr {
	found = slices.DeleteFunc(found, func(a netip.Addr) bool { return !a.Unmap().IsLoopback() })
	if len(found) == 0 {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	return found
}

// near reports whether an address can only be this machine, this network or a
// private one: loopback, RFC 1918, RFC 4193, link-local, and the unspecified
// address, which connects to this machine.
func near(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified()
}

// refuse says what the host is and how to allow it.
func refuse(host string, addrs []netip.Addr) error {
	const most = 4
	is := "it is a public address"
	if len(addrs) > 0 {
		var names []string
		for _, a := range addrs[:min(most, len(addrs))] {
			names = append(names, a.Unmap().String())
		}
		is = "it resolves to " + strings.Join(names, ", ")
		if n := len(addrs) - most; n > 0 {
			is += fmt.Sprintf(" and %d more", n)
		}
		is += ", not only to private addresses"
	}
	return usage("drive load at %s: refused: %s; nothing was sent. If you may load this host, add --i-may-load %s", host, is, host)
}
