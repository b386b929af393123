package window

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// A window whose load ended is over then, and keeps its CPU profile.
func TestCut(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	server := httptest.NewServer(mux)
	defer server.Close()
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	cut := make(chan struct{})
	o := Options{
		Name: "window-01", Duration: 3 * time.Second, Trace: time.Second, Endpoints: []*Endpoint{e}, Cut: cut, Create: (&discarded{}).Create,
		Progress: func(phase string, _ time.Duration) {
			if phase != "window" {
				t.Errorf("phase %q of a window that was cut", phase)
			}
			time.AfterFunc(500*time.Millisecond, func() { close(cut) })
		},
	}
	c, err := Measure(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Window.Seconds(); s < 0.4 || s > 2.9 {
		t.Errorf("the window lasted %.2f s", s)
	}
	for _, f := range c.Window.Profiles {
		switch {
		case f.Kind == unpark.KindTrace:
			t.Error("a trace was taken without load")
		case f.Kind == unpark.KindCPU && f.State != unpark.Present:
			t.Errorf("the CPU profile is %s: %s", f.State, f.Note)
		case f.Kind == unpark.KindAllocs && f.End.Sub(c.Window.End) > 2*time.Second:
			t.Errorf("allocations were read %v after the cut", f.End.Sub(c.Window.End))
		}
	}
}

// discarded takes files and keeps none.
type discarded struct{}

func (*discarded) Create(string) (io.WriteCloser, error) { return closable{&bytes.Buffer{}}, nil }

type closable struct{ io.Writer }

func (closable) Close() error { return nil }
