package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
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

// TestOneTurn: a turn of short windows ends with ratios. How large it is, only many turns on a quiet
// machine say.
func TestOneTurn(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("takes a quarter of a minute, and root to read another process's memory")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, []string{"-turns", "1", "-window", "1s", "-goroutines", "100", "-keep", filepath.Join(t.TempDir(), "turns.jsonl")}, &out); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`CPU per request +read ÷ its twin read +median ×\d\.\d{3} \(quartiles `).Match(out.Bytes()) {
		t.Errorf("it says %s", out.Bytes())
	}
}

// TestInAll: of ten doses a tenth is one, and recording, which is there once, is whole in it.
func TestInAll(t *testing.T) {
	s := setting{Dose: 10}
	if got := s.inAll([]float64{1.043}, 0.003); !strings.Contains(got, "×1.007") {
		t.Errorf("in all %q, want ×1.007", got)
	}
	if got := s.inAll([]float64{0.957}, -0.003); !strings.Contains(got, "×0.993") {
		t.Errorf("in all %q, want ×0.993", got)
	}
	s.Part = "cpu"
	if got := s.inAll([]float64{1.04}, 0); got != "" {
		t.Errorf("a part is %q in all", got)
	}
}
