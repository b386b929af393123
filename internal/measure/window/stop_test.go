package window

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	netpprof "net/http/pprof"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

var errStopped = errors.New("stopped by the test")

// interrupted measures a window of a minute that is ended after a second.
func interrupted(t *testing.T, e *Endpoint) (Contents, time.Duration) {
	t.Helper()
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	var at time.Time
	o := Options{
		Name: "window-01", Duration: time.Minute, Endpoints: []*Endpoint{e}, Create: (&discarded{}).Create,
		Progress: func(string, time.Duration) {
			time.AfterFunc(time.Second, func() { at = time.Now(); stop(errStopped) })
		},
	}
	c, err := Measure(ctx, o)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Measure of a window that was ended: %v", err)
	}
	return c, time.Since(at)
}

// served is the endpoint of a server over some transport.
func served(t *testing.T, over string, h http.Handler) *Endpoint {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	switch over {
	case "http":
		server.Start()
	case "https":
		server.StartTLS()
	case "unix":
		server.Listener.Close()
		l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
		if err != nil {
			t.Fatal(err)
		}
		server.Listener = l
		server.Start()
		server.URL = "unix://" + l.Addr().String()
	}
	t.Cleanup(server.Close)
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if over == "https" {
		e.client.Transport.(*http.Transport).TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	}
	return e
}

// A window that is ended before its time has the CPU profile of the time until then.
func TestStoppedKeepsCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("holds windows")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", netpprof.Index)
	mux.HandleFunc("/debug/pprof/profile", netpprof.Profile)
	for _, over := range []string{"http", "https", "unix"} {
		t.Run(over, func(t *testing.T) {
			profiler(t)()
			burn(t)
			c, _ := interrupted(t, served(t, over, mux))
			for _, f := range c.Window.Profiles {
				if f.Kind == unpark.KindCPU && f.State != unpark.Present {
					t.Errorf("the CPU profile is %s: %s", f.State, f.Note)
				}
			}
			if len(c.Profiles[unpark.KindCPU]) != 1 {
				t.Fatalf("%d CPU profiles, want the window's one", len(c.Profiles[unpark.KindCPU]))
			}
			p := c.Profiles[unpark.KindCPU][0]
			if d := p.Duration(); d < 500*time.Millisecond || d > 10*time.Second || len(p.Samples()) == 0 {
				t.Errorf("it lasts %v and has %d stacks, want about the second until the window was ended", d, len(p.Samples()))
			}
			if s := c.Window.Seconds(); s < 0.5 || s > 10 {
				t.Errorf("the window lasted %.2f s", s)
			}
		})
	}
}

// An endpoint that does not answer before its time is left, and the profile says why there is none.
func TestStoppedWithoutAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("holds a window")
	}
	t.Parallel()
	over := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", netpprof.Index)
	mux.HandleFunc("/debug/pprof/profile", func(w http.ResponseWriter, _ *http.Request) {
		<-over
		_, _ = io.WriteString(w, "too late")
	})
	e := newTestEndpoint(t, mux)
	t.Cleanup(func() { close(over) })
	c, took := interrupted(t, e)
	if took > stragglers+10*time.Second {
		t.Errorf("the window ended %v after it was to", took)
	}
	for _, f := range c.Window.Profiles {
		if f.Kind == unpark.KindCPU && (f.State != unpark.Bad || !strings.Contains(f.Note, errStopped.Error())) {
			t.Errorf("the CPU profile is %s: %s; want a bad one, with why", f.State, f.Note)
		}
	}
}
