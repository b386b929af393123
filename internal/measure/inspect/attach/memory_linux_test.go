//go:build linux && (amd64 || arm64)

package attach

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect"
)

// TestMemoryRate: a program that cannot ask for its allocations records none; with a rate of its own
// flag it does while the lease lasts, and what was written says so; stripped as well, where the address comes from code.
func TestMemoryRate(t *testing.T) {
	for name, flags := range map[string]string{"with symbols": "", "stripped": "-s -w"} {
		t.Run(name, func(t *testing.T) { memoryRate(t, started(t, built(t, flags)).Process.Pid) })
	}
}

func memoryRate(t *testing.T, pid int) {
	t.Helper()
	a, err := start(t.Context(), Options{PIDs: []int{pid}, MemoryRate: 16 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if status, body := read(t, a, "/debug/pprof/allocs"); status != http.StatusNotFound || !strings.Contains(body, "--memory-rate") {
		t.Errorf("without a lease: status %d: %s", status, body)
	}
	lease, err := get(t.Context(), a.Addresses[0], "/debug/unpark/lease?block=0&mutex=0&ttl=60")
	if err != nil {
		t.Fatal(err)
	}
	var granted struct{ Writes []unpark.Write }
	if err := json.NewDecoder(lease.Body).Decode(&granted); err != nil || len(granted.Writes) != 1 || granted.Writes[0].Variable != "runtime.MemProfileRate" || granted.Writes[0].Before != 0 {
		t.Fatalf("%+v, %v", granted, err)
	}
	began := time.Now()
	time.Sleep(2 * time.Second)
	_, body := read(t, a, "/debug/pprof/allocs")
	took := time.Since(began).Seconds()
	p, err := profile.Parse(bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	var bytes float64
	for _, s := range p.Sample {
		if l := s.Location[0].Line; len(l) > 0 && strings.HasPrefix(l[0].Function.Name, "main.main") {
			bytes += float64(s.Value[1])
		}
	}
	// Four goroutines allocate 4 KiB in each round of 6 to 9 ms; a busy machine makes fewer.
	if most := took * 4096 * 4 / 6e-3; bytes > 1.5*most || bytes < most/15 {
		t.Errorf("%.3g bytes in %.3g s, of at most %.3g", bytes, took, most)
	}
	_ = lease.Body.Close()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	left, err := inspect.Open(pid)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := left.Profile(unpark.KindAllocs); err == nil {
		t.Error("the process goes on recording its allocations")
	}
}

func read(t *testing.T, a *Attached, page string) (status int, body string) {
	t.Helper()
	resp, err := get(t.Context(), a.Addresses[0], page)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}
