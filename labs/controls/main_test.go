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
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// service starts a mode and returns its URL and a function that stops it.
func service(t *testing.T, m mode, s setup) (string, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h, err := m.build(ctx, s)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	return srv.URL, func() { srv.Close(); cancel() }
}

func TestEveryModeAnswers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // a mode removes its file when it ends, and the test may be over before
	for _, m := range modes() {
		setups := map[string]setup{m.name: {}}
		if m.fix != "" {
			setups[m.name+" fixed"] = setup{fixed: true}
		}
		for _, part := range m.parts {
			setups[m.name+" without "+part] = setup{parts: []string{part}}
		}
		for name, s := range setups {
			t.Run(name, func(t *testing.T) {
				url, stop := service(t, m, s)
				defer stop()
				var clients sync.WaitGroup
				for range 4 {
					clients.Go(func() {
						for range 5 {
							answer(t, url)
						}
					})
				}
				clients.Wait()
			})
		}
	}
}

// answer asks once and returns what comes.
func answer(t *testing.T, url string) string {
	resp, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || len(body) == 0 {
		t.Errorf("status %d, %d bytes, %v", resp.StatusCode, len(body), err)
	}
	return string(body)
}

// A fix changes what an answer costs, and not the answer; signatures of lines are
// what the fix of them leaves out.
func TestFixesAnswerTheSame(t *testing.T) {
	for _, m := range modes() {
		if m.fix == "" {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			want := ""
			for _, s := range []setup{{}, {fixed: true}} {
				url, stop := service(t, m, s)
				got := regexp.MustCompile(`<!-- .* -->\n`).ReplaceAllString(answer(t, url), "")
				stop()
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("answers %.300q, without the fix %.300q", got, want)
				}
			}
		})
	}
}

func TestParkedGoroutinesAreThereAndEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := parked(ctx, setup{}); err != nil {
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
	h, err := leak(t.Context(), setup{})
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

func TestLeakIsFixed(t *testing.T) {
	h, err := leak(t.Context(), setup{fixed: true})
	if err != nil {
		t.Fatal(err)
	}
	left := func() int { return count("leak.func1 in goroutine") } // started by the handler
	before := left()                                               // by the test before
	for range 20 {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}
	for deadline := time.Now().Add(30 * time.Second); left() > before; {
		if time.Now().After(deadline) {
			t.Fatalf("20 requests left %d goroutines", left()-before)
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
	t.Setenv("TMPDIR", t.TempDir()) // the file of mode fsync, as above
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
		{"-mode fsync -fixed", "nothing is wrong in mode fsync"},
		{"-mode page -fix price", "the parts are of page parse, index, template, sign; of order price"},
		{"-mode cpu -fix parse", "no part of mode cpu"},
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
