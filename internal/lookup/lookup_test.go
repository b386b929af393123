package lookup

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// start serves c until the test ends and returns the base URL.
func start(t *testing.T, c Config) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready := make(chan net.Addr, 1)
	done := make(chan error, 1)
	c.Ready = func(a net.Addr) { ready <- a }
	go func() { done <- Serve(ctx, c) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	select {
	case a := <-ready:
		return "http://" + a.String()
	case err := <-done:
		done <- err
		t.Fatalf("Serve ended before it was ready: %v", err)
	}
	return ""
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

var arms = []struct {
	name   string
	config Config
}{
	{"slow", Config{}},
	{"fixed", Config{Fixed: true}},
	{"lock fixed", Config{Fixed: true, Garbage: true}},
}

func quick(c Config) Config {
	c.Hold = 50 * time.Microsecond
	c.Keys = 20
	return c
}

// Every arm must give the same answers, or a comparison of them means nothing.
func TestArmsAgree(t *testing.T) {
	want := map[string]string{}
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			base := start(t, quick(arm.config))
			for _, path := range []string{"/lookup/0", "/lookup/19", "/lookup?key=sku-0007"} {
				for range 2 { // the second answer may come from a cache
					status, body := get(t, base+path)
					if status != http.StatusOK {
						t.Fatalf("GET %s: %d %s", path, status, body)
					}
					if want[path] == "" {
						want[path] = body
					}
					if body != want[path] {
						t.Errorf("GET %s differs from the first arm's answer:\n%s\n%s", path, body, want[path])
					}
				}
			}
		})
	}
	var a answer
	if err := json.Unmarshal([]byte(want["/lookup?key=sku-0007"]), &a); err != nil {
		t.Fatal(err)
	}
	if a.Key != "sku-0007" || a.LowCents <= 0 || a.LowCents > a.MeanCents || a.MeanCents > a.HighCents || len(a.Trend) != 114 {
		t.Errorf("implausible answer: %+v", a)
	}
}

func TestNewPriceIsSeenAtOnce(t *testing.T) {
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			base := start(t, quick(arm.config))
			get(t, base+"/lookup/3")
			resp, err := http.PostForm(base+"/price/3", url.Values{"cents": {"123456"}})
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != http.StatusNoContent {
				t.Fatalf("POST /price/3: %d", resp.StatusCode)
			}
			if _, body := get(t, base+"/lookup/3"); !strings.Contains(body, `"list_cents":123456`) {
				t.Errorf("answer after the change: %s", body)
			}
		})
	}
}

func TestBadRequests(t *testing.T) {
	base := start(t, quick(Config{}))
	for _, tt := range []struct {
		path   string
		status int
	}{
		{"/lookup", 400},
		{"/lookup?key=", 400},
		{"/lookup?key=nothing", 404},
		{"/lookup/20", 404},
		{"/lookup/-1", 400},
		{"/lookup/x", 400},
		{"/price/1", 405},
		{"/", 404},
		{"/healthz", 204},
	} {
		if status, body := get(t, base+tt.path); status != tt.status {
			t.Errorf("GET %s: %d %s, want %d", tt.path, status, body, tt.status)
		}
	}
	for path, want := range map[string]int{"/price/1?cents=0": 400, "/price/1?cents=x": 400, "/price/99?cents=5": 404} {
		resp, err := http.Post(base+path, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("POST %s: %d, want %d", path, resp.StatusCode, want)
		}
	}
}

func TestManyClients(t *testing.T) {
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			base := start(t, quick(arm.config))
			var clients sync.WaitGroup
			for c := range 8 {
				clients.Go(func() {
					for i := range 20 {
						id := (c + i) % 20
						resp, err := http.Get(fmt.Sprintf("%s/lookup/%d", base, id))
						if err != nil {
							t.Error(err)
							return
						}
						body, _ := io.ReadAll(resp.Body)
						resp.Body.Close()
						if !strings.Contains(string(body), keyOf(id)) {
							t.Errorf("GET /lookup/%d: %d %s", id, resp.StatusCode, body)
						}
					}
				})
			}
			clients.Wait()
		})
	}
}

func TestCalibration(t *testing.T) {
	base := start(t, Config{Fixed: true, Hold: 2 * time.Millisecond})
	_, body := get(t, base+"/calibration")
	var c Calibration
	if err := json.Unmarshal([]byte(body), &c); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	// A busy machine lengthens a hold without bound; it never shortens one.
	if c.Hold < 0.002 || c.Alone < 0.002 || c.Hold < c.Alone {
		t.Errorf("holds below the store's round trip: %+v", c)
	}
	if got := c.Rate * c.Hold; got < 0.949 || got > 0.951 {
		t.Errorf("rate × hold = %v, want 0.95", got)
	}
}

func TestConfigErrors(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for name, tt := range map[string]struct {
		config Config
		want   string
	}{
		"hold":        {Config{Hold: -1}, "negative"},
		"keys":        {Config{Keys: -1}, "give 1 or more"},
		"port in use": {Config{Addr: ln.Addr().String()}, "in use"},
		"address":     {Config{Addr: "nonsense"}, "listen on nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Serve(t.Context(), tt.config)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Serve: %v, want it to say %q", err, tt.want)
			}
		})
	}
}

func TestServeEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	// Cancelled during calibration: Serve must end with the reason.
	if err := Serve(ctx, Config{}); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("Serve: %v", err)
	}
}

// The slow arm is there to make garbage; the fixed one must not.
func TestGarbagePerAnswer(t *testing.T) {
	row, err := NewStore(1, 0).Read(keyOf(0), Row{})
	if err != nil {
		t.Fatal(err)
	}
	bytesPer := func(a answers) uint64 {
		const calls = 500
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range calls {
			if _, err := a.For(row); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / calls
	}
	if n := bytesPer(fresh{}); n < 20_000 || n > 100_000 {
		t.Errorf("a fresh answer allocates %d bytes, want some tens of kB", n)
	}
	if n := bytesPer(&kept{}); n > 1000 {
		t.Errorf("a kept answer allocates %d bytes", n)
	}
}
