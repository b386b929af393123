package window

import (
	"context"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect"
)

const (
	// usualHertz is the rate of runtime/pprof.StartCPUProfile, for each second that a thread computes.
	usualHertz = 100
	// sampledHertz is how often the kernel samples where functions are compared over rounds: sampling makes most of the noise
	// there (docs/ab.md). A stack is up to 1 kB, of which a ring of perf holds what comes in 64 ms.
	sampledHertz = 1000
	// askedHertz is what the probe is asked for where the kernel may not be. Linux gives runtime/pprof no more than
	// CONFIG_HZ, 250 in most kernels, and a signal of the profiler costs the service some microseconds.
	askedHertz = 500
)

// hertz is how often a session wants CPU to be sampled, at most.
func (s *session) hertz() float64 {
	switch {
	case s.reach != costs:
		return usualHertz
	case s.o.CostsHertz > 0:
		return s.o.CostsHertz
	}
	return sampledHertz
}

// cpu takes the CPU profile over the whole window, or until ctx ends, with so many samples at most. The rate that was had tells
// afterwards where they are from.
func (m *member) cpu(ctx context.Context, d time.Duration, most float64) {
	r := m.kind(unpark.KindCPU)
	r.start = time.Now()
	hertz := 0
	switch {
	case most >= sampledHertz && m.sampled(ctx, r, d):
		return
	case most >= askedHertz && m.endpoint.Info != nil && !m.endpoint.attached():
		hertz = askedHertz
	}
	r.rate = unpark.Num(float64(max(hertz, usualHertz)))
	r.body, r.err = profiledUntil(ctx, m.endpoint, d.Seconds(), hertz)
	r.end = earlier(time.Now(), r.start.Add(d))
}

// sampled has the kernel sample a process of this machine, and reports whether it could. Both arms of a comparison have to be
// sampled in one way: the kernel's stacks differ a little from the runtime's.
func (m *member) sampled(ctx context.Context, r *raw, d time.Duration) bool {
	if m.endpoint.Local <= 0 || m.endpoint.attached() {
		return false
	}
	p, err := inspect.Open(m.endpoint.Local)
	if err != nil {
		return false // not Go 1.22 to 1.27, or not ours to read
	}
	body, err := p.CPU(ctx, d, inspect.Sampling{Hertz: sampledHertz, Kernel: true})
	if err != nil {
		return false
	}
	r.rate, r.body, r.end = unpark.Num(sampledHertz), body, time.Now()
	return true
}
