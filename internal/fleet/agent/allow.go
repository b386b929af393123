package agent

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// allowed decides what a task may make this machine talk to: hosts that the coordinator's
// user named for the load, and that this agent's own list permits. Names are looked up here,
// and what was checked is what is dialled.
func (a *Agent) allowed(ctx context.Context, t *wire.Task) error {
	if t.Plan == nil {
		return nil
	}
	if t.Plan.Hosts == nil {
		t.Plan.Hosts = map[string][]netip.Addr{}
	}
	for _, r := range t.Plan.Plan.Requests {
		if strings.HasPrefix(r.URL, unpark.Unix) {
			continue
		}
		u, err := url.Parse(r.URL)
		if err != nil {
			return fmt.Errorf("load: a URL of the plan cannot be read: %w", unpark.RedactParse(r.URL, err))
		}
		host := u.Hostname()
		if !slices.ContainsFunc(t.Hosts, func(h string) bool { return strings.EqualFold(h, host) }) {
			return fmt.Errorf("load %s: refused: the coordinator's user has not named this host", host)
		}
		addrs, err := a.permit(ctx, host)
		if err != nil {
			return fmt.Errorf("load %w", err)
		}
		if _, ok := t.Plan.Hosts[host]; !ok || len(addrs) > 0 {
			t.Plan.Hosts[host] = addrs
		}
		if len(t.Plan.Hosts[host]) == 0 {
			delete(t.Plan.Hosts, host)
		}
	}
	return nil
}

// permit returns the addresses of a host that the list permits; nil of one that is an address.
func (a *Agent) permit(ctx context.Context, host string) ([]netip.Addr, error) {
	named := slices.ContainsFunc(a.o.Allow, func(h string) bool { return strings.EqualFold(strings.Trim(h, "[]"), host) })
	if addr, err := netip.ParseAddr(host); err == nil {
		if named || near(addr) {
			return nil, nil
		}
		return nil, refuse(host, "it is a public address")
	}
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("%s: look up the host there: %w", host, err)
	}
	if !named {
		for _, addr := range addrs {
			if !near(addr) {
				return nil, refuse(host, "it resolves to "+addr.Unmap().String()+", which is not private")
			}
		}
	}
	return addrs, nil
}

func refuse(host, why string) error {
	return fmt.Errorf("%s: refused by its own list: %s; nothing was sent. If it may ask this host, start that agent with --allow %s", host, why, host)
}

// near reports whether an address can only be this machine, its network or a private one.
func near(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified()
}
