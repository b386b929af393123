package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/doctor"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// endpoint is a profiling endpoint that answered.
type endpoint struct{ *window.Endpoint }

// endpointAt asks an address whether it is one.
func endpointAt(ctx context.Context, address string) (endpoint, bool) {
	e, err := window.NewEndpoint(address, os.Getenv("UNPARK_PROBE_TOKEN"))
	if err != nil {
		return endpoint{}, false
	}
	return endpoint{e}, e.Probe(ctx) == nil
}

// reachable is a listener's address as a client on this machine asks it.
func reachable(listener string) string {
	a, err := netip.ParseAddrPort(listener)
	if err != nil || !a.Addr().IsUnspecified() {
		return listener
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(int(a.Port())))
}

// byEndpoint looks at an endpoint, and at its process where that is on this machine.
func byEndpoint(ctx context.Context, files doctor.Files, address string) []doctor.Reading {
	e, err := window.NewEndpoint(address, os.Getenv("UNPARK_PROBE_TOKEN"))
	if err == nil {
		err = e.Probe(ctx)
	}
	if err != nil {
		return []doctor.Reading{{
			Group: doctor.Target, Name: "endpoint", State: doctor.Bad, Text: address + " does not answer as one", Why: err.Error(),
			Cure: "is the service running, and does it serve net/http/pprof there? a token goes into UNPARK_PROBE_TOKEN",
		}}
	}
	found := endpoint{e}
	if e.PID == 0 {
		e.PID, _ = sockets.Listening(e.Hostport())
	}
	known := false
	var out []doctor.Reading
	if e.PID > 0 && e.Info == nil {
		if p, all := files.ReadProcess(e.PID, os.Getuid()); p.Build != nil {
			out, known = all, true
		}
	}
	return append(out, found.readings(ctx, !known)...)
}

// readings says what can be had from the endpoint; version asks for its Go as well.
func (e endpoint) readings(ctx context.Context, version bool) []doctor.Reading {
	kind := "net/http/pprof"
	if e.Info != nil {
		kind = "unpark's probe"
	}
	out := []doctor.Reading{{Name: "endpoint", State: doctor.OK, Text: kind + " at " + e.Address}}
	switch {
	case e.Info != nil:
		out = append(out, doctor.GoReading(e.Info.Go, e.Info.Module))
	case version:
		out = append(out, doctor.GoReading(e.traced(ctx), ""))
	}
	out = append(out, e.rates(ctx), e.deltas(ctx))
	if e.Hostport() != "" && e.Info == nil {
		out = append(out, e.port(ctx))
	}
	for i := range out {
		out[i].Group = doctor.Target
	}
	return out
}

// traced returns the release that the header of an execution trace names ("go 1.26
// trace"): net/http/pprof has no other page that tells it.
func (e endpoint) traced(ctx context.Context) string {
	body, err := e.Read(ctx, unpark.Kind("trace?seconds=0.01"), 0)
	if err != nil {
		return ""
	}
	head, _, _ := bytes.Cut(body[:min(len(body), 16)], []byte(" trace"))
	return string(head)
}

// rates says whether locks and blocking are recorded.
func (e endpoint) rates(ctx context.Context) doctor.Reading {
	r := doctor.Reading{Name: "rates", State: doctor.OK}
	if e.Info != nil {
		r.Text = "set by the probe for each window, and put back"
		return r
	}
	body, err := e.Read(ctx, unpark.Kind("mutex?debug=1"), 0)
	_, rest, ok := strings.Cut(string(body), "sampling period=")
	digits, _, _ := strings.Cut(rest, "\n")
	fraction, parsed := strconv.Atoi(strings.TrimSpace(digits))
	switch {
	case err != nil || !ok || parsed != nil:
		r.State, r.Text, r.Why = doctor.Unknown, "unknown", "the mutex profile does not tell its rate"
	case fraction == 0:
		r.State, r.Text, r.Value, r.Unit = doctor.Warn, "the mutex profile is off", unpark.Num(0), "fraction"
		r.Why = "locks are then seen in goroutine snapshots and traces only; whether the block profile is on, no page tells"
		r.Cure = "call runtime.SetMutexProfileFraction(1) and runtime.SetBlockProfileRate(1_000_000) in the service, or use the probe: it sets them while a window lasts"
	default:
		r.Text, r.Value, r.Unit = fmt.Sprintf("mutex 1 in %d; whether the block profile is on, no page tells", fraction), unpark.Num(float64(fraction)), "fraction"
	}
	return r
}

// deltas asks for a difference over a second, of the profile that costs least.
func (e endpoint) deltas(ctx context.Context) doctor.Reading {
	r := doctor.Reading{Name: "deltas", State: doctor.OK, Text: "profiles over an interval (?seconds=N) are answered"}
	if _, err := e.Read(ctx, unpark.Kind("threadcreate?seconds=1"), 0); err != nil {
		r.State, r.Text, r.Why = doctor.Warn, "no profiles over an interval", err.Error()
		r.Cure = "unpark subtracts by itself; a proxy or middleware in between may end long answers: ask the service directly"
	}
	return r
}

// port says whether others than the owner of the service can read its profiles.
func (e endpoint) port(ctx context.Context) doctor.Reading {
	r := doctor.Reading{Name: "port", State: doctor.OK, Text: e.Hostport() + " serves profiles and nothing else that was seen"}
	base, err := serves(ctx, "http://"+e.Hostport()+"/")
	if err != nil {
		r.State, r.Text, r.Why = doctor.Unknown, "unknown", err.Error()
		return r
	}
	host, _, _ := net.SplitHostPort(e.Hostport())
	addr, err := netip.ParseAddr(host)
	remote := err != nil && host != "localhost" || err == nil && !addr.IsLoopback()
	switch {
	case base != http.StatusNotFound:
		r.State, r.Text = doctor.Warn, e.Hostport()+" is the service's own port"
		r.Why = fmt.Sprintf("/ answers there too (%d): all who can use the service can read its memory and its goroutines", base)
	case remote:
		r.State, r.Text = doctor.Warn, e.Hostport()+" is reached from elsewhere"
		r.Why = "all who reach it can read the service's memory and its goroutines"
	default:
		return r
	}
	r.Cure = "serve net/http/pprof on a listener of its own, on 127.0.0.1"
	return r
}

// serves returns the status of a page.
func serves(ctx context.Context, address string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("ask for /: %w", err)
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, 4096)
	return resp.StatusCode, nil
}
