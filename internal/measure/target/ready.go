package target

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
)

// WaitReady waits until the target answers at an HTTP or HTTPS URL, or at one of a
// unix socket (unpark.SplitUnix), with any status; with an empty address until one of its
// processes listens on a TCP port, or for two seconds on a unix socket and no port: the
// socket may be of an administrator, and the port comes once the data is loaded.
// ctx says for how long. Errors tell a target that ended (how, its last lines)
// from one that never got ready (what was tried, how often, the last failure),
// and wrap ctx's error in the second case.
func (t *Target) WaitReady(ctx context.Context, address string) error {
	w := waiter{target: t, url: unpark.RedactURL(address), began: time.Now()}
	try := w.listens
	if address != "" {
		ask, err := readyURL(address)
		if err != nil {
			return err
		}
		client, done := readyClient(t.dial)
		if socket, _, ok := unpark.SplitUnix(address); ok {
			client, done = readyClient(func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", socket)
			})
		}
		defer done()
		try = func(ctx context.Context) error { return client.asks(ctx, ask) }
	}
	// Short at first, because a Go service is ready in milliseconds; then rare,
	// because asking costs the target something.
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 250*time.Millisecond) {
		err := try(ctx)
		select {
		case <-t.Done():
			// What answered then was not the target, or is not any more.
			return w.exited()
		default:
		}
		if err == nil || errors.Is(err, errors.ErrUnsupported) {
			return err // not to be found out on this system: no use in waiting
		}
		if ctx.Err() == nil || w.last == nil {
			w.last = err
		}
		w.tries++
		timer := time.NewTimer(pause)
		select {
		case <-t.Done():
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return w.never(ctx)
		}
		timer.Stop()
	}
}

// waiter is one wait for readiness.
type waiter struct {
	target *Target
	url    string // as it may be shown
	began  time.Time
	tries  int
	local  time.Time // since when it listens on unix sockets alone
	last   error     // of the last try that ctx did not cut short
}

func (w *waiter) listens(context.Context) error {
	ports, err := w.target.Ports()
	if err != nil {
		return err
	}
	if len(ports) > 0 {
		return nil
	}
	paths, err := w.target.Sockets()
	switch {
	case err != nil || len(paths) == 0:
		w.local = time.Time{}
		return errors.New("no process of it listens on a TCP port or a unix socket")
	case w.local.IsZero():
		w.local = time.Now()
	}
	if time.Since(w.local) < w.target.portTime {
		return fmt.Errorf("it listens on the unix socket %s, and may open a port", paths[0])
	}
	return nil
}

// inUse is how net.Listen reports a port that is taken.
var inUse = regexp.MustCompile(`listen tcp[46]? (\S*:\d+): bind: address already in use`)

// exited says how the target ended before it was ready.
func (w *waiter) exited() error {
	cure := w.target.EndCure()
	if m := inUse.FindStringSubmatch(w.target.LastOutput()); m != nil {
		cure = "another process holds " + m[1] + ": stop that one, or give the target another port"
		if pid, ok := sockets.Listening(m[1]); ok && pid > 0 {
			cure = fmt.Sprintf("process %d holds %s: stop that one, or give the target another port", pid, m[1])
		}
	}
	return fmt.Errorf("the target ended before it was ready: %w: %s; %s", w.target.ExitError(), cure, w.output())
}

// never says what was tried in vain.
func (w *waiter) never(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("wait until the target is ready: %w", ctx.Err())
	}
	what := "a look for a TCP port or a unix socket that it listens on"
	cure := "start it by hand to see why, or name the URL it serves with --url"
	if w.url != "" {
		what = "GET " + w.url
		if ports, err := w.target.Ports(); err == nil && len(ports) > 0 {
			cure = fmt.Sprintf("it listens on TCP port %s: name the URL it serves with --url", join(ports))
		} else if paths, none := w.target.Sockets(); err == nil && none == nil && len(paths) > 0 {
			cure = fmt.Sprintf("it listens on no TCP port, and on the unix socket %s: name it with --url %s", strings.Join(paths, " and "), unpark.UnixURL(paths[0], "/"))
		} else if err == nil {
			cure = "it listens on no TCP port: start it by hand to see why"
		}
	}
	return fmt.Errorf("the target was not ready within %s: tried %s %d times, the last time: %w: %s; %s (%w)",
		time.Since(w.began).Round(100*time.Millisecond), what, w.tries, w.last, cure, w.output(), ctx.Err())
}

