//go:build linux && (amd64 || arm64)

package inspect

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect/image"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
	"github.com/unpark-go/unpark/internal/measure/proc"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// Process is a Go process of this machine. It may be used from several goroutines.
type Process struct {
	PID   int
	Image *image.Image

	mem       memory.Process
	variables image.Variables
	born      uint64 // start time, in ticks since the machine began: a number may be used again
	clock     clock

	stopped stopped

	mu     sync.Mutex
	random *rand.Rand
}

// Open looks at a process. Errors say what would allow it.
func Open(pid int) (*Process, error) {
	born, err := bornAt(pid)
	if err != nil {
		return nil, err
	}
	if whole := wholeOf(pid); whole != pid {
		return nil, fmt.Errorf("%d is a thread of process %d: name the process, as with --pid %d", pid, whole, whole)
	}
	p := &Process{PID: pid, mem: memory.Of(pid), born: born, random: rand.New(rand.NewPCG(uint64(pid), born)), stopped: stopped{of: map[unpark.Kind]reading{}}}
	if p.Image, err = image.Open(pid, p.mem); err != nil {
		return nil, denied(pid, err)
	}
	if p.variables, err = p.Image.Variables(); err != nil {
		return nil, fmt.Errorf("process %d: %w", pid, err)
	}
	p.clock = newClock()
	return p, p.Alive()
}

// Alive reports whether it is still the process that was opened.
func (p *Process) Alive() error {
	born, err := bornAt(p.PID)
	if errors.Is(err, errNone) {
		return fmt.Errorf("process %d: %w", p.PID, memory.ErrGone)
	}
	if err != nil {
		return err
	}
	if born != p.born {
		return fmt.Errorf("process %d: %w, and its number belongs to another one", p.PID, memory.ErrGone)
	}
	return nil
}

var errNone = errors.New("there is none with this number here: see ps -e, or name its program with --pid-of; in a container processes have numbers of its own")

// wholeOf is the process that a thread belongs to: /proc answers for the number of a thread as well, which tools such as top -H
// show, but what the kernel samples has the number of the process. The number itself where that cannot be told.
func wholeOf(pid int) int {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "Tgid:"); ok {
			if whole, err := strconv.Atoi(strings.TrimSpace(rest)); err == nil && whole > 0 {
				return whole
			}
		}
	}
	return pid
}

// bornAt is when a process began (proc(5), field 22 of stat).
func bornAt(pid int) (uint64, error) {
	p, err := proc.Read(pid)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, unix.ESRCH):
		return 0, fmt.Errorf("process %d: %w", pid, errNone)
	case err != nil:
		return 0, fmt.Errorf("process %d: %w", pid, err)
	case p.Dead():
		return 0, fmt.Errorf("process %d: %w: it is a zombie, which its parent has not waited for: name a process that runs (ps -e)", pid, memory.ErrGone)
	}
	return p.Start, nil
}

// denied adds what would allow to read a process.
func denied(pid int, err error) error {
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("process %d: %w: %s: %w", pid, memory.ErrRefused, memory.Of(pid).Cure(), err)
	}
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("process %d runs no program of its own: it is the kernel's, or has just ended: %w", pid, err)
	}
	return err
}

// ErrKind says that a kind is not read from outside, or is off, wrapped.
var ErrKind = errors.New("it is not recorded")

// Profile reads one kind as it stands now: counts since the process began, or goroutines.
func (p *Process) Profile(kind unpark.Kind) ([]byte, error) {
	if err := p.Alive(); err != nil {
		return nil, err
	}
	switch kind {
	case unpark.KindGoroutine:
		return p.goroutineProfile()
	case unpark.KindBlock, unpark.KindMutex:
	case unpark.KindAllocs, unpark.KindHeap:
		if p.memoryRate() <= 0 {
			return nil, kindOff(kind, "the program cannot ask for it, so the linker turned it off (runtime.MemProfileRate is 0): --memory-rate turns it on")
		}
	default:
		return nil, kindOff(kind, "memory does not have it")
	}
	r, err := p.soFar(kind)
	if err != nil {
		return nil, fmt.Errorf("process %d: %s profile: %w", p.PID, kind, err)
	}
	return p.encode(kind, r)
}

// Goroutines is how many there are places for: as many as there ever were at a time.
func (p *Process) Goroutines() (int, error) {
	n, _, err := list(p.mem, p.variables)
	return n, err
}

// counted is how many goroutines are drawn to estimate how many live: within 3 % where nearly all do.
const counted = 1000

// Living estimates how many goroutines there are now, the runtime's own among them.
func (p *Process) Living() (float64, error) {
	c, err := p.sample(counted)
	if err != nil || c.drawn == 0 {
		return 0, err
	}
	return float64(c.all) * float64(len(c.seen)) / float64(max(1, c.drawn-c.torn)), nil
}

// sample reads at most n goroutines.
func (p *Process) sample(n int) (census, error) {
	if err := p.Alive(); err != nil {
		return census{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c, err := goroutines(p.mem, p.Image.Layout, p.variables, n, p.random)
	if err != nil {
		return c, fmt.Errorf("process %d: %w", p.PID, err)
	}
	return c, nil
}

// mostSampled is how many goroutines are read at a time: what each group of a hundredth of
// them has is then known within a tenth.
const mostSampled = 4000

// goroutineProfile is the goroutines of now, each standing for as many as it was drawn from.
func (p *Process) goroutineProfile() ([]byte, error) {
	c, err := p.sample(mostSampled)
	if err != nil {
		return nil, err
	}
	m := profile.Make("goroutine", "count", 1, "goroutine", "count")
	each := 1.0
	if c.drawn > 0 {
		each = float64(c.all) / float64(max(1, c.drawn-c.torn))
	}
	if c.drawn < c.all || c.torn > 0 {
		m.Drawn(c.drawn, c.all, c.torn)
	}
	c.seen = slices.DeleteFunc(c.seen, p.system)
	for _, g := range c.grouped() {
		m.Add(p.sites(g.stack), int64(math.Round(each*float64(g.n))))
	}
	return m.Bytes()
}
