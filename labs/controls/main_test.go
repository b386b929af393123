package main

import (
	"context"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// service starts a mode and returns its URL and a function that stops it.
func service(t *testing.T, m mode) (string, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h, err := m.build(ctx, "")
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	return srv.URL, func() { srv.Close(); cancel() }
}

func TestEveryModeAnswers(t *testing.T) {
	for _, m := range modes() {
		t.Run(m.name, func(t *testing.T) {
			url, stop := service(t, m)
			defer stop()
			var clients sync.WaitGroup
			for range 4 {
				clients.Go(func() {
					for range 5 {
						resp, err := http.Get(url)
						if err != nil {
							t.Error(err)
							return
						}
						body, err := io.ReadAll(resp.Body)
						resp.Body.Close()
						if err != nil || resp.StatusCode != http.StatusOK || len(body) == 0 {
							t.Errorf("status %d, %d bytes, %v", resp.StatusCode, len(body), err)
						}
					}
				})
			}
			clients.Wait()
		})
	}
}

func TestParkedGoroutinesAreThereAndEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := parked(ctx, ""); err != nil {
		t.Fatal(err)
	}
	started := func() int { return count("parked in goroutine") }
	if n := started(); n < 200 {
		t.Errorf("%d goroutines, want 200 or more", n)
	}
	cancel()
	for deadline := time.Now().Add(30 * time.Second); started() > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines stayed", started())
		}
		time.Sleep(time.Millisecond)
	}
}

func TestLeakLeaks(t *testing.T) {
	h, err := leak(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	before := count("forgotten(")
	for range 20 {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}
	// A goroutine that never ran yet does not show its function.
	for deadline := time.Now().Add(30 * time.Second); count("forgotten(")-before != 20; {
		if time.Now().After(deadline) {
			t.Fatalf("20 requests left %d goroutines", count("forgotten(")-before)
		}
		time.Sleep(time.Millisecond)
	}
}

// count returns how often a name of this package occurs in all stacks.
func count(name string) int {
	stacks := make([]byte, 16<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return strings.Count(string(stacks), "unpark/labs/controls."+name)
}

func TestRunServesAndEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	said, says := io.Pipe()
	status := make(chan int, 1)
	go func() { status <- run(ctx, []string{"-addr", "127.0.0.1:0", "-mode", "fsync"}, says) }()
	line := make([]byte, 200)
	n, err := said.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(string(line[:n])), "serves on ")
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	cancel()
	if got := <-status; got != 0 {
		t.Errorf("exit status %d", got)
	}
}

func TestBadArguments(t *testing.T) {
	for _, tt := range []struct{ args, says string }{
		{"-mode fast", "give one of the modes below"},
		{"now", "nothing else"},
		{"-what", "not defined"},
	} {
		var said strings.Builder
		if got := run(t.Context(), strings.Fields(tt.args), &said); got != 2 || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%s: status %d, said %q; want %q", tt.args, got, said.String(), tt.says)
		}
	}
}

// The point of this lab: there is nothing in it that helps a profiler.
func TestNoProfilingImports(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if strings.Contains(name, "pprof") || strings.Contains(name, "unpark/probe") || name == "runtime/trace" {
				t.Errorf("%s imports %s", file, name)
			}
		}
	}
}
