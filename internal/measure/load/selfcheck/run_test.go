package selfcheck

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// inside serves in the test's own process, with usage that the test chooses.
type inside struct {
	t       *testing.T
	handler func(Service) http.Handler // nil: Serve
	used    []float64                  // what Used returns, in turns
	turn    int
	stopped atomic.Bool
}

func (h *inside) Serve(_ context.Context, s Service) (Server, error) {
	url := ""
	if h.handler == nil {
		url = startServe(h.t, s) + "/"
	} else {
		server := httptest.NewServer(h.handler(s))
		h.t.Cleanup(server.Close)
		url = server.URL + "/"
	}
	return Server{
		URL: url, CPU: func() unpark.Number { return unpark.Num(0) },
		Stop: func() error { h.stopped.Store(true); return nil },
	}, nil
}

func (h *inside) Used() unpark.Number {
	if len(h.used) == 0 {
		return unpark.Number{}
	}
	v := h.used[h.turn%len(h.used)]
	h.turn++
	return unpark.Num(v)
}

// TestExperiment: what an experiment reports is what happened, whatever the
// machine is doing; how exactly it agrees with the truth is for the command.
func TestExperiment(t *testing.T) {
	t.Parallel()
	var shown atomic.Int64
	h := &inside{t: t, used: []float64{100, 103}}
	e := experiment{
		"small stall",
		Service{Period: time.Second, Freeze: 500 * time.Millisecond},
		unpark.Plan{Mode: unpark.Constant, RateRPS: 200},
		time.Second,
	}
	r, err := e.run(t.Context(), Options{Host: h, Progress: func(string, time.Duration, load.Live) { shown.Add(1) }})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.load.Response.N; n < 190 || float64(n) > 201*r.load.Seconds {
		t.Errorf("%d requests in %g s at 200/s", n, r.load.Seconds)
	}
	// Half of them came in the freeze. Without those that could not be sent at
	// once, 50 slow ones at most would be seen; lower bounds only, for a machine
	// that is busy makes all of this longer.
	if truth := openTruth(e.service, 0.9); math.Abs(truth-0.4) > 1e-9 || r.load.Response.P90 < 0.8*truth {
		t.Errorf("p90 %g, truth %g", r.load.Response.P90, truth)
	}
	if r.server.N == 0 || r.server.P99 <= 0 {
		t.Errorf("the server knows %+v", r.server)
	}
	if others, ok := r.around.others.Get(); !ok || others <= 0 || others > 3 || r.around.broken != "" {
		t.Errorf("around: %+v", r.around)
	}
	if shown.Load() < 2 || !h.stopped.Load() {
		t.Errorf("shown %d times, stopped %v", shown.Load(), h.stopped.Load())
	}
}

func TestExperimentFails(t *testing.T) {
	t.Parallel()
	h := &inside{t: t, handler: func(Service) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == statsPath {
				_, _ = io.WriteString(w, `{"n":1}`)
				return
			}
			http.Error(w, "broken", http.StatusInternalServerError)
		})
	}}
	e := experiment{"broken", steady(), unpark.Plan{Mode: unpark.Constant, RateRPS: 100}, 300 * time.Millisecond}
	r, err := e.run(t.Context(), Options{Host: h})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.around.broken, "status 500") {
		t.Errorf("around: %+v", r.around)
	}
	for _, c := range pacedChecks(e, r) {
		if c.Verdict != Fail || c.Note != r.around.broken {
			t.Errorf("%+v", c)
		}
	}
	// Interrupted: an error, no figures, and the server is stopped.
	ctx, cancel := context.WithCancel(t.Context())
	again := &inside{t: t}
	checks, err := Run(ctx, Options{Host: again, Progress: func(string, time.Duration, load.Live) { cancel() }})
	if err == nil || len(checks) != 0 || !again.stopped.Load() {
		t.Errorf("%v, %v, stopped %v", checks, err, again.stopped.Load())
	}
}

