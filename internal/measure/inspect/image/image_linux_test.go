//go:build linux && (amd64 || arm64)

package image

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
	"github.com/unpark-go/unpark/internal/rota"
)

// self is this test as a process.
func self(t *testing.T) *Image {
	t.Helper()
	i, err := Open(os.Getpid(), memory.Of(os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// callers is a stack with inlined calls, by runtime.Callers and by the runtime's own reading of it.
func callers(skip int) ([]uint64, []runtime.Frame) {
	var pcs [64]uintptr
	n := runtime.Callers(skip+1, pcs[:])
	var frames []runtime.Frame
	for all := runtime.CallersFrames(pcs[:n]); ; {
		f, more := all.Next()
		frames = append(frames, f)
		if !more {
			break
		}
	}
	out := make([]uint64, n)
	for i, pc := range pcs[:n] {
		out[i] = uint64(pc)
	}
	return out, frames
}

func inlined() ([]uint64, []runtime.Frame) { return callers(1) }

//go:noinline
func outer() ([]uint64, []runtime.Frame) {
	return func() ([]uint64, []runtime.Frame) { return inlined() }()
}

// TestFramesAreTheRuntimes reads functions, files and lines as the runtime itself does, also of
// calls that were inlined.
func TestFramesAreTheRuntimes(t *testing.T) {
	i := self(t)
	pcs, want := outer()
	got := i.Functions.Expand(pcs)
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d:\n%+v\n%+v", len(got), len(want), got, want)
	}
	for k, f := range want {
		if g := got[k]; g.Function != f.Function || g.File != f.File || g.Line != f.Line {
			t.Errorf("frame %d is %+v, want %s %s:%d", k, g, f.Function, f.File, f.Line)
		}
	}
	// What the processor has on its stack are the addresses of real calls alone.
	real := pcs[:0:0]
	for _, pc := range pcs {
		if f := runtime.FuncForPC(uintptr(pc - 1)); f != nil && len(i.Functions.Frames(pc-1)) > 0 {
			real = append(real, pc)
		}
	}
	if len(i.Functions.Expand(real)) < len(want) {
		t.Errorf("%d frames of %d", len(i.Functions.Expand(real)), len(want))
	}
}

// TestEveryFunction: each function of this program is found by its name, and its addresses
// lead back to it.
func TestEveryFunction(t *testing.T) {
	i := self(t)
	for _, name := range []string{"runtime.main", "runtime.stkbucket", "testing.tRunner", "github.com/unpark-go/unpark/internal/measure/inspect/image.outer"} {
		start, end, ok := i.Functions.Range(name)
		if !ok || end <= start {
			t.Errorf("%s: %#x–%#x, %v", name, start, end, ok)
			continue
		}
		for _, pc := range []uint64{start, start + (end-start)/2, end - 1} {
			f := i.Functions.Frames(pc)
			if len(f) == 0 || f[len(f)-1].Function != name {
				t.Errorf("%#x is in %+v, want %s", pc, f, name)
			}
		}
	}
	if f := i.Functions.Frames(1); f != nil {
		t.Errorf("an address outside of the program is in %+v", f)
	}
	if _, _, ok := i.Functions.Range("no.such"); ok {
		t.Error("a function that there is not was found")
	}
}

// source is a folder with a small program.
func source(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":  "module example.com/sleeps\n\ngo 1.22\n",
		"main.go": "package main\n\nimport \"time\"\n\nfunc main() { time.Sleep(time.Minute) }\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// built is a program with symbols and DWARF, which go test leaves out of its own, as a process.
func built(t *testing.T) (*Image, string) {
	t.Helper()
	dir := source(t)
	build := exec.Command("go", "build", "-o", "sleeps", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	file := filepath.Join(dir, "sleeps")
	c := exec.Command(file)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	// Until it has begun, it is this test's own image, or has no heap yet.
	var i *Image
	var err error
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if i, err = Open(c.Process.Pid, memory.Of(c.Process.Pid)); err == nil && i.Build.Path == "example.com/sleeps" {
			return i, file
		}
	}
	t.Fatalf("%+v, %v", i, err)
	return nil, ""
}

// TestVariablesByCode finds in the code what the table of symbols says.
func TestVariablesByCode(t *testing.T) {
	i, _ := built(t)
	byCode(t, i)
}

// file is a program's memory as its file has it, before it runs.
type file []*elf.Prog

// Read implements memory.Reader.
func (f file) Read(addr uint64, p []byte) error {
	for _, s := range f {
		if s.Type == elf.PT_LOAD && addr >= s.Vaddr && addr+uint64(len(p)) <= s.Vaddr+s.Filesz {
			_, err := s.ReadAt(p, int64(addr-s.Vaddr))
			return err
		}
	}
	return memory.ErrUnmapped
}

// TestVariablesOfEachVersion finds them in the code of programs of each version and processor that there
// are tables for; none of them runs.
func TestVariablesOfEachVersion(t *testing.T) {
	dir := source(t)
	toolchains := []string{"go1.22.12", "go1.23.12", "go1.24.13", "go1.25.11", "go1.26.8", "go1.27.1"}
	for n, toolchain := range toolchains {
		if !rota.Long(n, len(toolchains)) {
			continue // a day for each: the standard library is compiled with it for both
		}
		for _, arch := range []string{"amd64", "arm64"} {
			t.Run(toolchain+" "+arch, func(t *testing.T) {
				build := exec.Command("go", "build", "-o", toolchain+arch, ".")
				build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0", "GOTOOLCHAIN="+toolchain, "GOARCH="+arch)
				if said, err := build.CombinedOutput(); err != nil {
					t.Skipf("%s cannot be had here: %s", toolchain, said)
				}
				f, err := os.Open(filepath.Join(dir, toolchain+arch))
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				program, err := elf.NewFile(f)
				if err != nil {
					t.Fatal(err)
				}
				at := slices.IndexFunc(program.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_PHDR })
				i, err := Read(f, file(program.Progs), program.Progs[at].Vaddr)
				if err != nil {
					t.Fatal(err)
				}
				byCode(t, i)
			})
		}
	}
}

// byCode holds what the code says against what the symbols say.
func byCode(t *testing.T, i *Image) {
	t.Helper()
	want, err := i.Variables()
	if err != nil || i.Stripped {
		t.Fatalf("by symbols: %v; stripped %v", err, i.Stripped)
	}
	got, err := i.byCode()
	if err != nil || got != want {
		t.Errorf("by code %+v, %v; by symbols %+v", got, err, want)
	}
}

// TestTablesAreTheBinarys: what the generated tables say of the version that this was built
// with is what a binary's own description of its types says.
func TestTablesAreTheBinarys(t *testing.T) {
	i, file := built(t)
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := f.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	want, err := layout.FromDWARF(d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := layout.Of(i.Build.GoVersion, i.Arch)
	if err != nil || got != want {
		t.Errorf("tables %+v, %v; DWARF %+v", got, err, want)
	}
}
