package window

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

const (
	// A guarded process's counts are read so often, and two readings are kept: a window
	// that needs the past begins with the older one, 5 to 10 s before.
	readEvery    = 5 * time.Second
	readingsKept = 2
	// Its goroutines are read so often; a window has the last of these.
	dumpEvery = time.Second
	dumpsKept = 10
	// restGuarded bounds what that costs: what took d comes again at the earliest after
	// so many d. Half of a percent is left for all readings together.
	restGuarded = 400
)

// cumulative are the kinds of which a window is the difference of two readings.
var cumulative = []unpark.Kind{unpark.KindAllocs, unpark.KindMutex, unpark.KindBlock}

// past is the last seconds of one process that is guarded.
type past struct {
	endpoint *Endpoint
	lease    *lease
	flight   *held // nil without a recorder
	armed    time.Time

	mu       sync.Mutex
	paused   bool
	readings []firstReading // the oldest first
	dumps    []raw
	reads    due
	looks    due
}

// firstReading is a reading that a window may begin with.
type firstReading struct {
	at      time.Time
	kinds   map[unpark.Kind]raw
	page    page
	usage   *life // what the kernel says; nil where it is not known here
	id      identity
	machine rusage.Machine
}

// due is when something is read again.
type due struct {
	next     time.Time
	quickest time.Duration
}

// now reports whether it is time.
func (d *due) now(at time.Time) bool { return !at.Before(d.next) }

// took notes how long a reading took. One may be slow because it waited for a processor:
// the quickest tells what they cost.
func (d *due) took(at time.Time, took, every time.Duration) {
	if d.quickest == 0 || took < d.quickest {
		d.quickest = took
	}
	// Called once a second or so: what is due within half of one is due.
	d.next = at.Add(max(every, restGuarded*d.quickest) - 500*time.Millisecond)
}

func (p *past) keep(ctx context.Context, now time.Time) error {
	p.mu.Lock()
	dump, read := !p.paused && p.looks.now(now), p.reads.now(now)
	p.mu.Unlock()
	if read {
		if err := p.read(ctx, now); err != nil {
			return err
		}
	}
	if dump {
		return p.dump(ctx)
	}
	return nil
}

func (p *past) read(ctx context.Context, now time.Time) error {
	r := firstReading{at: now, kinds: map[unpark.Kind]raw{}}
	for _, k := range cumulative {
		one := raw{start: time.Now()}
		one.base, one.err = p.endpoint.Read(ctx, k, 0)
		if one.err != nil && !absent(one.err) {
			return one.err
		}
		r.kinds[k] = one
	}
	took := time.Since(now)
	if !p.endpoint.attached() {
		r.page, _ = p.endpoint.metrics(ctx) // what cannot be told is unknown
	}
	if pid := p.endpoint.Local; pid > 0 {
		if u, err := rusage.ReadProcess(pid); err == nil {
			r.id = identity{pid, u.StartTicks}
			r.usage = &life{process: target.Process{PID: pid}, first: now, last: now, usage: u}
		}
		r.machine, _ = rusage.ReadMachine()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads.took(now, took, readEvery)
	p.readings = append(p.readings, r)
	p.readings = p.readings[max(0, len(p.readings)-readingsKept):]
	return nil
}

func (p *past) dump(ctx context.Context) error {
	r := raw{start: time.Now()}
	r.body, r.err = p.endpoint.Read(ctx, unpark.KindGoroutine, 0)
	r.end = time.Now()
	if r.err != nil {
		return r.err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looks.took(r.start, r.end.Sub(r.start), dumpEvery)
	p.dumps = append(p.dumps, r)
	p.dumps = p.dumps[max(0, len(p.dumps)-dumpsKept):]
	return nil
}

// first returns the reading that a window begins with, and the dumps since then.
func (p *past) first() (r firstReading, dumps []raw, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.readings) == 0 {
		return r, nil, false
	}
	r = p.readings[0]
	for _, d := range p.dumps {
		if !d.start.Before(r.at) {
			dumps = append(dumps, d)
		}
	}
	return r, slices.Clone(dumps), true
}

func (p *past) disarm() {
	if p.flight != nil {
		p.flight.end()
		p.flight = nil
	}
}
