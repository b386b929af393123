//go:build linux && (amd64 || arm64)

package inspect

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
	"github.com/unpark-go/unpark/internal/measure/proc"
)

// About is what a process is.
type About struct {
	Parent       int
	Go           string
	Module, Path string
	Own          []string // modules that were built from folders
	GOMAXPROCS   int      // as it is now; the processors that it may use where the binary does not tell
	CPUs         int      // that it may use
	Boot         string   // of the kernel
	Born         uint64   // in ticks of 1/100 s since that kernel's boot
}

// About describes the process.
func (p *Process) About() About {
	build := p.Image.Build
	a := About{Go: build.GoVersion, Module: build.Main.Path, Path: build.Path, Born: p.born, CPUs: allowed(p.PID)}
	for _, d := range build.Deps {
		if d.Replace != nil && d.Replace.Version == "" {
			a.Own = append(a.Own, d.Path)
		}
	}
	a.GOMAXPROCS = a.CPUs
	if at := p.variables.MaxProcs; at != 0 {
		var b [4]byte
		if p.mem.Read(at, b[:]) == nil {
			a.GOMAXPROCS = int(int32(binary.LittleEndian.Uint32(b[:])))
		}
	}
	if self, err := proc.Read(p.PID); err == nil {
		a.Parent = self.Parent
	}
	if b, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		a.Boot = strings.TrimSpace(string(b))
	}
	return a
}

// allowed is how many processors a process may use.
func allowed(pid int) int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(pid, &set) != nil {
		return runtime.NumCPU()
	}
	return set.Count()
}

// Nanoseconds turns a rate of blocking, which the runtime keeps in ticks, into time.
func (p *Process) Nanoseconds(rate int64) int64 {
	if rate <= 1 { // off, or everything
		return rate
	}
	return int64(float64(rate) / p.clock.perSecond() * 1e9)
}

// Rates are those at which the process records: ticks of blocking and one in so many contentions;
// 0 is off. Memory is one in so many allocated bytes.
type Rates struct{ Block, Mutex, Memory int64 }

// Rates reads those of blocking and of locks.
func (p *Process) Rates() (Rates, error) {
	block, err := memory.Uint64(p.mem, p.variables.BlockRate)
	if err != nil {
		return Rates{}, err
	}
	mutex, err := memory.Uint64(p.mem, p.variables.MutexRate)
	return Rates{Block: int64(block), Mutex: int64(mutex)}, err
}

// MemoryRate is one in how many allocated bytes the process records; 0 is off.
func (p *Process) MemoryRate() int64 { return max(0, p.memoryRate()) }

// memoryRate is one in how many bytes the process records: 0 where it records none, because the
// linker turns that off in a program that cannot ask for it (runtime.disableMemoryProfiling). A
// program that does not tell where it has that is taken to leave it as it is.
func (p *Process) memoryRate() int64 {
	if at := p.variables.MemRate; at != 0 {
		if rate, err := memory.Uint64(p.mem, at); err == nil {
			return int64(rate)
		}
	}
	return memRate
}

const memoryVariable = "runtime.MemProfileRate"

// kindOff is ErrKind with a reason.
func kindOff(kind unpark.Kind, why string) error { return fmt.Errorf("%s: %w: %s", kind, ErrKind, why) }
