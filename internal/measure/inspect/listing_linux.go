//go:build linux && (amd64 || arm64)

package inspect

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
)

// mostListed is how many goroutines are listed one by one; of more, the first of the runtime's list,
// so that two listings are of the same.
const mostListed = 100_000

// Stacks lists goroutines as a dump of the runtime's does (goroutine?debug=2), without what it says of
// arguments: those are not where a reader could find them.
func (p *Process) Stacks() ([]byte, error) {
	if err := p.Alive(); err != nil {
		return nil, err
	}
	c, err := first(p.mem, p.Image.Layout, p.variables, mostListed)
	if err != nil {
		return nil, fmt.Errorf("process %d: %w", p.PID, err)
	}
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return nil, fmt.Errorf("process %d: read the clock: %w", p.PID, err)
	}
	var out bytes.Buffer
	reasons := layout.Reasons(p.Image.Build.GoVersion)
	for _, g := range c.seen {
		if !p.system(g) {
			p.list(&out, g, reasons, now.Nano())
		}
	}
	return out.Bytes(), nil
}

// list writes one goroutine (runtime/traceback.go, goroutineheader and traceback).
func (p *Process) list(out *bytes.Buffer, g goroutine, reasons []string, now int64) {
	fmt.Fprintf(out, "goroutine %d [%s", g.id, g.word(reasons))
	if minutes := (now - g.since) / 60e9; g.since > 0 && minutes > 0 && (g.state == waiting || g.state == syscall) {
		fmt.Fprintf(out, ", %d minutes", minutes)
	}
	out.WriteString("]:\n")
	if len(g.stack) == 0 {
		out.WriteString("\tgoroutine running on other thread; stack unavailable\n")
	}
	for _, f := range p.Image.Functions.Expand(g.stack) {
		if f.Function != "runtime.goexit" && f.Function != "runtime.gopark" {
			fmt.Fprintf(out, "%s(...)\n\t%s:%d\n", f.Function, f.File, f.Line)
		}
	}
	if by := p.Image.Functions.Expand([]uint64{g.created}); g.created != 0 && len(by) > 0 && by[0].Function != "runtime.main" {
		fmt.Fprintf(out, "created by %s\n\t%s:%d\n", by[0].Function, by[0].File, by[0].Line)
	}
	out.WriteString("\n")
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
	began := p.Image.Functions.Frames(g.start)
	if len(began) == 0 {
		return false
	}
	name := began[len(began)-1].Function
	return strings.HasPrefix(name, "runtime.") && name != "runtime.main" && name != "runtime.corostart" && name != "runtime.handleAsyncEvent"
}