func (w *waiter) output() string {
	text := w.target.LastOutput()
	if text == "" {
		return "it printed nothing"
	}
	return "its last output:\n" + text
}

func join(ports []int) string {
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(ports), "[]")), ", ")
}

// readyURL returns the URL that net/http is to ask for.
func readyURL(text string) (string, error) {
	if _, target, ok := unpark.SplitUnix(text); ok {
		return "http://localhost" + target, nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", fmt.Errorf("wait until the target is ready: the URL %q: %w: write it like http://127.0.0.1:8080/", unpark.RedactURL(text), unpark.RedactParse(text, err))
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", fmt.Errorf("wait until the target is ready: the URL %q has no scheme http or https, or no host: write it like http://127.0.0.1:8080/", unpark.RedactURL(text))
	}
	u.User = nil // net/http would send it, and no load does
	return u.String(), nil
}

// readiness asks in HTTP/1.1, and a server that ends such connections in HTTP/2, which may be all that it speaks.
type readiness struct{ first, second http.Client }

// readyClient asks on a new connection each time, so that none stays open into
// the measurement, and takes any certificate: whether it is trusted is the load
// check's to say.
func readyClient(dial func(ctx context.Context, network, addr string) (net.Conn, error)) (r *readiness, done func()) {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	r = &readiness{}
	done = func() {}
	for i, c := range []*http.Client{&r.first, &r.second} {
		transport := &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				ctx, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				c, err := dial(ctx, network, addr)
				if err != nil {
					return nil, err
				}
				return &askingConn{Conn: c, asked: make(chan struct{})}, nil
			},
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		}
		if i == 1 {
			transport.Protocols = new(http.Protocols)
			transport.Protocols.SetUnencryptedHTTP2(true)
		}
		c.Transport = transport
		c.Timeout = 10 * time.Second // of one try: a first answer may be slow
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		before := done
		done = func() { before(); transport.CloseIdleConnections() }
	}
	return r, done
}

// asks returns nil when there is an answer, with any status.
func (r *readiness) asks(ctx context.Context, address string) error {
	err := answersHTTP(ctx, &r.first, address)
	// net/http ends a connection that does not begin as HTTP/2 does, without a word, where it serves that alone.
	if ended := errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET); ended && strings.HasPrefix(address, "http:") && answersHTTP(ctx, &r.second, address) == nil {
		return nil
	}
	return err
}

func answersHTTP(ctx context.Context, client *http.Client, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		// A server of HTTP/2 alone (h2c, gRPC) answers with a frame. It is up.
		if strings.Contains(err.Error(), "malformed HTTP") {
			return nil
		}
		// What net/http puts in front is the method and the whole URL.
		if whole, ok := errors.AsType[*url.Error](err); ok {
			err = whole.Err
		}
		return err
	}
	return response.Body.Close()
}

// askingConn hears nothing before it has asked. A server of HTTP/2 alone says its
// settings at once; net/http takes them for an answer to no request when they come
// before its request is written, and logs that.
type askingConn struct {
	net.Conn
	once  sync.Once
	asked chan struct{}
}

func (c *askingConn) Read(b []byte) (int, error) {
	<-c.asked
	return c.Conn.Read(b)
}

func (c *askingConn) Write(b []byte) (int, error) {
	defer c.once.Do(func() { close(c.asked) })
	return c.Conn.Write(b)
}

func (c *askingConn) Close() error {
	defer c.once.Do(func() { close(c.asked) })
	return c.Conn.Close()
}
