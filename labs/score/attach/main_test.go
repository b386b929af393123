package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if parked, ok := os.LookupEnv(asked); ok {
		fmt.Fprintln(os.Stderr, serve(context.Background(), parked))
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
