package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestGuard(t *testing.T) {
	names := map[string][]string{
		"dev.internal": {"10.1.2.3", "fd00::17"}, "example.com": {"93.184.216.34"},
		"mixed.test": {"192.168.1.1", "2606:2800:21f:cb07::1"}, "empty.test": {},
		"many.test": {"8.8.4.1", "8.8.4.2", "8.8.4.3", "8.8.4.4", "8.8.4.5", "8.8.4.6"},
	}
	for _, test := range []struct {
		url     string
		allowed []string
		code    int // 0: allowed
		says    string
	}{
		{"http://127.0.0.1:8080/", nil, 0, ""},
		{"http://127.9.9.9/", nil, 0, ""},
		{"http://localhost:1/", nil, 0, ""},
		{"http://LocalHost:1/", nil, 0, ""},
		{"http://[::1]:80/", nil, 0, ""},
		{"http://0.0.0.0:80/", nil, 0, ""},
		{"http://10.0.0.1/", nil, 0, ""},
		{"http://172.16.0.1/", nil, 0, ""},
		{"http://172.31.255.255/", nil, 0, ""},
		{"http://172.32.0.1/", nil, exitUsage, "--i-may-load 172.32.0.1"},
		{"http://192.168.7.7/", nil, 0, ""},
		{"http://169.254.1.1/", nil, 0, ""},
		{"http://[fe80::1%25eth0]/", nil, 0, ""},
		{"http://[fd12:3456::1]/", nil, 0, ""},
		{"http://[::ffff:10.0.0.1]/", nil, 0, ""},
		{"http://[::ffff:8.8.8.8]/", nil, exitUsage, "public address"},
		{"http://[2001:db8::1]/", nil, exitUsage, "--i-may-load 2001:db8::1"},
		{"http://[2001:db8::1]/", []string{"2001:db8::1"}, 0, ""},
		{"http://[2001:db8::1]/", []string{"[2001:db8::1]"}, 0, ""},
		{"http://100.64.0.1/", nil, exitUsage, "refused"}, // carrier-grade NAT is somebody else's
		{"http://192.0.2.1/", nil, exitUsage, "drive load at 192.0.2.1: refused: it is a public address"},
		{"http://192.0.2.1/", []string{"192.0.2.1"}, 0, ""},
		{"http://192.0.2.1/", []string{"192.0.2.11"}, exitUsage, "refused"},
		{"http://dev.internal/", nil, 0, ""},
		{"http://example.com/", nil, exitUsage, "it resolves to 93.184.216.34, not only to private addresses"},
		{"http://example.com/", []string{"a.test", "EXAMPLE.com"}, 0, ""},
		{"http://www.example.com/", []string{"example.com"}, exitFailed, `look up the host "www.example.com"`},
		{"http://127.0.0.1@example.com/", nil, exitUsage, "example.com"},
		{"http://mixed.test/", nil, exitUsage, "192.168.1.1, 2606:2800:21f:cb07::1"},
		{"http://many.test/", nil, exitUsage, "8.8.4.4 and 2 more"},
		{"http://empty.test/", nil, exitFailed, "no address"},
		{"http://nosuch.test/", nil, exitFailed, "no such host"},
	} {
		asked := 0
		g := guard{test.allowed, func(_ context.Context, host string) ([]netip.Addr, error) {
			asked++
			list, ok := names[host]
			if !ok {
				return nil, errors.New("no such host")
			}
			var out []netip.Addr
			for _, a := range list {
				out = append(out, netip.MustParseAddr(a))
			}
			return out, nil
		}}
		// Twice the same host is one question.
		plan := unpark.Plan{Requests: []unpark.Request{{URL: test.url}, {URL: test.url}}}
		err := g.admit(t.Context(), &plan)
		var s status
		if errors.As(err, &s); s.code != test.code {
			t.Errorf("%s allowed %v: %v, want exit status %d", test.url, test.allowed, err, test.code)
		} else if err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %q does not say %q", test.url, err, test.says)
		}
		if asked > 1 {
			t.Errorf("%s: resolved %d times", test.url, asked)
		}
	}
}

// TestGuardLooksAtEveryHost: one good host does not vouch for the next.
func TestGuardLooksAtEveryHost(t *testing.T) {
	g := guard{resolve: func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("not asked") }}
	err := g.admit(t.Context(), &unpark.Plan{Requests: []unpark.Request{{URL: "http://127.0.0.1/"}, {URL: "http://192.0.2.7/"}}})
	if err == nil || !strings.Contains(err.Error(), "--i-may-load 192.0.2.7") {
		t.Errorf("got %v", err)
	}
}

// TestGuardKeepsAddresses: what is dialled is what was checked.
func TestGuardKeepsAddresses(t *testing.T) {
	names := map[string][]netip.Addr{
		"dev.internal": {netip.MustParseAddr("10.1.2.3"), netip.MustParseAddr("fd00::17")},
		"localhost":    {netip.MustParseAddr("93.184.216.34")}, // by a name server that lies
		"LOCALHOST":    {netip.MustParseAddr("::1"), netip.MustParseAddr("10.0.0.1")},
	}
	g := guard{[]string{"allowed.test"}, func(_ context.Context, host string) ([]netip.Addr, error) { return names[host], nil }}
	var plan unpark.Plan
	for _, u := range []string{"http://dev.internal:1/", "https://dev.internal/", "http://localhost/", "http://LOCALHOST/", "http://allowed.test/", "http://127.0.0.1/", "unix:///x:/"} {
		plan.Requests = append(plan.Requests, unpark.Request{URL: u})
	}
	if err := g.admit(t.Context(), &plan); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(plan.Hosts), "map[LOCALHOST:[::1] dev.internal:[10.1.2.3 fd00::17] localhost:[127.0.0.1 ::1]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
