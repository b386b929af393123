package load

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark"
)

// firstPhase is the phase before the first Begin.
func firstPhase(plan unpark.Plan) string {
	if plan.Warmup > 0 {
		return "warmup"
	}
	return "window"
}

// clock reads the monotonic clock in nanoseconds since the load began.
type clock struct{ base time.Time }

func (c *clock) now() int64 { return int64(time.Since(c.base)) }

// Generator drives one load plan until it is stopped.
type Generator struct {
	settings *settings
	clock    *clock
	started  time.Time // on the wall
	began    time.Time // in fact
	waited   time.Duration
	engine   engine
	repeats  *repeats
	shards   []*shard
	sent     atomic.Int64 // requests of a closed loop that differ

	ctx     context.Context //nolint:containedctx // that of the load
	cancel  context.CancelFunc
	detach  func() bool // from that context; nil before the load has begun
	running sync.WaitGroup
	stop    sync.Once
	stopped chan struct{}
	stopAt  atomic.Int64 // never until Stop

	begin     sync.Mutex // one change of the stretches at a time
	stretches atomic.Pointer[[]*Stretch]

	timeline timeline
}

// Start checks the plan and begins to drive it; errors name the field, the
// value and the cure. The load runs until Stop is called or ctx is done,
// whatever the plan's Duration says, and what happens before the first Begin
// belongs to the phase "warmup", or "window" where the plan has no warm-up.
//
// An open plan without Connections uses at most 100; a request waits for a free
// one and keeps its intended start. A plan without a Timeout gives up a request
// after 30 s. The rate of a ramp stays at its first value for the plan's Warmup
// and at its last after the end. The certificate of a target is verified unless
// all URLs are on loopback. Redirects are not followed.
func Start(ctx context.Context, plan unpark.Plan) (*Generator, error) {
	s, err := newSettings(plan)
	if err != nil {
		return nil, err
	}
	return s.start(ctx)
}

// Prepare is [Start] without the beginning: everything is made ready that may take long, so that [Generator.StartAt] is on time
// whatever the plan is. Stop gives back what was prepared, whether or not it has begun.
func Prepare(ctx context.Context, plan unpark.Plan) (*Generator, error) {
	s, err := newSettings(plan)
	if err != nil {
		return nil, err
	}
	return s.prepare(ctx)
}

// StartAt begins the load at an instant. Of one that is over, what was due since then is late. The context of Prepare does
// not end the wait, so that callers come shortly before.
func (g *Generator) StartAt(at time.Time) {
	before := runQueued()
	await(at)
	g.run(at)
	g.waited = runQueued() - before
}

func (s *settings) start(ctx context.Context) (*Generator, error) {
	g, err := s.prepare(ctx)
	if err != nil {
		return nil, err
	}
	g.run(time.Now())
	return g, nil
}

// await returns at an instant, which a timer would miss by up to a millisecond.
func await(at time.Time) {
	const overshoot = 1500 * time.Microsecond
	time.Sleep(time.Until(at) - overshoot)
	for time.Until(at) > 0 {
		runtime.Gosched()
	}
}

// prepare makes a generator in which nothing moves yet.
func (s *settings) prepare(ctx context.Context) (*Generator, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("load: start: %w", err)
	}
	g := &Generator{settings: s, clock: &clock{base: time.Now()}, repeats: newRepeats(len(s.kinds)), stopped: make(chan struct{})}
	g.stopAt.Store(never)
	g.ctx, g.cancel = context.WithCancel(ctx)
	var err error
	if g.engine, err = newEngine(g.ctx, g); err != nil {
		g.cancel()
		return nil, fmt.Errorf("load: start: %w", err)
	}
	first := newStretch(g, s.phase)
	g.stretches.Store(&[]*Stretch{first})
	return g, nil
}

// newShards makes the places to record in; an engine asks once.
func (g *Generator) newShards(n int) []*shard {
	for range n {
		g.shards = append(g.shards, &shard{pulse: newPulse()})
	}
	return g.shards
}

// run starts the clock, at an instant, and everything that moves.
func (g *Generator) run(at time.Time) {
	g.begin.Lock() // a Stop by ctx waits for all of this
	defer g.begin.Unlock()
	g.started, g.clock.base = at, at // setting up thousands of connections is no lag
	g.First().cpu = processCPU()
	g.began = g.engine.start()
	g.running.Go(func() { g.watch(g.ctx) })
	g.detach = context.AfterFunc(g.ctx, g.Stop)
}

// Began is when the load began in fact, which a busy machine makes later than it was to: waited is how long
// threads of this process stood ready meanwhile without a processor to run on, together. It is 0 where the system
// does not tell.
func (g *Generator) Began() (at time.Time, waited time.Duration) { return g.began, g.waited }

// First returns the stretch that began with the load. It is the one to measure where
// there is no warm-up: what is due at once would be over when another one begins.
func (g *Generator) First() *Stretch { return (*g.stretches.Load())[0] }

// Begin starts a stretch and ends the one before it at the same instant. The
// phase names it in Live and Ticks: "warmup", "baseline", "window", "trace". After
// Stop it returns an empty stretch.
func (g *Generator) Begin(phase string) *Stretch {
	g.begin.Lock()
	defer g.begin.Unlock()
	next := newStretch(g, phase)
	list := *g.stretches.Load()
	longer := append(append(make([]*Stretch, 0, len(list)+1), list...), next)
	stopped := g.stopAt.Load() != never
	now, offered := g.cut(func(now int64) {
		if next.start = now; !stopped {
			g.stretches.Store(&longer)
		}
	})
	next.offered, next.cpu = offered, processCPU()
	if stopped {
		next.finish(now, offered, next.cpu)
	} else {
		list[len(list)-1].finish(now, offered, next.cpu)
	}
	return next
}

// cut changes what record reads, at an instant that lies between all answers: those
// recorded before it came before it, those recorded later see the change. It
// returns the instant and the number of arrivals that were intended before it; that
// number is 0 in a closed loop.
func (g *Generator) cut(change func(now int64)) (now, offered int64) {
	for _, sh := range g.shards {
		sh.mu.Lock()
	}
	now, heads := g.engine.mark()
	change(now)
	for _, sh := range g.shards {
		sh.mu.Unlock()
	}
	first := heads[0]
	for _, h := range heads {
		if h.index < first.index {
			first = h // all arrivals before this one were taken
		}
	}
	for first.due < now {
		first.index++
		first.due = g.settings.pacer.next(first.index, first.due)
	}
	return now, first.index
}

// Stop ends the last stretch, abandons what is in flight and returns when every
// worker has ended. It may be called again, and from several goroutines.
func (g *Generator) Stop() {
	g.stop.Do(func() {
		defer close(g.stopped)
		g.begin.Lock()
		if g.detach == nil { // it has not begun
			g.begin.Unlock()
			g.engine.drop()
			g.cancel()
			return
		}
		list := *g.stretches.Load()
		last := list[len(list)-1]
		now, offered := g.cut(last.stop)
		g.stopAt.Store(now)
		last.finish(now, offered, processCPU())
		g.begin.Unlock()
		g.detach()
		g.engine.close()
		g.cancel()
		g.running.Wait()
	})
}
