//go:build linux && (amd64 || arm64)

package inspect

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
	"github.com/unpark-go/unpark/internal/measure/inspect/pclntab"
	"github.com/unpark-go/unpark/internal/roles"
)

// mostListed is how many goroutines are listed one by one; of more, the first of the runtime's list,
// so that two listings are of the same.
const mostListed = 100_000

// Stacks lists goroutines as a dump of the runtime's does (goroutine?debug=2). What a call is
// told with are not its arguments, which are not where a reader could find them, but the pointers that
// it still needs; of a call that waits for a lock or a group, the address of that.
func (p *Process) Stacks() ([]byte, error) {
	if err := p.Alive(); err != nil {
		return nil, err
	}
	c, err := first(p.mem, p.Image.Layout, p.variables, mostListed)
	if err != nil {
		return nil, fmt.Errorf("process %d: %w", p.PID, err)
	}
	waits := map[uint64]uint64{}
	if p.variables.Semaphores != 0 {
		// Without it locks have no address, and all else is as it was.
		waits, _ = semaphores(p.mem, p.Image.Layout, p.variables.Semaphores, p.Image.Arch)
	}
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return nil, fmt.Errorf("process %d: read the clock: %w", p.PID, err)
	}
	l := listing{reader: p.reader(), reasons: layout.Reasons(p.Image.Build.GoVersion), now: now.Nano()}
	for _, g := range c.seen {
		if !p.system(g) {
			g.waits = waits[g.address]
			l.add(g)
		}
	}
	return l.out.Bytes(), nil
}

// listing is a dump that is written.
type listing struct {
	reader  *reader
	reasons []string
	now     int64 // of the clock that goroutines note when they park
	out     bytes.Buffer
}

// add writes one goroutine (runtime/traceback.go, goroutineheader and traceback).
func (l *listing) add(g goroutine) {
	fmt.Fprintf(&l.out, "goroutine %d [%s", g.id, g.word(l.reasons))
	if minutes := (l.now - g.since) / 60e9; g.since > 0 && minutes > 0 && (g.state == waiting || g.state == syscall) {
		fmt.Fprintf(&l.out, ", %d minutes", minutes)
	}
	l.out.WriteString("]:\n")
	if len(g.stack) == 0 {
		l.out.WriteString("\tgoroutine running on other thread; stack unavailable\n")
	}
	blocks := true // so far: the calls by which it waits
	on := ""
	for i, ret := range g.stack {
		calls := l.reader.calls(ret)
		for k, f := range calls {
			if hidden(f.Function) {
				continue
			}
			blocks = blocks && roles.Of(f.Function).Blocks
			switch {
			case blocks:
				on = l.waiting(g, f, on)
			case k == len(calls)-1:
				l.call(f, l.reader.pointers(g, i))
			default: // inlined
				l.call(f, nil)
			}
		}
	}
	if by := l.reader.calls(g.created); g.created != 0 && len(by) > 0 && by[0].Function != "runtime.main" {
		fmt.Fprintf(&l.out, "created by %s\n\t%s:%d\n", by[0].Function, by[0].File, by[0].Line)
	}
	l.out.WriteString("\n")
}

// call writes a call with what it points at.
func (l *listing) call(f pclntab.Frame, pointers []uint64) {
	words := "..."
	for i, at := range pointers {
		if i == 0 {
			words = ""
		} else {
			words += ", "
		}
		words += fmt.Sprintf("%#x", at)
	}
	fmt.Fprintf(&l.out, "%s(%s)\n\t%s:%d\n", f.Function, words, f.File, f.Line)
}

// waiting writes a call by which a goroutine waits, with what it waits for: always one word, and with a
// question mark where that is not known. by is the call that takes the semaphore, the innermost one.
func (l *listing) waiting(g goroutine, f pclntab.Frame, by string) string {
	if by == "" {
		by = f.Function
	}
	word := "0x0?"
	if back, ok := semaphoreAt[by]; ok && g.waits > back {
		word = fmt.Sprintf("%#x", g.waits-back)
	}
	fmt.Fprintf(&l.out, "%s(%s)\n\t%s:%d\n", f.Function, word, f.File, f.Line)
	return by
}

// semaphoreAt is where the semaphore of what is waited for lies in it, by the function that takes
// it: sync/mutex.go, sync/rwmutex.go and sync/waitgroup.go, the same from Go 1.22 to 1.27. A writer of
// an RWMutex waits for the other writers first, by the Mutex that it begins with.
var semaphoreAt = map[string]uint64{
	"sync.runtime_SemacquireMutex":          4,
	"internal/sync.runtime_SemacquireMutex": 4,
	"sync.runtime_SemacquireRWMutex":        8,
	"sync.runtime_SemacquireRWMutexR":       12,
	"sync.runtime_SemacquireWaitGroup":      8,
	"sync.runtime_Semacquire":               8,
}

// hidden reports whether a dump leaves out a function: one of the runtime's that no program can
// call (runtime/traceback.go, showfuncinfo and isExportedRuntime).
func hidden(name string) bool {
	rest, ok := strings.CutPrefix(name, "runtime.")
	if !ok {
		return false
	}
	for _, part := range strings.Split(strings.TrimLeft(rest, "(*"), ").") {
		if part == "" || part[0] < 'A' || part[0] > 'Z' {
			return true
		}
	}
	return false
}

// word is what the runtime calls a goroutine's state.
func (g goroutine) word(reasons []string) string {
	switch g.state {
	case runnable:
		return "runnable"
	case running:
		return "running"
	case syscall:
		return "syscall"
	case waiting:
		if int(g.reason) < len(reasons) && reasons[g.reason] != "" {
			return reasons[g.reason]
		}
		return "waiting"
	}
	return "copystack"
}

// system reports whether a goroutine is the runtime's own, which its profiles leave out
// (runtime/traceback.go, isSystemGoroutine).
func (p *Process) system(g goroutine) bool {
	name := p.Image.Functions.Name(g.start)
	return strings.HasPrefix(name, "runtime.") && name != "runtime.main" && name != "runtime.corostart" && name != "runtime.handleAsyncEvent"
}
