package agent

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"testing"
)

func TestKinds(t *testing.T) {
	_, client := startUnix(t, Options{})
	tests := []struct {
		path   string
		status int
		text   string // in the body; of a profile: after inflation
	}{
		{"heap", 200, "inuse_space"},
		{"heap?gc=1", 200, "inuse_space"},
		{"allocs", 200, "alloc_space"},
		{"block", 200, "contentions"},
		{"mutex", 200, "contentions"},
		{"goroutine", 200, "goroutine"},
		{"threadcreate", 200, "threadcreate"},
		{"goroutine?debug=0", 200, "goroutine"},
		{"goroutine?debug=1", 200, "goroutine profile: total"},
		{"goroutine?debug=2", 200, "goroutine 1 ["},
		{"mutex?debug=1", 200, "--- mutex:"},
		{"profile?seconds=1", 200, "cpu"},
		{"trace?seconds=0.1", 200, "go 1."},
		{"", 200, "<a href=\"mutex?debug=1\">"},
		{"profile?seconds=1&hz=500", 200, "cpu"},
		{"profile?seconds=1&hz=x", 400, "no whole number from 0 to 1000"},
		{"profile?seconds=1&hz=1001", 400, "no whole number from 0 to 1000"},
		{"profile?seconds=1.5", 400, "no positive whole number"},
		{"profile?seconds=0", 400, "no positive whole number"},
		{"profile?seconds=-1", 400, "no positive whole number"},
		{"profile?seconds=x", 400, "no positive whole number"},
		{"profile?seconds=1e300", 400, "no positive whole number"},
		{"trace?seconds=NaN", 400, "no positive number"},
		{"trace?seconds=0", 400, "no positive number"},
		{"block?seconds=1", 400, "read it twice and subtract"},
		{"heap?seconds=0", 400, "read it twice and subtract"},
		{"heap?debug=x", 400, "no whole number"},
		{"heap?gc=x", 400, "no whole number"},
		{"cmdline", 404, "Unknown profile"},
		{"nothing", 404, "Unknown profile"},
	}
	if pprof.Lookup("goroutineleak") != nil {
		tests = append(tests, struct {
			path   string
			status int
			text   string
		}{"goroutineleak", 200, "goroutine"})
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			resp, body := get(t, client, "http://unix/debug/pprof/"+tt.path)
			if resp.StatusCode != tt.status {
				t.Fatalf("%s: %s", resp.Status, body)
			}
			if (tt.status != 200) != (resp.Header.Get("X-Go-Pprof") == "1") {
				t.Errorf("X-Go-Pprof is %q", resp.Header.Get("X-Go-Pprof"))
			}
			if !strings.Contains(inflated(t, body), tt.text) {
				t.Errorf("no %q in %.200q", tt.text, inflated(t, body))
			}
		})
	}
}

func inflated(t *testing.T, body string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		return body
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestUnsetSeconds(t *testing.T) {
	if d, err := (recorder{unset: 30}).length(); d != 30 || err != nil {
		t.Errorf("length = %v, %v", d, err)
	}
}

func TestSecondCPUProfile(t *testing.T) {
	_, client := startUnix(t, Options{})
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip(err) // the tests themselves are being profiled
	}
	defer pprof.StopCPUProfile()
	resp, body := get(t, client, "http://unix/debug/pprof/profile?seconds=1")
	if resp.StatusCode != 500 || !strings.HasPrefix(body, "Could not enable CPU profiling: ") || resp.Header.Get("X-Go-Pprof") != "1" {
		t.Errorf("%s: %s", resp.Status, body)
	}
	if resp.Header.Get("Content-Disposition") != "" {
		t.Error("an error is not an attachment")
	}
}

// A client that leaves must not leave its profile running.
func TestVanishedClientStopsProfile(t *testing.T) {
	_, client := startUnix(t, Options{})
	for _, path := range []string{"profile?seconds=3600", "trace?seconds=3600"} {
		resp := abandon(t, client, "http://unix/debug/pprof/"+path)
		eventually(t, path+" runs", Active)
		resp()
		eventually(t, path+" stopped", func() bool { return !Active() })
	}
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Error(err)
	} else {
		pprof.StopCPUProfile()
	}
}

