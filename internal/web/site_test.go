package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/store"
)

// hostile is a name as a profile or a folder from elsewhere could have it.
const hostile = `<img src=x onerror="document.title='owned'">`

// sample is run number i of a series; every figure is what it is by slow.
func sample(i int, slow float64) unpark.Run {
	at := time.Date(2026, 3, 1, 0, i, 0, 0, time.UTC)
	return unpark.Run{
		ID: fmt.Sprintf("run-%04d", i), Started: at, Target: unpark.Target{Package: "./cmd/shop", Module: "example.com/shop"},
		Plan:  unpark.Plan{Mode: unpark.Closed, Connections: 8, Requests: []unpark.Request{{Method: "GET", URL: "http://127.0.0.1:1/items"}}},
		Limit: unpark.Limit{Kind: unpark.LimitLock, Why: "a lock"},
		Findings: []unpark.Finding{{
			Rank: 1, Class: unpark.ClassLock, Title: "requests queue " + hostile, Site: unpark.Site{Function: "example.com/shop.(*Cache).Get" + hostile, File: "a.go", Line: 7},
			Cost: unpark.Cost{WaitPerRequest: unpark.Measured(0.02*slow, "s/req", 9)},
		}},
		Windows: []unpark.Window{{
			Start: at, End: at.Add(time.Second),
			Load:      &unpark.Load{Mode: unpark.Closed, Requests: 900, AchievedRPS: 900 / slow, OfferedRPS: 900 / slow, Response: unpark.Latency{P50: 0.001 * slow, P99: 0.01 * slow, Max: 0.02, Min: 0.0001, N: 900}},
			Processes: []unpark.Process{{PID: 1, State: "whole", Cores: unpark.Num(0.5)}},
		}},
	}
}

func save(t testing.TB, dir string, r unpark.Run) {
	t.Helper()
	d, err := store.Create(dir)
	if err == nil {
		_, err = d.Commit(r)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// noise is ±3 %, the same for the same run.
func noise(i int) float64 { return 1 + 0.03*math.Sin(float64(i*i)*1.7) }

// site is a server of a folder, and a browser that was let in.
type site struct {
	*Server
	root, url string
	client    *http.Client
}

func serve(t testing.TB, root string, before ...func(*Server)) *site {
	t.Helper()
	x, err := index.Open(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Refresh(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(x, unpark.Version{Version: "v1"}, l)
	for _, do := range before {
		do(s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	address := s.Address()
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		x.Close()
	})
	jar, _ := cookiejar.New(nil)
	out := &site{Server: s, root: root, url: "http://" + l.Addr().String(), client: &http.Client{Jar: jar}}
	r, err := out.client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return out
}

func (s *site) get(t testing.TB, path string) (int, string) {
	t.Helper()
	r, err := s.client.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func (s *site) json(t testing.TB, path string, into any) {
	t.Helper()
	status, text := s.get(t, path)
	if err := json.Unmarshal([]byte(text), into); status != http.StatusOK || err != nil {
		t.Fatalf("%s: %d, %v: %s", path, status, err, text)
	}
}

// shop is a folder with a series that got slower, a part of an experiment, and what cannot be read.
func shop(t testing.TB) string {
	root := t.TempDir()
	for i := range 24 {
		slow := noise(i)
		if i >= 14 {
			slow *= 1.3
		}
		save(t, filepath.Join(root, fmt.Sprintf("run-%02d", i)), sample(i, slow))
	}
	save(t, filepath.Join(root, "proof", "before"), sample(30, 1))
	save(t, filepath.Join(root, "proof", "after"), sample(31, 0.5))
	for name, text := range map[string]string{
		"proof/ab.json":      `{"schema":"unpark.ab/v1","rounds":2,"refused":[],"floor":{},"effects":[{"metric":"p99","before":{"value":0.01,"unit":"s","n":2},"after":{"value":0.005,"unit":"s","n":2},"ratio":{"value":0.5,"unit":"ratio","low":0.4,"high":0.6,"n":2},"p":0.01,"verdict":"better"}],"findings":[],"forecasts":[],"why":"it waits less","warnings":[]}`,
		"proof/rounds.jsonl": `{"round":1,"role":"before","sample":{"p99":0.01}}` + "\n" + `{"round":1,"role":"after","sample":{"p99":0.005}}` + "\nno line\n",
		"proof/report.html":  "<script>document.title='owned'</script>",
		"newer/run.json":     `{"schema":"unpark.run/v9"}`,
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
