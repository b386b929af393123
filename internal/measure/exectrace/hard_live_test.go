//go:build live

package exectrace_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// write keeps the recordings that are as expected, for the suite:
//
//	go test -tags live -run TestLiveHard ./internal/measure/exectrace -record
var write = flag.Bool("record", false, "record testdata/hard anew")

// TestLiveHardCases records the cases anew. The whole process may not run for as long
// as a holder sleeps, which spoils the shares of a recording; what must hold of every
// trace must hold of this one, too.
func TestLiveHardCases(t *testing.T) {
	dir := t.TempDir()
	programs := map[bool]string{false: build(t, dir, false)}
	if hasCompiler() {
		programs[true] = build(t, dir, true)
	}
	for _, h := range hardCases() {
		t.Run(h.title(), func(t *testing.T) {
			program := programs[h.cgo]
			if program == "" {
				t.Skip("needs a C compiler")
			}
			if !h.busy {
				t.Parallel()
			}
			data := record(t, program, h.name, h.env...)
			v := h.read(t, data)
			for _, f := range v.failed {
				t.Error(f)
			}
			kept(t, h.file(), data)
		})
	}
}

func TestLiveHardHolds(t *testing.T) {
	program := build(t, t.TempDir(), false)
	for _, c := range holdCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data := record(t, program, c.name)
			if !c.fits(t, read(t, data)) {
				t.Errorf("want %d holds or more, a mean in %v ns, a squared coefficient of variation in %v", c.least, c.mean, c.scv)
			}
			kept(t, recording(c.name), data)
		})
	}
}

// kept keeps a recording that failed for go tool trace, in the folder that
// EXECTRACE_KEEP names, and with -record one that did not for the suite.
func kept(t *testing.T, file string, data []byte) {
	t.Helper()
	if t.Failed() {
		keep(t, data)
		return
	}
	if !*write {
		return
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, err := z.Write(data)
	if err := errors.Join(err, z.Close(), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, b.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// build builds testdata/cases into a folder and returns the program.
func build(t *testing.T, dir string, cgo bool) string {
	t.Helper()
	name, setting := "cases", "CGO_ENABLED=0"
	if cgo {
		name, setting = "cases-cgo", "CGO_ENABLED=1"
	}
	program := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-trimpath", "-o", program, ".")
	cmd.Dir = filepath.Join("testdata", "cases")
	cmd.Env = append(os.Environ(), setting, "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the cases: %v\n%s", err, out)
	}
	return program
}

// record runs one case and returns its trace.
func record(t *testing.T, program, name string, env ...string) []byte {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	file := filepath.Join(t.TempDir(), "trace.out")
	cmd := exec.CommandContext(ctx, program, name, file)
	// The go line of the cases' module would choose the timers of Go 1.22.
	cmd.Env = append(append(os.Environ(), "GODEBUG=asynctimerchan=0"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("run case %s: %v\n%s", name, err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// keep keeps the trace of a recording that failed, for go tool trace, in the folder
// that EXECTRACE_KEEP names.
func keep(t *testing.T, data []byte) {
	t.Helper()
	dir := os.Getenv("EXECTRACE_KEEP")
	if dir == "" {
		return
	}
	f, err := os.CreateTemp(dir, strings.ReplaceAll(t.Name(), "/", "-")+"-*.trace")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	t.Logf("kept as %s", f.Name())
}

func hasCompiler() bool {
	for _, cc := range []string{os.Getenv("CC"), "gcc", "clang"} {
		if cc == "" {
			continue
		}
		if _, err := exec.LookPath(cc); err == nil {
			return runtime.GOOS != "windows"
		}
	}
	return false
}