func TestInfo(t *testing.T) {
	tests := []struct {
		declared int
		want     interface{}
	}{{0, nil}, {-1, 0.0}, {5000, 5000.0}}
	for _, tt := range tests {
		a, client := startUnix(t, Options{BlockProfileRate: tt.declared})
		resp, body := get(t, client, "http://unix/debug/unpark/info")
		var info map[string]interface{}
		if err := json.Unmarshal([]byte(body), &info); err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s: %v: %s", resp.Status, err, body)
		}
		if info["schema"] != "unpark.probe/v1" || info["go"] != runtime.Version() || info["leased"] != false {
			t.Errorf("info: %s", body)
		}
		if info["block_rate"] != tt.want {
			t.Errorf("declared %d: block_rate is %v, want %v", tt.declared, info["block_rate"], tt.want)
		}
		for _, key := range []string{"pid", "ppid", "gomaxprocs", "num_cpu", "module", "own", "path", "started", "mutex_fraction"} {
			if _, ok := info[key]; !ok {
				t.Errorf("no %q in %s", key, body)
			}
		}
		a.Close()
	}
}

func TestMetrics(t *testing.T) {
	_, client := startUnix(t, Options{})
	resp, body := get(t, client, "http://unix/debug/unpark/metrics")
	var page struct {
		At      string
		Metrics map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(body), &page); err != nil || resp.StatusCode != http.StatusOK || page.At == "" {
		t.Fatalf("%s: %v", resp.Status, err)
	}
	for _, m := range metrics.All() {
		value, ok := page.Metrics[m.Name]
		if !ok {
			t.Errorf("no %s", m.Name)
			continue
		}
		if m.Kind != metrics.KindFloat64Histogram {
			continue
		}
		var h struct {
			Counts  []float64
			Buckets []*float64
		}
		if err := json.Unmarshal(value, &h); err != nil || len(h.Buckets) != len(h.Counts)+1 {
			t.Errorf("%s: %d counts, %d edges, %v", m.Name, len(h.Counts), len(h.Buckets), err)
		}
	}
}

func TestInfiniteEdges(t *testing.T) {
	h := newHistogram(&metrics.Float64Histogram{Counts: []uint64{1, 2}, Buckets: []float64{math.Inf(-1), 0.5, math.Inf(1)}})
	b, err := json.Marshal(h)
	if want := `{"counts":[1,2],"buckets":[null,0.5,null]}`; err != nil || string(b) != want {
		t.Errorf("%s, %v; want %s", b, err, want)
	}
}

// The processor time must be there at once, not with the next collection.
func TestCPUSeconds(t *testing.T) {
	if _, ok := ownUsage(); !ok {
		t.Skip("the system does not tell it")
	}
	_, client := startUnix(t, Options{})
	read := func() float64 {
		_, body := get(t, client, "http://unix/debug/unpark/metrics")
		page := struct {
			CPU float64 `json:"cpu_s"`
		}{-1}
		if err := json.Unmarshal([]byte(body), &page); err != nil {
			t.Fatal(err)
		}
		return page.CPU
	}
	first := read()
	eventually(t, "the processor time grows", func() bool { return read() > first+0.01 })
	if first < 0 {
		t.Errorf("%v s", first)
	}
}

// An observer outside of the container knows this process by its start.
func TestIdentity(t *testing.T) {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Skip("the system has no /proc")
	}
	_, client := startUnix(t, Options{})
	_, body := get(t, client, "http://unix/debug/unpark/info")
	var page struct {
		Boot  string `json:"boot_id"`
		Start uint64 `json:"start_ticks"`
	}
	if err := json.Unmarshal([]byte(body), &page); err != nil {
		t.Fatal(err)
	}
	if page.Boot == "" || page.Start == 0 || page.Start != startTicks(string(stat)) {
		t.Errorf("%+v", page)
	}
}

func TestStartTicks(t *testing.T) {
	const after = " S 1 2 3 0 -1 4 5 6 7 8 9 10 11 12 20 0 7 0 %s 99"
	for text, want := range map[string]uint64{
		"12 (a b) c)" + strings.Replace(after, "%s", "4711", 1): 4711,
		"12 (x)" + strings.Replace(after, "%s", "-1", 1):        0,
		"12 (x) S 1 2": 0,
		"12 (x":        0,
		"":             0,
	} {
		if got := startTicks(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
