package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

const (
	checkTimeout = 10 * time.Second // of one request, when the plan allows more
	excerpt      = 200              // bytes of an unexpected answer that are shown
	// A target that is up and not ready yet answers 503 for a while.
	readyWithin = 3 * time.Second
	readyEvery  = 200 * time.Millisecond
)

// Check sends one request of each kind of the plan, over one connection, and
// joins what went wrong: a target that refuses, does not answer in time, has a
// certificate that cannot be verified, or answers with a status that the plan
// does not expect. One that is not ready yet, by status 503 over HTTP, is asked again
// for some seconds. Each error names the request and a cure; errors of one cause
// are reported once. A plan that Start would reject is rejected here too.
func Check(ctx context.Context, plan unpark.Plan) error {
	s, err := newSettings(plan)
	if err != nil {
		return err
	}
	if s.protocol == protoGRPC {
		return errors.Join(checkGRPC(ctx, s)...)
	}
	transports := map[string]*http.Transport{}
	defer func() {
		for _, t := range transports {
			t.CloseIdleConnections()
		}
	}()
	var found []error
	seen := map[string]bool{}
	began := time.Now()
	for i := range s.kinds {
		k := &s.kinds[i]
		if transports[k.socket] == nil {
			transports[k.socket] = newTransport(s, s.dialer.to(k))
		}
		cause, err := checkReady(ctx, began, transports[k.socket], k, min(s.timeout, checkTimeout))
		if err == nil || seen[cause] {
			continue
		}
		if why := s.plainToTLS(ctx, k, cause); why != nil {
			err = why
		}
		seen[cause] = true
		found = append(found, fmt.Errorf("load: check %s: %w", k.name(), err))
	}
	return errors.Join(found...)
}

// unavailable is status 503, from a target that may be ready in a moment.
const unavailable = failStatus + " 503"

// checkReady is checkKind once the target, asked since began, is ready.
func checkReady(ctx context.Context, began time.Time, t *http.Transport, k *kind, timeout time.Duration) (cause string, err error) {
	for {
		cause, err = checkKind(ctx, t, k, timeout)
		switch {
		case !strings.HasPrefix(cause, unavailable):
			return cause, err
		case time.Since(began) >= readyWithin:
			return cause, fmt.Errorf("not ready within %v: %w", readyWithin, err)
		}
		select {
		case <-time.After(readyEvery):
		case <-ctx.Done():
			return "stopped", ctx.Err()
		}
	}
}

// checkKind returns what makes two errors the same, beside the error.
func checkKind(ctx context.Context, t *http.Transport, k *kind, timeout time.Duration) (cause string, err error) {
	timed, cancel := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer cancel()
	first, err := k.first()
	if err != nil {
		return "template " + k.name(), err
	}
	r := newRequest(timed, first)
	if r.GetBody != nil {
		r.Body, _ = r.GetBody()
	}
	resp, err := t.RoundTrip(r)
	var head []byte
	if err == nil {
		defer resp.Body.Close()
		head, err = io.ReadAll(io.LimitReader(resp.Body, excerpt))
	}
	if ctx.Err() != nil {
		return "stopped", ctx.Err()
	}
	if err != nil {
		if timed.Err() != nil {
			err = fmt.Errorf("%w (waited %v)", errTimeout, timeout)
		}
		kind := classify(err)
		return kind + " " + k.place(), fmt.Errorf("%w; %s", err, cureFor(kind, k))
	}
	if k.accepts(resp.StatusCode) {
		return "", nil
	}
	return fmt.Sprint(failStatus, " ", resp.StatusCode, " ", k.place(), k.url.Path), fmt.Errorf("%s, body %s; %s",
		unexpected(k, resp.StatusCode), strconv.QuoteToASCII(string(head)), statusCure(resp))
}

// first is the kind as its first request is sent, its templates filled in.
func (k *kind) first() (*kind, error) {
	if k.target == nil && k.payload == nil {
		return k, nil
	}
	first := *k
	if k.target != nil {
		at, err := url.ParseRequestURI(string(k.target.Append(nil, 0, 0)))
		if err != nil {
			return nil, fmt.Errorf("fill in the URL: %w; values in a URL have no blanks", err)
		}
		u := *k.url
		u.Path, u.RawPath, u.RawQuery = at.Path, at.RawPath, at.RawQuery
		first.url = &u
	}
	if k.payload != nil {
		first.body = k.payload.Append(nil, 0, 0)
	}
	return &first, nil
}

func statusCure(resp *http.Response) string {
	code := resp.StatusCode
	if location := resp.Header.Get("Location"); location != "" {
		return fmt.Sprintf("redirects are not followed: use the URL %q, or accept the status with --expect %d", unpark.RedactURL(location), code)
	}
	if code >= 500 {
		return fmt.Sprintf("the target fails: look at its log, or accept the status with --expect %d", code)
	}
	return fmt.Sprintf("check method, path and headers, or accept the status with --expect %d", code)
}

// cureFor says what to do about a failure.
func cureFor(kind string, k *kind) string {
	if k.socket != "" && (kind == failRefused || kind == failOther) {
		return "nothing that this user may talk to listens at the socket " + k.socket + ": is the target running, and is that the path it opened?"
	}
	switch kind {
	case failRefused:
		return "nothing listens there: is the target running, and is port " + port(k) + " right?"
	case failTimeout:
		return "the target accepts no connection or does not answer: is it still starting, or stuck? a longer --timeout waits for more"
	case failTLS:
		return "TLS failed: is it https on port " + port(k) + ", and is the certificate valid? it is verified unless the host is loopback"
	case failDNS:
		return "the name cannot be resolved: check the host " + strconv.Quote(k.url.Hostname())
	case failReset, failEOF:
		return "the target closed the connection without an answer: look at its log; does it expect https or another protocol?"
	case failProtocol:
		return "the answer is not the protocol of the plan: check the port and --protocol"
	case failPorts:
		return "this machine has no free local port: wait a minute for old connections to time out"
	case failDescriptors:
		return "too many open files: raise the limit (ulimit -n)"
	}
	return "check that the target can be reached from here"
}

// port returns the port that a request goes to.
func port(k *kind) string {
	if p := k.url.Port(); p != "" {
		return p
	}
	if k.url.Scheme == "https" {
		return "443"
	}
	return "80"
}

// newTransport returns a transport with one connection for each host that
// speaks the plan's protocol and no other.
func newTransport(s *settings, dial func(context.Context, string, string) (net.Conn, error)) *http.Transport {
	t := &http.Transport{
		DialContext:         dial,
		DisableCompression:  true, // an Accept-Encoding header is the user's choice
		MaxConnsPerHost:     1,
		MaxIdleConnsPerHost: 1,
		Protocols:           new(http.Protocols),
		TLSClientConfig:     &tls.Config{InsecureSkipVerify: onlyLoopback(s.kinds)}, //nolint:gosec // see loopback
	}
	switch s.protocol {
	case protoH2:
		t.Protocols.SetHTTP2(true)
	case protoH2C:
		t.Protocols.SetUnencryptedHTTP2(true)
	default:
		t.Protocols.SetHTTP1(true)
	}
	return t
}

func newRequest(ctx context.Context, k *kind) *http.Request {
	r := &http.Request{
		Method: k.method, URL: k.url, Host: k.host, Header: k.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	if len(k.body) > 0 {
		r.ContentLength = int64(len(k.body))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(k.body)), nil }
	}
	return r.WithContext(ctx)
}
