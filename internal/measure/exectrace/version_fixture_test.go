package exectrace_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

//go:generate ./testdata/versions/record.sh

// fixture inflates a recorded trace.
func fixture(t testing.TB, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return data
}

// tourCase is what testdata/cases/window.go:tour does, whatever Go built it.
func tourCase() hard {
	return hard{name: "tour", routes: []expected{
		{
			route: "GET /wait", count: 2, vector: shares{exectrace.Lock: atLeast(0.8)}, blamed: atLeast(0.8),
			waits: []wait{{exectrace.Lock, "main.waitForLock", "main.flush", atLeast(0.9), sleeper("main.flush")}},
		},
		{
			route: "GET /all", count: 1, vector: shares{exectrace.WaitGroup: atLeast(0.8)},
			waits: []wait{{exectrace.WaitGroup, "main.askAll", "main.askAll.func1", atLeast(0.95), sleeper("main.slowChild")}},
		},
		{route: "GET /retry", count: 2, vector: shares{exectrace.Sleep: atLeast(0.8)}, blamed: atMost(0.05)},
		{route: "GET /select", count: 1, vector: shares{exectrace.Select: atLeast(0.8)}, blamed: atMost(0.05)},
	}}
}

func TestVersions(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "versions", "go*.trace.gz"))
	if err != nil || len(files) < 7 {
		t.Fatalf("%d fixtures, want 7 or more: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".trace.gz"), func(t *testing.T) {
			data := fixture(t, file)
			tr := read(t, data)
			secondReading(t, data).agrees(t, tr)
			consistent(t, tr)
			complete(t, tr)
			var v verdict
			tourCase().judge(&v, tr)
			for _, f := range v.failed {
				t.Error(f)
			}
		})
	}
}

// TestAnnotated: a request is an application's also when a collection begins while
// it opens its region; it is the case "back-to-back" with GOGC=2.
func TestAnnotated(t *testing.T) {
	data := fixture(t, filepath.Join("testdata", "annotated", "go1.26.trace.gz"))
	tr := read(t, data)
	secondReading(t, data).agrees(t, tr)
	if tr.Exact.Count != 400 || tr.Inferred.Count != 400 {
		t.Errorf("%d marked and %d inferred requests, want 400", tr.Exact.Count, tr.Inferred.Count)
	}
}

// TestDeterministic: the same trace gives the same result.
func TestDeterministic(t *testing.T) {
	data := fixture(t, filepath.Join("testdata", "versions", "go1.26.trace.gz"))
	a, b := read(t, data), read(t, data)
	if x, y := describe(a), describe(b); x != y {
		t.Errorf("the edges differ:\n%s\n%s", x, y)
	}
	for i, r := range a.Inferred.Slowest {
		if s := b.Inferred.Slowest[i]; r.Start != s.Start || r.Wall != s.Wall || len(r.Spent) != len(s.Spent) {
			t.Errorf("request %d: %+v and %+v", i, r, s)
		}
	}
}

func TestNoTrace(t *testing.T) {
	for name, data := range map[string][]byte{
		"empty":       {},
		"a program":   []byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x3e\x00"),
		"a profile":   {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff},
		"an answer":   []byte("Could not enable tracing: tracing is already enabled\n"),
		"other words": bytes.Repeat([]byte("go 1.26 tracing of something else\n"), 100),
		"the future":  []byte("go 1.99 trace\x00\x00\x00"),
		"the past":    []byte("go 1.5 trace\x00\x00\x00\x00"),
		"header only": []byte("go 1.26 trace\x00\x00\x00"),
		"half a head": []byte("go 1.26 tr"),
	} {
		t.Run(name, func(t *testing.T) {
			tr, err := exectrace.Read(bytes.NewReader(data), catalogued())
			if err == nil {
				t.Fatalf("no error: %d events, broken: %v", tr.Events, tr.Broken)
			}
			if tr != nil {
				t.Errorf("a trace beside the error %v", err)
			}
			t.Log(err)
		})
	}
}
