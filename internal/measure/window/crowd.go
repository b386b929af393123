package window

import (
	"context"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect"
)

// crowd is how many goroutines a process of this machine has for it to be read from outside: its
// own profile of them stops the world, takes time and makes garbage for each. 100,000 parked ones
// halved the throughput of a service, and a million were not to be had at all.
const crowd = 10_000

// uncounted is how many goroutines a process has for it not to be traced. A trace names each of them once a second, for which the runtime
// stops each (runtime/trace.go, traceAdvance): with a million parked ones a trace of one second took 3.9 s of the process, and reading it
// another 400 MB here.
const uncounted = 100_000

// outside reads the goroutines of a process; nil where its own profile is cheap, or where it cannot
// be read.
type outside interface {
	Profile(kind unpark.Kind) ([]byte, error)
}

// look decides from where a member's goroutines are read.
func (m *member) look() {
	if m.endpoint.Local <= 0 || m.endpoint.attached() {
		return
	}
	p, err := inspect.Open(m.endpoint.Local)
	if err != nil {
		return // not Go 1.22 to 1.27, or not ours to read
	}
	n, err := p.Goroutines()
	if err != nil {
		return
	}
	if m.living = unpark.Num(float64(n)); n >= crowd {
		m.outside = p
	}
}

// crowded reports whether a member has too many goroutines to be traced, and how many.
func (m *member) crowded() (living float64, is bool) {
	living = m.living.Or(m.pages[1].metrics.at("/sched/goroutines:goroutines").Or(0))
	return living, living > uncounted
}

// goroutines reads the goroutines of a member.
func (m *member) goroutines(ctx context.Context) ([]byte, error) {
	if m.outside != nil {
		if b, err := m.outside.Profile(unpark.KindGoroutine); err == nil {
			return b, nil
		}
	}
	return m.endpoint.Read(ctx, unpark.KindGoroutine, 0)
}