func TestJudge(t *testing.T) {
	idle := surroundings{cpus: 2, others: unpark.Num(0.1)}
	busy := surroundings{cpus: 2, others: unpark.Num(0.7)}
	unsure := surroundings{cpus: 2}
	lag := func(s float64) unpark.Quantity { return unpark.Measured(s, "s", 10) }
	truth := about(0.5, 0.03, "s")
	for _, test := range []struct {
		name     string
		asked    unpark.Quantity
		measured unpark.Quantity
		excuse   float64
		around   surroundings
		want     Verdict
		says     string
	}{
		{"at the bound", atMost(50e-6, "s"), lag(50e-6), slice, idle, Pass, ""},
		{"above it", atMost(50e-6, "s"), lag(60e-6), slice, idle, Fail, "1.20 times"},
		{"above it on a busy machine", atMost(50e-6, "s"), lag(60e-6), slice, busy, Busy, "0.70 of 2 cores"},
		{"above it by more than a slice", atMost(50e-6, "s"), lag(4e-3), slice, busy, Fail, "80.00 times"},
		{"not known how busy", atMost(50e-6, "s"), lag(60e-6), slice, unsure, Fail, ""},
		{"near the truth", truth, lag(0.514), 0.05, idle, Pass, ""},
		{"above the truth", truth, lag(0.516), 0.05, idle, Fail, "off by +3.2 %"},
		{"below the truth", truth, lag(0.480), 0.05, idle, Fail, "off by -4.0 %"},
		{"above the truth on a busy machine", truth, lag(0.53), 0.05, busy, Busy, "off by +6.0 %"},
		{"coordinated omission is never excused", truth, lag(0.001), 0.05, busy, Fail, "off by -99.8 %"},
		{"told", unpark.Quantity{Unit: "s"}, lag(1), 0, idle, Told, ""},
		{"nothing", atMost(1, "s"), unpark.Measured(0, "s", 0), 0, idle, Fail, nothingSent},
		{"unknown", atMost(1, "ratio"), unpark.Quantity{Unit: "ratio", N: 3}, 0, idle, Fail, nothingSent},
		{"broken", unpark.Quantity{Unit: "s"}, lag(1), 0, surroundings{broken: "refused"}, Fail, "refused"},
	} {
		c := judge(test.name, test.asked, test.measured, test.excuse, test.around)
		if c.Verdict != test.want || !strings.Contains(c.Note, test.says) || (test.want == Pass) != (c.Note == "" && c.Verdict != Told) {
			t.Errorf("%s: %s %q, want %s %q", test.name, c.Verdict, c.Note, test.want, test.says)
		}
	}
}

// TestServe: the server tells where it is, serves both protocols and what it
// knows, and ends with its input.
func TestServe(t *testing.T) {
	in, hold := io.Pipe()
	lines, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(context.Background(), Service{Work: time.Millisecond}, in, out) }()
	buf := make([]byte, 100)
	n, err := lines.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(string(buf[:n]))
	for _, h2 := range []bool{false, true} {
		transport := &http.Transport{Protocols: new(http.Protocols)}
		transport.Protocols.SetHTTP1(!h2)
		transport.Protocols.SetUnencryptedHTTP2(h2)
		resp, err := (&http.Client{Transport: transport}).Get(url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(body) != "ok\n" || (resp.ProtoMajor == 2) != h2 {
			t.Errorf("%s %q, %v", resp.Proto, body, err)
		}
	}
	for _, want := range []int64{2, 0} {
		s, err := askStats(t.Context(), url)
		if err != nil || s.N != want || want > 0 && s.P50 < 0.001 {
			t.Errorf("%+v, %v; want %d answers of a millisecond or more", s, err, want)
		}
	}
	hold.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := askStats(t.Context(), url); err == nil {
		t.Error("it still answers")
	}
	if err := Serve(context.Background(), Service{Work: -1}, in, out); err == nil {
		t.Error("a schedule that makes no sense was accepted")
	}
}

// served is a host whose servers are those of Serve.
type served struct{ t *testing.T }

func (h served) Serve(_ context.Context, s Service) (Server, error) {
	return Server{URL: startServe(h.t, s) + "/", CPU: func() unpark.Number { return unpark.Number{} }, Stop: func() error { return nil }}, nil
}

func (served) Used() unpark.Number { return unpark.Number{} }

// TestExperimentProtocols: the same experiment runs over every protocol, and no
// request fails.
func TestExperimentProtocols(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"", "http/1.1", "h2c", "grpc"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			e := experiment{
				name:    "small stall",
				service: Service{Period: time.Second, Freeze: 500 * time.Millisecond},
				plan:    unpark.Plan{Mode: unpark.Constant, RateRPS: 100},
				length:  time.Second,
			}
			r, err := e.run(t.Context(), Options{Host: served{t}, Protocol: protocol})
			if err != nil {
				t.Fatal(err)
			}
			if n := r.load.Response.N; n < 90 || r.around.broken != "" || r.load.Status["200"] != n {
				t.Errorf("%d requests, %v, %s", n, r.load.Status, r.around.broken)
			}
			if r.load.Response.P90 < 0.8*openTruth(e.service, 0.9) || r.server.N < 90 {
				t.Errorf("p90 %g; the server knows %+v", r.load.Response.P90, r.server)
			}
		})
	}
}
