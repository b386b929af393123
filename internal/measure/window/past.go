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
	// What that costs a process is held to guardedShare of the CPU which it uses, by what its probe says that each answer
	// took: one comes again when its share has paid for it. With the timing of requests and the recording of waits, which
	// go by the request, it stays under a hundredth. A process that uses little may be read for guardedLeast of a core.
	guardedShare, guardedLeast = 0.003, 0.003
	// countsPart of it is for the counts, the rest for goroutines.
	countsPart = 0.5
	// restGuarded bounds it where the probe does not say what answers took: what took d comes again at the earliest after
	// so many d.
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
	cores    float64 // that the process used between the last two readings; 0 while unknown
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

// price is what a reading cost.
type price struct {
	at   time.Time     // when it began
	took time.Duration // by the clock
	cpu  unpark.Number // CPU seconds of the process
}

// took notes a reading, which comes again after every, or later where cores would be too few to pay for it until then.
func (d *due) took(p price, every time.Duration, cores float64) {
	// Called once a second or so: what is due within half of one is due.
	d.next = p.at.Add(every - 500*time.Millisecond)
	rest := time.Duration(0)
	if cpu, ok := p.cpu.Get(); ok {
		rest = time.Duration(min(cpu/cores, longestRest.Seconds()) * float64(time.Second))
	} else {
		// One may be slow because it waited for a processor: the quickest tells what they cost.
		if d.quickest == 0 || p.took < d.quickest {
			d.quickest = p.took
		}
		rest = restGuarded*d.quickest - 500*time.Millisecond
	}
	if paid := p.at.Add(rest); paid.After(d.next) {
		d.next = paid
	}
}

// bill is what several answers took together: unknown where one does not say.
type bill struct {
	cpu  float64
	mute bool
}

func (b *bill) add(n unpark.Number) {
	v, ok := n.Get()
	b.cpu, b.mute = b.cpu+v, b.mute || !ok
}

func (b *bill) total() unpark.Number {
	if b.mute {
		return unpark.Number{}
	}
	return unpark.Num(b.cpu)
}

// longestRest keeps a rest within what a duration can tell.
const longestRest = 24 * time.Hour

// budget is how many cores of a process all its readings may take.
func (p *past) budget() float64 { return max(guardedShare*p.cores, guardedLeast) }

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
		return p.dump(ctx, now)
	}
	return nil
}

func (p *past) read(ctx context.Context, now time.Time) error {
	r := firstReading{at: now, kinds: map[unpark.Kind]raw{}}
	var paid bill
	for _, k := range cumulative {
		one := raw{start: time.Now()}
		var cost unpark.Number
		one.base, cost, one.err = read(ctx, p.endpoint, k, 0, 0)
		if one.err != nil && !absent(one.err) {
			return one.err
		}
		r.kinds[k] = one
		if one.err == nil {
			paid.add(cost)
		}
	}
	took := time.Since(now)
	if !p.endpoint.attached() {
		r.page, _ = p.endpoint.metrics(ctx) // what cannot be told is unknown
		paid.add(r.page.cost)
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
	if n := len(p.readings); n > 0 {
		p.cores = r.cores(p.readings[n-1])
	}
	p.reads.took(price{now, took, paid.total()}, readEvery, countsPart*p.budget())
	p.readings = append(p.readings, r)
	p.readings = p.readings[max(0, len(p.readings)-readingsKept):]
	return nil
}

// cores is how many the process used between a reading before and this; 0 where that is not known.
func (r firstReading) cores(before firstReading) float64 {
	if r.usage != nil && before.usage != nil && r.id == before.id {
		return (r.usage.usage.CPU - before.usage.usage.CPU) / r.at.Sub(before.at).Seconds()
	}
	cpu, ok := r.page.CPU.Get()
	first, okFirst := before.page.CPU.Get()
	if between := r.page.At.Sub(before.page.At).Seconds(); ok && okFirst && between > 0 {
		return (cpu - first) / between
	}
	return 0
}

func (p *past) dump(ctx context.Context, now time.Time) error {
	r := raw{start: time.Now()}
	var cost unpark.Number
	r.body, cost, r.err = read(ctx, p.endpoint, unpark.KindGoroutine, 0, 0)
	r.end = time.Now()
	if r.err != nil {
		return r.err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looks.took(price{now, r.end.Sub(r.start), cost}, dumpEvery, (1-countsPart)*p.budget())
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
