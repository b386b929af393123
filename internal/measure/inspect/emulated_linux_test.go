//go:build linux && amd64

package inspect

import (
	"debug/elf"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/inspect/image"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
	"github.com/unpark-go/unpark/internal/rota"
)

// TestARM64 reads a program for arm64 that qemu-user runs: it has the program's memory at the program's own
// addresses, so that all is as on such a machine but the executable, which is opened by its name. The clock is
// this machine's, where the runtime counts nanoseconds: looks has room for that.
func TestARM64(t *testing.T) {
	qemu, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		t.Skip("apt-get install qemu-user-static: ", err)
	}
	toolchains := []string{"go1.22.12", "go1.23.12", "go1.24.13", "go1.25.11", "go1.26.8", "go1.27.1"}
	for n, toolchain := range toolchains {
		for name, flags := range map[string][]string{"": nil, ", stripped": {"-ldflags=-s -w"}} {
			t.Run(toolchain+name, func(t *testing.T) {
				if !rota.Long(n, len(toolchains)) {
					t.Skip("another day: the standard library is compiled with it")
				}
				t.Parallel()
				program := built(t, []string{"GOTOOLCHAIN=" + toolchain, "GOARCH=arm64", "CGO_ENABLED=0"}, flags...)
				c := exec.Command(qemu, "-B", "0", program)
				if line := lineOf(t, c); line != "ready\n" {
					t.Fatalf("the service said %q", line)
				}
				looks(t, emulated(t, c.Process.Pid, program))
			})
		}
	}
}

// emulated is a process whose executable is not the program that it runs.
func emulated(t *testing.T, pid int, program string) *Process {
	t.Helper()
	f, err := os.Open(filepath.Clean(program))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	born, err := bornAt(pid)
	if err != nil {
		t.Fatal(err)
	}
	p := &Process{PID: pid, mem: memory.Of(pid), born: born, random: rand.New(rand.NewPCG(1, 2))}
	header, err := elf.NewFile(f)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(header.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_PHDR })
	if p.Image, err = image.Read(f, p.mem, header.Progs[i].Vaddr); err != nil {
		t.Fatal(err)
	}
	if p.Image.Arch != "arm64" {
		t.Fatalf("built for %s", p.Image.Arch)
	}
	if p.variables, err = p.Image.Variables(); err != nil {
		t.Fatal(err)
	}
	p.clock = newClock()
	return p
}
