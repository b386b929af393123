package exectrace_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark/evidence"
	"github.com/unpark-go/unpark/exectrace"
	"github.com/unpark-go/unpark/profile"
)

// catalogued are the options by which the rest of unpark reads a trace of the
// cases.
func catalogued() exectrace.Options {
	return exectrace.Options{Meaning: evidence.Meaning(profile.NewCatalogue("example.com/cases"))}
}

// read reads what must be readable whole.
func read(t testing.TB, data []byte) *exectrace.Trace {
	t.Helper()
	tr, err := exectrace.Read(bytes.NewReader(data), catalogued())
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	if tr.Broken != nil {
		t.Fatalf("broken: %v", tr.Broken)
	}
	if tr.Bytes != int64(len(data)) || tr.Used != tr.Bytes {
		t.Errorf("%d bytes, used %d of %d", len(data), tr.Used, tr.Bytes)
	}
	return tr
}

// build builds testdata/cases into a folder and returns the program.
func build(t *testing.T, dir string, cgo bool) string {
	t.Helper()
	name, setting := "cases", "CGO_ENABLED=0"
	if cgo {
		name, setting = "cases-cgo", "CGO_ENABLED=1"
	}
	program := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-o", program, ".")
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
