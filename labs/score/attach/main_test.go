package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"runtime"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if address := os.Getenv("ATTACH_SERVE"); address != "" {
		_ = serve(context.Background(), address, 0)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestOnePair: a pair of short turns ends with a ratio. How large it is, only many pairs on a quiet
// machine say.
func TestOnePair(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("takes a quarter of a minute, and root to read another process's memory")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, []string{"-pairs", "1", "-window", "2s", "-goroutines", "100"}, &out); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`median ×\d\.\d{3} \(quartiles `).Match(out.Bytes()) {
		t.Errorf("it says %s", out.Bytes())
	}
}

func TestCPUSeconds(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc")
	}
	for begin := time.Now(); time.Since(begin) < 100*time.Millisecond; { // compute
	}
	s, err := cpuSeconds(os.Getpid())
	if err != nil || s <= 0 || s > 60 {
		t.Errorf("%v s, %v", s, err)
	}
	if _, err := cpuSeconds(1 << 30); err == nil {
		t.Error("a process that is not there has used something")
	}
}
