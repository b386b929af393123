package agent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
)

// arm asks for a flight recorder and returns what makes its client vanish.
func arm(t *testing.T, c *http.Client, query string) context.CancelFunc {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", "http://unix/debug/unpark/flight?"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if resp.StatusCode != 200 || err != nil || !strings.Contains(line, `"armed":true`) {
		t.Fatalf("%s: %v: %s", resp.Status, err, line)
	}
	return cancel
}

func flyer(t *testing.T) *http.Client {
	t.Helper()
	_, client := startUnix(t, Options{})
	if !canFly {
		t.Skip("no flight recorder before Go 1.25")
	}
	return client
}

const snapshotURL = "http://unix/debug/unpark/flight/snapshot"

func TestFlightSnapshots(t *testing.T) {
	client := flyer(t)
	if resp, body := get(t, client, snapshotURL); resp.StatusCode != http.StatusConflict {
		t.Errorf("a snapshot of nothing: %s: %s", resp.Status, body)
	}
	vanish := arm(t, client, "age=5&ttl=600")
	if !Active() || !trace.IsEnabled() {
		t.Error("armed, and nobody would mark a request")
	}
	for i := 0; i < 3; i++ {
		trace.Log(context.Background(), "test", fmt.Sprintf("mark-%d", i))
		resp, body := get(t, client, snapshotURL)
		if resp.StatusCode != 200 || !strings.HasPrefix(body, "go 1.") {
			t.Fatalf("%s: %.100q", resp.Status, body)
		}
		for j := 0; j < 3; j++ {
			if strings.Contains(body, fmt.Sprintf("mark-%d", j)) != (i == j) {
				t.Errorf("snapshot %d and mark %d: want its own and no other", i, j)
			}
		}
	}
	vanish()
	eventually(t, "the recorder has stopped", func() bool { return !Active() && !trace.IsEnabled() })
	if resp, _ := get(t, client, snapshotURL); resp.StatusCode != http.StatusConflict {
		t.Errorf("a snapshot after the end: %s", resp.Status)
	}
}

func TestFlightEnds(t *testing.T) {
	tests := []struct {
		name, ttl string
		end       func(a *Agent, vanish context.CancelFunc)
	}{
		{"the client vanishes", "600", func(_ *Agent, vanish context.CancelFunc) { vanish() }},
		{"its time is over", "1", func(*Agent, context.CancelFunc) {}},
		{"the agent closes", "600", func(a *Agent, _ context.CancelFunc) { a.Close() }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, client := startUnix(t, Options{})
			if !canFly {
				t.Skip("no flight recorder before Go 1.25")
			}
			tt.end(a, arm(t, client, "age=1&ttl="+tt.ttl))
			eventually(t, "the recorder has stopped", func() bool { return !Active() && !trace.IsEnabled() })
		})
	}
}

func TestOneFlight(t *testing.T) {
	client := flyer(t)
	vanish := arm(t, client, "age=1&ttl=600")
	resp, body := get(t, client, "http://unix/debug/unpark/flight?age=1&ttl=1")
	if resp.StatusCode != http.StatusConflict || !strings.Contains(body, "armed already") {
		t.Errorf("%s: %s", resp.Status, body)
	}
	vanish()
	eventually(t, "it is free", func() bool { return !Active() })
	arm(t, client, "age=1&ttl=600")
}

// The tracer writes to a trace and to a flight recorder at once since Go 1.25.
func TestFlightBesideTrace(t *testing.T) {
	client := flyer(t)
	vanish := arm(t, client, "age=1&ttl=600")
	resp, body := get(t, client, "http://unix/debug/pprof/trace?seconds=0.2")
	if resp.StatusCode != 200 || !strings.HasPrefix(body, "go 1.") {
		t.Errorf("trace while armed: %s: %.100q", resp.Status, body)
	}
	if resp, body := get(t, client, snapshotURL); resp.StatusCode != 200 {
		t.Errorf("snapshot after the trace: %s: %s", resp.Status, body)
	}
	vanish()
	eventually(t, "the recorder has stopped", func() bool { return !trace.IsEnabled() })
}

// Snapshots and the end may come at the same time, from several clients.
func TestFlightEndsInsideSnapshots(t *testing.T) {
	client := flyer(t)
	for i := 0; i < 5; i++ {
		vanish := arm(t, client, "age=1&ttl=600")
		var wg sync.WaitGroup
		for j := 0; j < 4; j++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				resp, err := client.Get(snapshotURL)
				if err != nil {
					t.Error(err)
					return
				}
				defer resp.Body.Close()
				if resp.StatusCode != 200 && resp.StatusCode != http.StatusConflict {
					t.Error(resp.Status)
				}
			}()
		}
		vanish()
		wg.Wait()
		eventually(t, "the recorder has stopped", func() bool { return !Active() && !trace.IsEnabled() })
	}
}

func TestFlightNumbers(t *testing.T) {
	_, client := startUnix(t, Options{})
	for _, query := range []string{
		"", "age=1", "ttl=1", "age=0&ttl=1", "age=61&ttl=1", "age=x&ttl=1", "age=1.5&ttl=1", "age=1&ttl=86401",
		"age=1&ttl=1&bytes=x", "age=1&ttl=1&bytes=-1", "age=1&ttl=1&bytes=67108865",
	} {
		resp, body := get(t, client, "http://unix/debug/unpark/flight?"+query)
		if resp.StatusCode != 400 || !strings.Contains(body, "invalid value for") {
			t.Errorf("%q: %s: %s", query, resp.Status, body)
		}
	}
	if Active() {
		t.Error("a refused recorder is armed")
	}
}

// What a process cannot do, it says when it is asked what it is.
func TestFlightIsToldInInfo(t *testing.T) {
	_, client := startUnix(t, Options{})
	_, body := get(t, client, "http://unix/debug/unpark/info")
	var info struct {
		Flight *bool `json:"flight_recorder"`
	}
	if err := json.Unmarshal([]byte(body), &info); err != nil || info.Flight == nil || *info.Flight != canFly {
		t.Errorf("%v: %s", err, body)
	}
	if canFly {
		return
	}
	if resp, body := get(t, client, "http://unix/debug/unpark/flight?age=1&ttl=1"); resp.StatusCode != http.StatusNotImplemented {
		t.Errorf("%s: %s", resp.Status, body)
	}
}

func TestBounded(t *testing.T) {
	b := bounded{limit: 4}
	if _, err := b.Write([]byte("abc")); err != nil {
		t.Error(err)
	}
	if _, err := b.Write([]byte("de")); err == nil || !bytes.Equal(b.Bytes(), []byte("abc")) {
		t.Errorf("%v, %q", err, b.Bytes())
	}
}
